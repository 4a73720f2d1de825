import type { Logger } from './observe/logger.ts'

/** Ends the started parts in the reverse order of their start. */
export class Shutdown {
  readonly #steps: { readonly name: string; readonly end: () => Promise<unknown> | unknown }[] = []
  readonly #logger: Logger
  #running: Promise<void> | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  add(name: string, end: () => Promise<unknown> | unknown): void {
    this.#steps.push({ name, end })
  }

  /** Ends every part once; a failing part does not prevent the others from ending. */
  run(): Promise<void> {
    this.#running ??= this.#run()
    return this.#running
  }

  async #run(): Promise<void> {
    for (const { name, end } of this.#steps.reverse()) {
      try {
        await end()
      } catch (error) {
        this.#logger.error({ err: error }, `${name} did not end cleanly`)
      }
    }
  }
}
