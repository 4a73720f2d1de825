import { randomUUID } from 'node:crypto'
import { type Store, StoreError } from '../store/index.ts'
import { soleWorkLimits } from './limits.ts'
import type { Logger } from './observe/logger.ts'

/** Each is renewed three times in its duration. */
const renewals = 3

/**
 * Takes work that one process of the installation does, once no other has it, and keeps it. While the database is away,
 * nothing changes: no other process can take the work then.
 * @param onChange told whether this process has the work, also repeatedly
 * @returns returns the work
 */
export function holdWork(
  store: Pick<Store, 'soleWork'>,
  work: string,
  onChange: (held: boolean) => void,
  logger: Logger,
): () => Promise<void> {
  const owner = randomUUID()
  const { leaseMs } = soleWorkLimits
  let isEnding = false
  let taking: Promise<void> | undefined
  const take = async () => {
    try {
      const held = await store.soleWork.take(work, owner, leaseMs)
      if (!isEnding) onChange(held)
    } catch (error) {
      // The change feed reports that the database is away.
      if (!(error instanceof StoreError)) logger.error({ err: error }, `${work} cannot be taken`)
    }
    taking = undefined
  }
  const begin = () => {
    taking ??= take()
  }
  begin()
  const timer = setInterval(begin, leaseMs / renewals)
  timer.unref()
  return async () => {
    isEnding = true
    clearInterval(timer)
    await taking
    await store.soleWork.leave(work, owner)
  }
}
