import { wafLimits } from '../limits.ts'
import { outsidePercentEscape } from '../transformations/seams.ts'
import { urlDecode } from '../transformations/url-decode.ts'
import type { Argument, BodyOptions, BodyReader, ParsedArguments } from './body.ts'

/**
 * Reads an urlencoded body: pairs separated by `&`, name and value by the first `=`, `+` and `%HH` decoded once, bad
 * escapes kept. An empty pair is an argument with an empty name, except after the last `&`. Beyond the limit, the rest
 * is one last argument without a name, so that rules still see its bytes. One pass.
 */
export function urlencodedReader(options: BodyOptions = {}): BodyReader<ParsedArguments> {
  return new UrlencodedReader(options.argumentsMax ?? wafLimits.argumentsMax)
}

/** The same for a complete text: a query string (without its `?`). */
export function parseUrlencoded(text: string, options: BodyOptions = {}): ParsedArguments {
  const reader = urlencodedReader(options)
  reader.write(text)
  return reader.end(true)
}

class UrlencodedReader implements BodyReader<ParsedArguments> {
  readonly #args: Argument[] = []
  readonly #argumentsMax: number
  /** The unfinished pair. */
  readonly #name = new DecodedText()
  readonly #value = new DecodedText()
  /** Its name has ended. */
  #inValue = false

  constructor(argumentsMax: number) {
    this.#argumentsMax = argumentsMax
  }

  write(part: string): void {
    let from = 0
    while (this.#args.length < this.#argumentsMax) {
      const end = part.indexOf('&', from)
      if (end < 0) break
      if (this.#isBetweenPairs()) this.#args.push(pairIn(part, from, end))
      else {
        this.#add(part.slice(from, end))
        this.#args.push(this.#takePair())
      }
      from = end + 1
    }
    if (from === part.length) return
    if (this.#args.length >= this.#argumentsMax) this.#inValue = true
    this.#add(part.slice(from))
  }

  end(): ParsedArguments {
    const args = this.#args
    if (this.#isBetweenPairs()) return { args }
    const isOver = args.length >= this.#argumentsMax
    args.push(this.#takePair())
    return isOver ? { args, error: `more than ${this.#argumentsMax} arguments` } : { args }
  }

  #isBetweenPairs(): boolean {
    return !this.#inValue && this.#name.isEmpty
  }

  #add(text: string): void {
    const equals = this.#inValue ? -1 : text.indexOf('=')
    if (equals >= 0) {
      this.#name.add(text.slice(0, equals))
      this.#inValue = true
    }
    const rest = text.slice(equals + 1)
    if (this.#inValue) this.#value.add(rest)
    else this.#name.add(rest)
  }

  #takePair(): Argument {
    this.#inValue = false
    return { name: this.#name.take(), value: this.#value.take() }
  }
}

/** A name or a value in parts. A long one is decoded as it arrives, up to a position outside escapes. */
class DecodedText {
  #held = ''
  readonly #pieces: string[] = []

  get isEmpty(): boolean {
    return this.#held === '' && this.#pieces.length === 0
  }

  add(text: string): void {
    this.#held += text
    const { length } = this.#held
    if (length < wafLimits.sliceBytes) return
    const end = outsidePercentEscape(this.#held, 0, 0, length)
    this.#pieces.push(urlDecode(this.#held.slice(0, end)))
    this.#held = this.#held.slice(end)
  }

  /** Returns the whole, and begins the next. */
  take(): string {
    const last = urlDecode(this.#held)
    this.#held = ''
    if (this.#pieces.length === 0) return last
    const whole = this.#pieces.join('') + last
    this.#pieces.length = 0
    return whole
  }
}

function pairIn(text: string, start: number, end: number): Argument {
  let equals = start
  while (equals < end && text.charCodeAt(equals) !== 0x3d) equals++
  return {
    name: urlDecode(text.slice(start, equals)),
    value: equals < end ? urlDecode(text.slice(equals + 1, end)) : '',
  }
}
