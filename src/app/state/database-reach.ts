import type { ChangeSource } from '../../bus/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import type { Logger } from '../observe/logger.ts'

/** Whether the database can be read, as the reads of changes find it. An outage has one line in the log, and its end another. */
export class DatabaseReach {
  readonly #logger: Logger
  #awaySinceMs: number | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** A sentence for people; undefined while the database answers. */
  get problem(): string | undefined {
    if (this.#awaySinceMs === undefined) return undefined
    return `changes cannot be read from the database since ${timestampOf(this.#awaySinceMs)}; they are not in force until it answers`
  }

  /** The same source, whose reads are noted. */
  watch(source: ChangeSource): ChangeSource {
    return {
      head: () => source.head(),
      ...(source.onNotice && { onNotice: source.onNotice }),
      after: async sequence => {
        try {
          const changes = await source.after(sequence)
          if (this.#awaySinceMs !== undefined) this.#logger.info('the database answers again')
          this.#awaySinceMs = undefined
          return changes
        } catch (error) {
          if (this.#awaySinceMs === undefined)
            this.#logger.error({ err: error }, 'changes cannot be read; the running plans and jobs stay')
          this.#awaySinceMs ??= Date.now()
          throw error
        }
      },
    }
  }
}
