/** Searches a short text that may be split between parts. Reads every byte once. */
export class Terminator {
  readonly #text: string
  /** The last bytes, which may be the beginning of the text. Shorter than the text. */
  #tail = ''

  constructor(text: string) {
    this.#text = text
  }

  /**
   * Offset after the first occurrence that ends in the part from `start` on; -1 without one: then the next part is
   * needed.
   */
  find(part: string, start: number): number {
    const { length } = this.#text
    if (this.#tail !== '') {
      const found = (this.#tail + part.slice(start, start + length - 1)).indexOf(this.#text)
      if (found >= 0) return start + found + length - this.#tail.length
    }
    const found = part.indexOf(this.#text, start)
    if (found >= 0) return found + length
    const kept = length - 1
    const tail = this.#tail + part.slice(Math.max(start, part.length - kept))
    this.#tail = tail.slice(Math.max(0, tail.length - kept))
    return -1
  }
}
