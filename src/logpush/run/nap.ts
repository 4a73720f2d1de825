/** A wait that can be cut short. */
export class Nap {
  #wake: (() => void) | undefined

  /** Resolves after `ms`, or when it is woken. */
  sleep(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => this.wake(), ms)
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
    })
  }

  wake(): void {
    this.#wake?.()
  }
}
