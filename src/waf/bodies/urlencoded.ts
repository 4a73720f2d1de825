import { wafLimits } from '../../kit/limits.ts'
import { urlDecode } from '../transformations/url-decode.ts'
import type { Argument, BodyOptions, BodyReader, ParsedArguments } from './body.ts'

/**
 * Reads an urlencoded body: pairs apart by `&`, name and value by the first `=`, `+` and `%HH` decoded once, bad escapes
 * left. An empty pair is an argument with an empty name, but not behind the last `&`. Past the limit the rest is one last
 * argument without a name, so that rules still see its bytes. One pass; a pair that spans parts is joined once.
 */
export function urlencodedReader(options: BodyOptions = {}): BodyReader<ParsedArguments> {
  return new UrlencodedReader(options.argumentsMax ?? wafLimits.argumentsMax)
}

/** The same for a text that is there as a whole: a query string (without its `?`). */
export function parseUrlencoded(text: string, options: BodyOptions = {}): ParsedArguments {
  const reader = urlencodedReader(options)
  reader.write(text)
  return reader.end(true)
}

class UrlencodedReader implements BodyReader<ParsedArguments> {
  readonly #args: Argument[] = []
  readonly #argumentsMax: number
  /** What came of the pair that has not ended; nothing reads in it before its end, so that it is made flat once. */
  #held = ''

  constructor(argumentsMax: number) {
    this.#argumentsMax = argumentsMax
  }

  write(part: string): void {
    let from = 0
    while (this.#args.length < this.#argumentsMax) {
      const end = part.indexOf('&', from)
      if (end < 0) break
      this.#args.push(this.#held === '' ? pairIn(part, from, end) : this.#heldPair(part.slice(0, end)))
      from = end + 1
    }
    this.#held += part.slice(from)
  }

  end(): ParsedArguments {
    const args = this.#args
    if (this.#held === '') return { args }
    if (args.length < this.#argumentsMax) {
      args.push(this.#heldPair(''))
      return { args }
    }
    args.push({ name: '', value: urlDecode(this.#held) })
    return { args, error: `more than ${this.#argumentsMax} arguments` }
  }

  #heldPair(rest: string): Argument {
    const pair = this.#held + rest
    this.#held = ''
    return pairIn(pair, 0, pair.length)
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
