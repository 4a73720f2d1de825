/** Values that differ from request to request, reproducible. */
export class Random {
  #state = 0x9e3779b9

  /** 0 up to, not including, `below`. */
  number(below: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % below
  }

  word(): string {
    return words[this.number(words.length)]!
  }

  /** Words and numbers, separated by blanks. */
  text(length: number): string {
    let text = this.word()
    while (text.length < length) text += ` ${this.number(5) === 0 ? this.number(1000) : this.word()}`
    return text.slice(0, length)
  }

  /** Lower-case hex digits. */
  hex(length: number): string {
    return this.#letters('0123456789abcdef', length)
  }

  /** Letters and digits. */
  token(length: number): string {
    return this.#letters('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', length)
  }

  #letters(alphabet: string, length: number): string {
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[this.number(alphabet.length)]
    return text
  }
}

const words =
  'river garden winter copper letter market silver window summer orange basket candle harbour meadow pepper ribbon saddle tunnel velvet walnut yellow anchor blanket cabin dinner engine feather ginger hammer island'.split(
    ' ',
  )
