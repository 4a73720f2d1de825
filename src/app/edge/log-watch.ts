import { hostname } from 'node:os'
import type { Store } from '../../store/index.ts'
import type { Logger } from '../observe/logger.ts'

/** An edge of a process without the API or without delivery. */
export interface EdgeLogDeps {
  readonly store: Store
  /** Its name for readers. */
  readonly log: string
  /** Id of the machine. */
  readonly location: string
  /** For the log line: the process to start if no process delivers the log. */
  readonly remedy: string
  readonly logger: Logger
  /** Another process may go on with the same log. */
  readonly isShared?: boolean
  /** Interval of the beats; tests use a shorter one. */
  readonly beatMs?: number
}

/** Once the answer is known, only every so many beats look again: a hundred edges share one database. */
const beatsWhenKnown = 6

/** An edge that has missed three looks counts as dead. */
const beatsOfLife = 3 * beatsWhenKnown

/** Delivery may start or restart at the same moment. */
const looksBeforeWarning = 3

/**
 * Registers the log of this edge in the database, and warns in the log of this process if no process delivers it. The
 * edge also serves without a database: a failed step is retried.
 * @returns ends the watch
 */
export function watchEdgeLog({
  store,
  log,
  location,
  remedy,
  logger,
  isShared,
  beatMs = 5000,
}: EdgeLogDeps): () => Promise<void> {
  let unreadLooks = 0
  let fails = false
  let isDelivered = false
  let beats = 0
  let looking: Promise<void> | undefined
  const look = async () => {
    await store.logs.write({ location, host: hostname(), log }, beatMs * beatsOfLife)
    const { delivered } = await store.logs.live()
    fails = false
    isDelivered = delivered.includes(log)
    if (!isDelivered) {
      if (++unreadLooks === looksBeforeWarning)
        logger.warn({ log }, `no process delivers the records of this edge; they wait: ${remedy}`)
      return
    }
    if (unreadLooks >= looksBeforeWarning)
      logger.info({ log }, 'a process delivers the records of this edge now')
    unreadLooks = 0
  }
  const begin = () => {
    const isKnown = !fails && (isDelivered || unreadLooks >= looksBeforeWarning)
    if (isKnown && ++beats % beatsWhenKnown !== 0) return
    looking ??= look()
      .catch(error => {
        if (!fails)
          logger.warn({ err: error }, 'the state of delivery of the records of this edge cannot be read')
        fails = true
      })
      .finally(() => {
        looking = undefined
      })
  }
  begin()
  const timer = setInterval(begin, beatMs)
  return async () => {
    clearInterval(timer)
    await looking
    if (isShared === true) return
    await store.logs.leave(location).catch(() => {
      // The entry expires soon anyway.
    })
  }
}
