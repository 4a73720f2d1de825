/**
 * The parts of an open batch that its destination has accepted, where it accepts a batch in parts: the next attempt
 * does not send them again.
 */
export class SentParts {
  #batch: { readonly name: string; readonly destination: string; readonly crc: number } | undefined
  #ids = new Set<string>()

  get isAny(): boolean {
    return this.#ids.size > 0
  }

  /** Parts that another destination accepted, or parts of another text, do not count. */
  of(name: string, destination: string, crc: number): Set<string> {
    const known = this.#batch
    if (known?.name === name && known.destination === destination && known.crc === crc) return this.#ids
    this.#batch = { name, destination, crc }
    this.#ids = new Set()
    return this.#ids
  }

  /** The batch is delivered. */
  forget(): void {
    this.#batch = undefined
    this.#ids = new Set()
  }
}
