import type { Entry } from '../variables/entry.ts'
import type { Variable } from '../variables/state.ts'

/**
 * Values that are not kept beyond their request: credentials, and cookies and arguments whose name says that they are
 * some. The header Cookie holds the latter.
 */
export function isSecret({ name }: Variable, entry: Entry): boolean {
  switch (name) {
    case 'REQUEST_HEADERS':
      return secretHeaders.has(entry.folded)
    case 'REQUEST_COOKIES':
    case 'ARGS':
    case 'ARGS_GET':
    case 'ARGS_POST':
      return secretWords.some(word => entry.folded.includes(word))
    default:
      return carriers.has(name)
  }
}

const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
])
const secretWords = [
  'sess',
  'sid',
  'auth',
  'token',
  'pass',
  'pwd',
  'secret',
  'key',
  'jwt',
  'csrf',
  'xsrf',
  'otp',
  'pin',
]
/** They hold arguments whose names are not looked at. */
const carriers: ReadonlySet<string> = new Set([
  'REQUEST_BODY',
  'QUERY_STRING',
  'REQUEST_LINE',
  'REQUEST_URI',
  'REQUEST_URI_RAW',
  'XML',
])
