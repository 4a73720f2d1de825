import { wafLimits } from '../../kit/limits.ts'
import { urlDecode } from '../transformations/url-decode.ts'
import type { Argument, BodyOptions, ParsedArguments } from './body.ts'

/**
 * Arguments of a query string (without its `?`) or an urlencoded body: pairs apart by `&`, name and value by the first
 * `=`, `+` and `%HH` decoded once, bad escapes left. An empty pair is an argument with an empty name, but not behind the
 * last `&`. Past the limit the rest is one last argument without a name, so that rules still see its bytes.
 */
export function parseUrlencoded(text: string, options: BodyOptions = {}): ParsedArguments {
  const max = options.argumentsMax ?? wafLimits.argumentsMax
  const args: Argument[] = []
  for (let from = 0; from < text.length; ) {
    if (args.length === max) {
      args.push({ name: '', value: urlDecode(text.slice(from)) })
      return { args, error: `more than ${max} arguments` }
    }
    const separator = text.indexOf('&', from)
    const end = separator < 0 ? text.length : separator
    args.push(parsePair(text.slice(from, end)))
    from = end + 1
  }
  return { args }
}

function parsePair(pair: string): Argument {
  const equals = pair.indexOf('=')
  if (equals < 0) return { name: urlDecode(pair), value: '' }
  return { name: urlDecode(pair.slice(0, equals)), value: urlDecode(pair.slice(equals + 1)) }
}
