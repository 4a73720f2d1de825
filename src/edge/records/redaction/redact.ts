import type { PlanRedaction } from '../../../rulesets/plan-redaction.ts'
import { asText, cutText } from '../text.ts'
import { maskCardNumbers } from './card-numbers.ts'
import { redactAuthorization, redactCookie, redactSetCookie } from './credential-headers.ts'
import { isCredentialHeader, redactParameters, type Source } from './parameters.ts'
import { redacted } from './redacted.ts'
import { redactUserInfo } from './user-info.ts'

/** A path with its query, or either of them. Linear; the same string when there is nothing to take out. */
export function redactUri(redaction: PlanRedaction, uri: string, source: Source = 'uri'): string {
  let text = uri
  if (redaction.authorization) text = redactUserInfo(text)
  if (redaction.parameters !== undefined) text = redactParameters(text, redaction.parameters, source)
  return redactText(redaction, text)
}

/** A text that is no URL and has none. */
export function redactText(redaction: PlanRedaction, text: string): string {
  return redaction.cardNumbers ? maskCardNumbers(text) : text
}

/** A host with its port: what stands before `@` is a name and a password. */
export function redactHost(redaction: PlanRedaction, host: string): string {
  const at = redaction.authorization ? host.lastIndexOf('@') : -1
  return redactText(redaction, at < 0 ? host : redacted + host.slice(at))
}

/**
 * The value of a header line.
 * @param lowerName its name in lower case
 * @param cookies names of those whose values are asked for
 */
export function redactHeader(
  redaction: PlanRedaction,
  lowerName: string,
  value: string,
  cookies: readonly string[],
): string {
  switch (lowerName) {
    case 'authorization':
    case 'proxy-authorization':
      return redaction.authorization ? redactAuthorization(value) : redactText(redaction, value)
    case 'cookie':
      return redactText(redaction, redaction.cookies ? redactCookie(value, cookies) : value)
    case 'set-cookie':
      return redactText(redaction, redaction.cookies ? redactSetCookie(value, cookies) : value)
    // One URL each, which can have blanks and quotes from clients that encode nothing.
    case 'referer':
    case 'location':
    case 'content-location':
      return redactUri(redaction, value, 'query')
    default:
      return redactUri(redaction, value, 'text')
  }
}

/** The same where nobody has asked for this header: one that is named like a credential is taken out whole. */
export function redactAnyHeader(redaction: PlanRedaction, lowerName: string, value: string): string {
  const { parameters } = redaction
  if (
    parameters !== undefined &&
    lowerName !== 'authorization' &&
    lowerName !== 'proxy-authorization' &&
    isCredentialHeader(lowerName, parameters)
  )
    return redacted
  return redactHeader(redaction, lowerName, value, [])
}

/**
 * The beginning of a byte string that may be as long as a stranger likes, as text. What the cut would divide is seen
 * whole before it is cut.
 * @param redact takes out what is secret
 */
export function redactedBeginning(bytes: string, bytesMax: number, redact: (text: string) => string): string {
  if (bytes.length <= bytesMax) return cutText(redact(asText(bytes)), bytesMax)
  const text = redact(asText(bytes.slice(0, bytesMax + secretCharactersMax)))
  return cutText(text.slice(0, Math.max(0, text.length - secretCharactersMax)), bytesMax)
}

/** No card number is longer, nor is the name of a parameter with its `=` worth more. */
const secretCharactersMax = 128
