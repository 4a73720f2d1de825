import type { Logger } from './observe/logger.ts'
import { Shutdown } from './shutdown.ts'

/**
 * Work that only one process of a data directory does at a time: delivery, analytics, and orders of certificates. A
 * process that replaces another begins when that one has ended its own.
 */
export class SoleWork {
  readonly #start: (shutdown: Shutdown) => Promise<void>
  readonly #shutdown: Shutdown
  #begun: Promise<void> | undefined

  /** @param start starts the parts, and registers their ends */
  constructor(logger: Logger, start: (shutdown: Shutdown) => Promise<void>) {
    this.#start = start
    this.#shutdown = new Shutdown(logger)
  }

  /** Once, and not after the end. @throws if a part cannot start */
  begin(): Promise<void> {
    this.#begun ??= this.#start(this.#shutdown)
    return this.#begun
  }

  /** Ends the work, also while it begins. */
  async end(): Promise<void> {
    this.#begun ??= Promise.resolve()
    await this.#begun.catch(() => {})
    await this.#shutdown.run()
  }
}
