import type { Entry } from '../variables/entry.ts'
import type { Variable } from '../variables/state.ts'

/**
 * Values that the memo must not keep beyond their request: possible credentials by name or form, and values that may
 * contain one, such as addresses and whole bodies.
 */
export function isSecret({ name }: Variable, entry: Entry): boolean {
  switch (name) {
    case 'REQUEST_HEADERS':
      return !ordinaryHeaders.has(entry.folded) && mayBeCredential(entry)
    case 'REQUEST_COOKIES':
    case 'ARGS':
    case 'ARGS_GET':
    case 'ARGS_POST':
      return mayBeCredential(entry)
    default:
      return carriers.has(name)
  }
}

function mayBeCredential({ folded, value }: Entry): boolean {
  return looksLikeToken(value) || namesSecret(folded)
}

/** By name, for names that were seen: the search takes longer than the rest of the memo. */
const secretNames = new Map<string, boolean>()
const secretNamesKept = 1000
const keptNameBytes = 64

function namesSecret(name: string): boolean {
  const known = secretNames.get(name)
  if (known !== undefined) return known
  const isSecret = secretWords.some(word => name.includes(word))
  if (secretNames.size >= secretNamesKept) secretNames.clear()
  if (name.length <= keptNameBytes) secretNames.set(name, isSecret)
  return isSecret
}

/** Long, and one word. */
function looksLikeToken(value: string): boolean {
  return value.length >= shortestTokenBytes && !value.includes(' ')
}

const shortestTokenBytes = 16

/** Headers in which long words describe the browser and its preferences. */
const ordinaryHeaders: ReadonlySet<string> = new Set(
  `accept accept-encoding accept-language cache-control connection content-length content-type dnt host origin pragma
   priority sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user te
   upgrade-insecure-requests user-agent via x-forwarded-for x-forwarded-host x-forwarded-proto`.split(/\s+/),
)

/** In names of headers, cookies and arguments. */
const secretWords =
  `sess sid auth token pass pwd pw secret key jwt csrf xsrf otp pin code credit card cvv iban ssn
  cookie remember connect. referer`.split(/\s+/)

/** Variables that contain arguments with unexamined names, or addresses that may be secret themselves. */
const carriers: ReadonlySet<string> = new Set([
  'REQUEST_BODY',
  'QUERY_STRING',
  'REQUEST_LINE',
  'REQUEST_URI',
  'REQUEST_URI_RAW',
  'REQUEST_FILENAME',
  'REQUEST_BASENAME',
  'RESPONSE_BODY',
  'RESPONSE_HEADERS',
  'XML',
])
