import { type Detection, finds, findsInSlices } from '../detection.ts'
import { isBareScriptAddress } from './address.ts'
import { type Context, HtmlReader } from './reader.ts'

/** As text first, then inside a tag of the page. */
const contexts: readonly Context[] = ['data', 'name', 'unquoted', '"', "'", '`']

/**
 * Detects HTML that runs script in any context of a page: as text, as attributes of a tag, or in an attribute value
 * without quotes or with any of the three.
 * @param value byte string (latin-1, one code unit a byte). Linear in the value.
 */
export function detectXss(value: string): boolean {
  return finds(detection, value)
}

/** The same for a long value, with pauses. @param bytes between two pauses */
export function detectXssInSlices(value: string, bytes?: number): Generator<void, boolean, void> {
  return findsInSlices(new XssDetection(), value, bytes)
}

class XssDetection implements Detection {
  readonly #reader = new HtmlReader()
  #value = ''
  /** The index of the context, and the position in it; -1 before it begins. */
  #context = 0
  #position = -1
  /** True once NULs are removed, or if there were none. */
  #visible = false
  #address = false

  begin(value: string): void {
    this.#visible = !value.includes('\0')
    this.#beginText(value)
  }

  goOn(bytes: number): boolean | undefined {
    for (;;) {
      const found = this.#address || this.#readOn(bytes)
      if (found === undefined) return undefined
      if (!found && !this.#visible) {
        // Old browsers and some servers drop NUL from names.
        this.#visible = true
        this.#beginText(this.#value.replaceAll('\0', ''))
        continue
      }
      // Releases the value at the end of its search.
      this.#value = ''
      this.#reader.begin('')
      return found
    }
  }

  #beginText(value: string): void {
    this.#value = value
    this.#address = value.includes(':') && isBareScriptAddress(value)
    this.#context = 0
    this.#position = -1
    if (value.includes('<') || value.includes('=')) this.#reader.begin(value)
    else {
      this.#context = contexts.length
      this.#visible = true
    }
  }

  #readOn(bytes: number): boolean | undefined {
    for (; this.#context < contexts.length; this.#context++) {
      const context = contexts[this.#context]!
      if (this.#position < 0) {
        if (!this.#mayRunIn(context)) continue
        this.#reader.land(context)
        this.#position = 0
      }
      this.#position += bytes
      const found = this.#reader.readTo(this.#position)
      if (found !== false) return found
      this.#position = -1
    }
    return false
  }

  /** Inside the page's tag only attributes with values have an effect; after it, only tags. */
  #mayRunIn(context: Context): boolean {
    const value = this.#value
    if (context === 'data') return value.includes('<')
    if (!value.includes('=') && !value.includes('>')) return false
    return context === 'name' || context === 'unquoted' || value.includes(context)
  }
}

/** For searches without a pause. */
const detection = new XssDetection()
