import type { PlanRedaction } from '../../../rulesets/plan/redaction.ts'
import { asText, cutText } from '../text.ts'
import { maskCardNumbers } from './card-numbers.ts'
import { redactAuthorization, redactCookie, redactSetCookie } from './credential-headers.ts'
import { isCredentialHeader, redactParameters, type Source } from './parameters.ts'
import { redacted } from './redacted.ts'
import { redactUserInfo } from './user-info.ts'

/** Redacts a path, a query or both. Linear; the same string when it contains no secret. */
export function redactUri(redaction: PlanRedaction, uri: string, source: Source = 'uri'): string {
  let text = uri
  if (redaction.authorization) text = redactUserInfo(text)
  if (redaction.parameters !== undefined) text = redactParameters(text, redaction.parameters, source)
  return redactText(redaction, text)
}

/** Redacts a text without URLs. */
export function redactText(redaction: PlanRedaction, text: string): string {
  return redaction.cardNumbers ? maskCardNumbers(text) : text
}

/** Redacts a host with its port. A user name and a password may precede it, up to `@`. */
export function redactHost(redaction: PlanRedaction, host: string): string {
  const at = redaction.authorization ? host.lastIndexOf('@') : -1
  return redactText(redaction, at < 0 ? host : redacted + host.slice(at))
}

/**
 * Redacts the value of a header line.
 * @param lowerName its name in lower case
 * @param cookies names of the cookies whose values stay
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
    // One URL each. Clients that encode nothing may send blanks and quotes in it.
    case 'referer':
    case 'location':
    case 'content-location':
      return redactUri(redaction, value, 'query')
    default:
      return redactUri(redaction, value, 'text')
  }
}

/** Like `redactHeader`, but for headers that no setting selects: the whole value of a credential header is redacted. */
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
 * The redacted beginning of a byte string of any length, as text. A secret at the cut is redacted before the text is cut.
 * @param redact removes secrets
 */
export function redactedBeginning(bytes: string, bytesMax: number, redact: (text: string) => string): string {
  if (bytes.length <= bytesMax) return cutText(redact(asText(bytes)), bytesMax)
  const text = redact(asText(bytes.slice(0, bytesMax + longestSecret)))
  return cutText(text.slice(0, Math.max(0, text.length - longestSecret)), bytesMax)
}

/** No card number, and no useful parameter name with its `=`, is longer. */
const longestSecret = 128
