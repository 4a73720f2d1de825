import { isDigit } from '../../kit/ascii.ts'
import { hmacSha256 } from '../../kit/sha256.ts'
import { decodeBase64 } from './base64.ts'
import {
  type Apply,
  type Complaint,
  either,
  type FunctionSpec,
  type Given,
  giving,
  integer,
  literal,
  optionLetters,
  text,
} from './spec.ts'
import { urlDecode } from './url-decode.ts'

export const hmacFunctions: readonly FunctionSpec[] = [
  {
    name: 'is_timed_hmac_valid_v0',
    parameters: [
      literal(text),
      either(text),
      literal(integer),
      either(integer),
      literal(integer),
      literal(text),
    ],
    optional: 2,
    result: giving('Bool'),
    bind: bindTimedHmac,
  },
]

function bindTimedHmac([key, , ttl, , separator, flags]: readonly Given[]): Apply | Complaint {
  const separatorLength = Number(separator?.literal ?? 0)
  if (separatorLength < 0) return { index: 4, reason: 'the length of the separator must not be negative' }
  const letters = optionLetters(flags?.literal, 's')
  if (letters === undefined) return { index: 5, reason: 'the only flag is "s"' }
  const secret = key!.literal as string
  const seconds = Number(ttl!.literal)
  return (_key, messageMac, rest) => {
    const signed = readSigned(messageMac as string, separatorLength, letters === 's')
    if (signed === undefined || !((rest[1] as number) < Number(signed.timestamp) + seconds)) return false
    return isSame(hmacSha256(secret, signed.message + signed.timestamp), signed.mac)
  }
}

interface Signed {
  readonly message: string
  readonly timestamp: string
  readonly mac: string
}

const timestampLength = 10
/** 32 bytes in Base64 without padding. */
const macLength = 43

/**
 * `message separator timestamp - mac`; the mac is Base64, either standard and URL-encoded or URL-safe without padding.
 * @source rules-language is_timed_hmac_valid_v0
 */
function readSigned(text: string, separatorLength: number, urlSafe: boolean): Signed | undefined {
  // A URL-safe mac may have dashes itself, but it has a known length.
  const dash = urlSafe ? text.length - macLength - 1 : text.lastIndexOf('-')
  const start = dash - timestampLength
  const end = start - separatorLength
  if (end < 0 || text[dash] !== '-') return undefined
  for (let at = start; at < dash; at++) if (!isDigit(text.charCodeAt(at))) return undefined
  const shown = text.slice(dash + 1)
  const mac = urlSafe ? decodeBase64(shown, 'url') : decodeBase64(percentDecoded(shown), 'standard')
  return mac === undefined
    ? undefined
    : { message: text.slice(0, end), timestamp: text.slice(start, dash), mac }
}

/** A plus is a letter of the alphabet here, so it stays. */
function percentDecoded(shown: string): string {
  return urlDecode(shown.replaceAll('+', '%2B'), false, false)
}

/** Takes the same time for any first difference. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}
