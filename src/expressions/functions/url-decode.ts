import { hexValue } from '../../kit/ascii.ts'
import { bytesOfText, stringOfBytes } from '../../kit/bytes.ts'

/**
 * `%HH` becomes a byte and `+` a blank; with `unicode`, `%uHHHH` becomes the UTF-8 bytes of its character. Malformed
 * escapes stay. With `repeat` the result is decoded again until nothing changes. Escapes never overlap, so decoding
 * each as soon as it is complete gives the same in one pass.
 */
export function urlDecode(value: string, repeat: boolean, unicode: boolean): string {
  if (!value.includes('%') && !value.includes('+')) return value
  const decoder = new Decoder(value.length, unicode)
  for (let at = 0; at < value.length; at++) decoder.take(value.charCodeAt(at), repeat)
  return decoder.text()
}

const percent = 0x25
const plus = 0x2b
const blank = 0x20
const letterU = 0x75

class Decoder {
  readonly #out: Uint8Array
  readonly #unicode: boolean
  #length = 0
  /** Everything before is decoded already and begins no escape. */
  #settled = 0

  constructor(length: number, unicode: boolean) {
    this.#out = new Uint8Array(length)
    this.#unicode = unicode
  }

  take(byte: number, repeat: boolean): void {
    this.#out[this.#length++] = byte === plus ? blank : byte
    while (this.#reduce()) {
      if (!repeat) {
        this.#settled = this.#length
        return
      }
      if (this.#out[this.#length - 1] === plus) this.#out[this.#length - 1] = blank
    }
  }

  text(): string {
    return stringOfBytes(this.#out, this.#length)
  }

  /** Replaces the escape at the end; false if there is none. */
  #reduce(): boolean {
    const byte = this.#hexBehind(percent, 3, 2)
    if (byte >= 0) return this.#replace(3, String.fromCharCode(byte))
    if (!this.#unicode) return false
    const unit = this.#hexBehind(letterU, 5, 4)
    if (unit < 0 || !this.#isAt(6, percent)) return false
    if (unit < 0xd800 || unit > 0xdfff) return this.#replace(6, bytesOfText(String.fromCharCode(unit)))
    return unit >= 0xdc00 && this.#reducePair(unit)
  }

  /** A low surrogate counts only after the escape of a high one. */
  #reducePair(low: number): boolean {
    if (!this.#isAt(12, percent) || !this.#isAt(11, letterU)) return false
    const high = this.#hexAt(10, 4)
    if (high < 0xd800 || high > 0xdbff) return false
    return this.#replace(12, bytesOfText(String.fromCharCode(high, low)))
  }

  /** Value of the digits at the end if `mark` is `back` bytes before the end; else -1. */
  #hexBehind(mark: number, back: number, digits: number): number {
    return this.#isAt(back, mark) ? this.#hexAt(digits, digits) : -1
  }

  #isAt(back: number, byte: number): boolean {
    const at = this.#length - back
    return at >= this.#settled && this.#out[at] === byte
  }

  #hexAt(back: number, digits: number): number {
    let value = 0
    for (let at = this.#length - back; at < this.#length - back + digits; at++) {
      const digit = hexValue(this.#out[at]!)
      if (digit < 0) return -1
      value = value * 16 + digit
    }
    return value
  }

  #replace(back: number, bytes: string): true {
    this.#length -= back
    for (let at = 0; at < bytes.length; at++) this.#out[this.#length++] = bytes.charCodeAt(at)
    return true
  }
}
