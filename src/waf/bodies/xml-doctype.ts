import { Terminator } from './terminator.ts'

/** Looks for the end of a document type: what it declares is never read. Every byte is looked at once. */
export class DoctypeScanner {
  #inSubset = false
  /** A quoted text, comment or processing instruction is being passed over. */
  #inner: Terminator | undefined
  /** Bytes of `<!--` that have come. */
  #opening = 0

  /** Behind the `>` that ends it, -1 when that is not in the part. Begin behind the keyword. */
  find(part: string, start: number): number {
    for (let i = start; i < part.length; ) {
      if (this.#inner !== undefined) {
        i = this.#inner.find(part, i)
        if (i < 0) return -1
        this.#inner = undefined
      } else if (this.#next(part.charCodeAt(i++))) return i
    }
    return -1
  }

  /** Is this byte the end? */
  #next(code: number): boolean {
    const opening = this.#opening
    this.#opening = 0
    if (code === 0x3c) this.#opening = 1
    else if (opening === 1 && code === 0x21) this.#opening = 2
    else if (opening === 2 && code === 0x2d) this.#opening = 3
    else if (opening === 3 && code === 0x2d) this.#inner = new Terminator('-->')
    else if (opening === 1 && code === 0x3f) this.#inner = new Terminator('?>')
    else if (code === 0x22) this.#inner = new Terminator('"')
    else if (code === 0x27) this.#inner = new Terminator("'")
    else if (code === 0x5b) this.#inSubset = true
    else if (code === 0x5d) this.#inSubset = false
    else return code === 0x3e && !this.#inSubset
    return false
  }
}
