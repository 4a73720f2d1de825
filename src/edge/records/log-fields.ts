import { trimmed } from '../../kit/blanks.ts'
import { rulesetLimits } from '../../kit/limits.ts'
import type { LogFields, LoggedResponseHeader } from '../../rulesets/plan.ts'
import type { HeaderLines } from '../headers.ts'
import { asText, cutText } from './text.ts'

interface Logged {
  readonly [name: string]: string | readonly string[]
}

export interface CustomFields {
  readonly RequestHeaders?: Logged
  readonly ResponseHeaders?: Logged
  readonly Cookies?: Logged
}

/** The headers of one exchange, as they came in and as they went on. */
export interface LoggedHeaders {
  readonly request: HeaderLines
  readonly transformedRequest: HeaderLines
  readonly response: HeaderLines
  /** Empty when the edge answered itself. */
  readonly rawResponse: HeaderLines
}

/**
 * Headers and cookies that the zone wants in its records: the first value of each, or an array of all of them where
 * that is asked for, absent ones left out. All values together have a limit; the one that crosses it is cut at a whole
 * character and those after it are left out. A kind for which nothing is configured is left out.
 */
export function customFields(wanted: LogFields, headers: LoggedHeaders): CustomFields {
  const picker = new Picker()
  const requestHeaders = {}
  const responseHeaders = {}
  picker.headers(requestHeaders, wanted.request.map(firstValueOf), headers.request)
  picker.headers(requestHeaders, wanted.transformedRequest.map(firstValueOf), headers.transformedRequest)
  picker.headers(responseHeaders, wanted.response, headers.response)
  picker.headers(responseHeaders, wanted.rawResponse, headers.rawResponse)
  const cookies = picker.cookies(wanted.cookies, headers.request)
  return {
    ...(wanted.request.length + wanted.transformedRequest.length > 0 && { RequestHeaders: requestHeaders }),
    ...(wanted.response.length + wanted.rawResponse.length > 0 && { ResponseHeaders: responseHeaders }),
    ...(wanted.cookies.length > 0 && { Cookies: cookies }),
  }
}

function firstValueOf(name: string): LoggedResponseHeader {
  return { name, preserveDuplicates: false }
}

/** Picks values for one record until their limit is reached. */
class Picker {
  #bytesLeft: number = rulesetLimits.customLogDataBytesMax

  /** @param picked gets the values */
  headers(picked: Logged, wanted: readonly LoggedResponseHeader[], lines: HeaderLines): void {
    if (wanted.length === 0) return
    const values = valuesByName(lines)
    for (const { name, preserveDuplicates } of wanted)
      this.#pick(picked, name, values.get(name), preserveDuplicates)
  }

  cookies(names: readonly string[], request: HeaderLines): Logged {
    const picked = {}
    if (names.length === 0) return picked
    const values = cookieValues(request)
    for (const name of names) this.#pick(picked, name, values.get(name), false)
    return picked
  }

  #pick(picked: Logged, name: string, values: readonly string[] | undefined, all: boolean): void {
    if (values === undefined || this.#bytesLeft <= 0) return
    const kept: string[] = []
    for (const value of all ? values : values.slice(0, 1)) {
      if (this.#bytesLeft > 0) kept.push(this.#cut(asText(value)))
    }
    Object.defineProperty(picked, name, { value: all ? kept : kept[0], enumerable: true, configurable: true })
  }

  #cut(text: string): string {
    const kept = cutText(text, this.#bytesLeft)
    // Nothing that comes after a cut value may fill what its last character left free.
    this.#bytesLeft = kept.length < text.length ? 0 : this.#bytesLeft - Buffer.byteLength(kept)
    return kept
  }
}

function valuesByName(lines: HeaderLines): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of lines) append(values, name.toLowerCase(), value)
  return values
}

function cookieValues(request: HeaderLines): Map<string, string[]> {
  const cookies = new Map<string, string[]>()
  for (const [name, value] of request) {
    if (name.length !== 6 || name.toLowerCase() !== 'cookie') continue
    for (const pair of value.split(';')) {
      const equals = pair.indexOf('=')
      if (equals >= 0)
        append(cookies, asText(trimmed(pair.slice(0, equals))), trimmed(pair.slice(equals + 1)))
    }
  }
  return cookies
}

function append(values: Map<string, string[]>, name: string, value: string): void {
  const known = values.get(name)
  if (known === undefined) values.set(name, [value])
  else known.push(value)
}
