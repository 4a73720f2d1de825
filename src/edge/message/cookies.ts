import { trimmed } from '../../kit/blanks.ts'
import type { HeaderLines } from './headers.ts'

/** The cookies that a client sends, in order: names and values as byte strings. */
export function* cookiesOf(headers: HeaderLines): Generator<readonly [name: string, value: string]> {
  for (const [lineName, line] of headers) {
    if (lineName.length !== 6 || lineName.toLowerCase() !== 'cookie') continue
    for (const pair of line.split(';')) {
      const equals = pair.indexOf('=')
      if (equals >= 0) yield [trimmed(pair.slice(0, equals)), trimmed(pair.slice(equals + 1))]
    }
  }
}
