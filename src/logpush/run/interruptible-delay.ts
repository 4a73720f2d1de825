/** A delay that can be ended early. */
export class InterruptibleDelay {
  #end: (() => void) | undefined

  /** Resolves after `ms`, or when it is interrupted. */
  wait(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => this.interrupt(), ms)
      this.#end = () => {
        clearTimeout(timer)
        this.#end = undefined
        resolve()
      }
    })
  }

  interrupt(): void {
    this.#end?.()
  }
}
