/** Looks for a short text that may be split between parts. Every byte is looked at once. */
export class Terminator {
  readonly #text: string
  /** The last bytes that came: where the text may have begun. Shorter than the text. */
  #tail = ''

  constructor(text: string) {
    this.#text = text
  }

  /** Behind the first occurrence that ends in the part at or behind `start`, -1 without one: then the next part is due. */
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
