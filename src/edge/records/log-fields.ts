import type { LoggedResponseHeader, ZonePlan } from '../../rulesets/plan/plan.ts'
import type { PlanRedaction } from '../../rulesets/plan/redaction.ts'
import { recordLimits } from '../limits.ts'
import { cookiesOf } from '../message/cookies.ts'
import { firstHeader, type HeaderLines } from '../message/headers.ts'
import type { FieldWriter } from './json-fields.ts'
import { redactHeader, redactText } from './redaction/redact.ts'
import { asText, cutText } from './text.ts'

/** The headers of one exchange, as received and as forwarded. */
export interface LoggedHeaders {
  readonly request: HeaderLines
  readonly transformedRequest: HeaderLines
  readonly response: HeaderLines
  /** Empty when the edge answered. */
  readonly rawResponse: HeaderLines
}

/** The part of a plan that selects headers and cookies for its records. */
export type LoggingPlan = Pick<ZonePlan, 'logFields' | 'redaction'>

/**
 * Writes the headers and cookies that the zone's custom fields select: the first value of each, or an array of all values
 * when the zone asks for that. Secrets are redacted first. All values together have a limit: the value that exceeds it is
 * cut at a whole character, and the values after it are left out. Empty kinds are left out.
 */
export function writeCustomFields(
  record: FieldWriter,
  { logFields, redaction }: LoggingPlan,
  headers: LoggedHeaders,
): void {
  const { request, transformedRequest, response, rawResponse, cookies } = logFields
  const picker = new Picker(redaction, cookies)
  if (request.length + transformedRequest.length > 0) {
    const picked = {}
    for (const name of request) picker.header(picked, name, headers.request)
    for (const name of transformedRequest) picker.header(picked, name, headers.transformedRequest)
    record.structure(',"RequestHeaders":', picked)
  }
  if (response.length + rawResponse.length > 0) {
    const picked = {}
    for (const header of response) picker.responseHeader(picked, header, headers.response)
    for (const header of rawResponse) picker.responseHeader(picked, header, headers.rawResponse)
    record.structure(',"ResponseHeaders":', picked)
  }
  if (cookies.length > 0) record.structure(',"Cookies":', picker.cookies(headers.request))
}

interface Logged {
  [name: string]: string | readonly string[]
}

/** Picks values for one record until their limit is reached. */
class Picker {
  readonly #redaction: PlanRedaction
  /** Names of the selected cookies. */
  readonly #cookies: readonly string[]
  #bytesLeft: number = recordLimits.customLogDataBytesMax

  constructor(redaction: PlanRedaction, cookies: readonly string[]) {
    this.#redaction = redaction
    this.#cookies = cookies
  }

  /** @param picked receives the value */
  header(picked: Logged, lowerName: string, lines: HeaderLines): void {
    const value = firstHeader(lines, lowerName)
    if (value !== undefined && this.#bytesLeft > 0) put(picked, lowerName, this.#headerText(lowerName, value))
  }

  responseHeader(
    picked: Logged,
    { name, preserveDuplicates }: LoggedResponseHeader,
    lines: HeaderLines,
  ): void {
    if (!preserveDuplicates) {
      this.header(picked, name, lines)
      return
    }
    const values: string[] = []
    for (const [lineName, value] of lines) {
      if (this.#bytesLeft <= 0) break
      if (lineName.length === name.length && lineName.toLowerCase() === name)
        values.push(this.#headerText(name, value))
    }
    if (values.length > 0) put(picked, name, values)
  }

  cookies(request: HeaderLines): Logged {
    const picked = {}
    const values = cookieValues(request, this.#cookies)
    for (const name of this.#cookies) {
      const value = values.get(name)
      if (value !== undefined && this.#bytesLeft > 0)
        put(picked, name, this.#cut(redactText(this.#redaction, asText(value))))
    }
    return picked
  }

  #headerText(lowerName: string, value: string): string {
    return this.#cut(redactHeader(this.#redaction, lowerName, asText(value), this.#cookies))
  }

  #cut(text: string): string {
    const kept = cutText(text, this.#bytesLeft)
    // Later values must not fill the bytes that a cut character left free.
    this.#bytesLeft = kept.length < text.length ? 0 : this.#bytesLeft - Buffer.byteLength(kept)
    return kept
  }
}

/** A header can have any name, such as `__proto__`. */
function put(picked: Logged, name: string, value: string | readonly string[]): void {
  if (name === '__proto__')
    Object.defineProperty(picked, name, { value, enumerable: true, configurable: true })
  else picked[name] = value
}

/** The first value of each cookie. */
function cookieValues(request: HeaderLines, names: readonly string[]): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const [name, value] of cookiesOf(request))
    if (names.includes(name) && !cookies.has(name)) cookies.set(name, value)
  return cookies
}
