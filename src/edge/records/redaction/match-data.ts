import type { PlanRedaction } from '../../../rulesets/plan/redaction.ts'
import { isCredentialHeader, isNamed } from './parameters.ts'
import { redactedBeginning, redactUri } from './redact.ts'
import { redacted } from './redacted.ts'

/**
 * Redacts the message or data of a match, which can quote the matched value. When the whole value is a secret, the whole
 * text is redacted, otherwise the secrets in it. Best effort: rules see decoded and transformed values.
 * @param said byte string
 * @param target `ARGS:password`; byte string
 */
export function redactMatch(
  redaction: PlanRedaction,
  said: string,
  target: string,
  bytesMax: number,
): string {
  if (isSecret(redaction, target)) return redacted
  const source = isOfValue(target) ? 'value' : 'text'
  return redactedBeginning(said, bytesMax, text => redactUri(redaction, text, source))
}

/** The target is one argument or cookie, whose words are not parameter names. */
function isOfValue(target: string): boolean {
  return /^(?:ARGS|ARGS_GET|ARGS_POST|REQUEST_COOKIES|MULTIPART_PART_HEADERS)(?::|$)/.test(target)
}

function isSecret({ authorization, cookies, parameters }: PlanRedaction, target: string): boolean {
  const colon = target.indexOf(':')
  const collection = colon < 0 ? target : target.slice(0, colon)
  const key = colon < 0 ? '' : target.slice(colon + 1).toLowerCase()
  switch (collection) {
    case 'REQUEST_COOKIES':
      return cookies
    case 'REQUEST_HEADERS':
    case 'RESPONSE_HEADERS':
      if (key === 'authorization' || key === 'proxy-authorization') return authorization
      if (key === 'cookie' || key === 'set-cookie') return cookies
      return parameters !== undefined && isCredentialHeader(key, parameters)
    case 'ARGS':
    case 'ARGS_GET':
    case 'ARGS_POST':
      return isCredential(key, parameters)
    default:
      return false
  }
}

function isCredential(key: string, parameters: PlanRedaction['parameters']): boolean {
  return parameters !== undefined && isNamed(key, 0, key.length, parameters)
}
