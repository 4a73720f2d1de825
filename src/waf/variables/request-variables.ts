import { EntryList, emptyCollection } from './collection.ts'
import type { VariableTable } from './declare.ts'
import { collection, names, single } from './declare.ts'
import { headerValue } from './headers.ts'
import type { TransactionState } from './state.ts'

/**
 * Variables of the request line, the headers and the connection: known from phase 1 on. The path changes after phase 1,
 * when the body is there as well.
 */
export const requestVariables: VariableTable = {
  REQUEST_METHOD: single('request', state => state.request.method),
  REQUEST_PROTOCOL: single('request', state => state.request.protocol),
  REQUEST_LINE: single('request', requestLine),
  REQUEST_URI: single('body', state => state.path.uri),
  REQUEST_URI_RAW: single('request', state => state.request.target),
  REQUEST_FILENAME: single('body', state => state.path.path),
  REQUEST_BASENAME: single('body', state => state.path.basename),
  QUERY_STRING: single('request', state => state.query),
  REQUEST_HEADERS: collection('request', state => new EntryList(state.requestHeaders)),
  REQUEST_HEADERS_NAMES: names('request', state => state.requestHeaders),
  REQUEST_COOKIES: collection('request', state => new EntryList(state.cookies)),
  REQUEST_COOKIES_NAMES: names('request', state => state.cookies),
  REMOTE_ADDR: single('request', state => state.request.clientIp),
  REMOTE_HOST: single('request', state => state.request.clientIp),
  USERAGENT_IP: single('request', state => state.request.clientIp),
  REMOTE_PORT: single('request', state => String(state.request.clientPort)),
  SERVER_PORT: single('request', state => String(state.request.serverPort)),
  SERVER_NAME: single('request', state => hostName(headerValue(state.request.headers, 'host'))),
  AUTH_TYPE: single('request', authType),
  UNIQUE_ID: single('request', state => state.request.uniqueId),
  /** This module has no location database: `@geoLookup` never matches. */
  GEO: collection('request', () => emptyCollection),
}

function requestLine(state: TransactionState): string {
  const { method, target, protocol } = state.request
  return protocol === '' ? `${method} ${target}` : `${method} ${target} ${protocol}`
}

/** Without the port. */
function hostName(host: string): string {
  const colon = host.lastIndexOf(':')
  return colon > host.lastIndexOf(']') ? host.slice(0, colon) : host
}

/** `Basic`, `Bearer`, …: the first word of Authorization. */
function authType(state: TransactionState): string {
  const value = headerValue(state.request.headers, 'authorization')
  const blank = value.indexOf(' ')
  return blank < 0 ? value : value.slice(0, blank)
}
