import { rulesetLimits } from '../../kit/limits.ts'
import type { LogFields } from '../../rulesets/plan.ts'
import type { HeaderLines } from '../headers.ts'
import { asText, cutText } from './text.ts'

export interface CustomFields {
  readonly RequestHeaders?: { readonly [name: string]: string }
  readonly ResponseHeaders?: { readonly [name: string]: string }
  readonly Cookies?: { readonly [name: string]: string }
}

/**
 * Headers and cookies that the zone wants in its records: the first value of each, absent ones left out. All values
 * together have a limit; the one that crosses it is cut at a whole character and those after it are left out.
 * A kind for which nothing is configured is left out.
 */
export function customFields(wanted: LogFields, request: HeaderLines, response: HeaderLines): CustomFields {
  const budget = { bytes: rulesetLimits.customLogDataBytesMax }
  const headers = (lines: HeaderLines) => {
    const values = firstValues(lines)
    return (name: string) => values.get(name)
  }
  return {
    ...(wanted.request.length > 0 && { RequestHeaders: pick(wanted.request, headers(request), budget) }),
    ...(wanted.response.length > 0 && { ResponseHeaders: pick(wanted.response, headers(response), budget) }),
    ...(wanted.cookies.length > 0 && { Cookies: pick(wanted.cookies, cookieValues(request), budget) }),
  }
}

function pick(
  names: readonly string[],
  lookUp: (name: string) => string | undefined,
  budget: { bytes: number },
): { [name: string]: string } {
  const picked: { [name: string]: string } = {}
  for (const name of names) {
    if (budget.bytes <= 0) break
    const value = lookUp(name)
    if (value === undefined) continue
    const text = asText(value)
    const kept = cutText(text, budget.bytes)
    // Nothing that comes after a cut value may fill what its last character left free.
    budget.bytes = kept.length < text.length ? 0 : budget.bytes - Buffer.byteLength(kept)
    Object.defineProperty(picked, name, { value: kept, enumerable: true })
  }
  return picked
}

function firstValues(lines: HeaderLines): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of lines) {
    const lower = name.toLowerCase()
    if (!values.has(lower)) values.set(lower, value)
  }
  return values
}

function cookieValues(request: HeaderLines): (name: string) => string | undefined {
  const cookies = new Map<string, string>()
  for (const [name, value] of request) {
    if (name.length !== 6 || name.toLowerCase() !== 'cookie') continue
    for (const pair of value.split(';')) {
      const equals = pair.indexOf('=')
      if (equals < 0) continue
      const cookie = asText(pair.slice(0, equals).trim())
      if (!cookies.has(cookie)) cookies.set(cookie, pair.slice(equals + 1).trim())
    }
  }
  return name => cookies.get(name)
}
