import { Terminator } from '../terminator.ts'

/** Searches the end of a document type. Its declarations are never read. Reads every byte once. */
export class DoctypeScanner {
  #inSubset = false
  /** Inside a quoted text, comment or processing instruction. */
  #inner: Terminator | undefined
  /** Bytes of `<!--` so far. */
  #opening = 0

  /** Offset after the `>` that ends it, -1 if the part does not contain it. Begin after the keyword. */
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

  /** Whether this byte is the end. */
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
