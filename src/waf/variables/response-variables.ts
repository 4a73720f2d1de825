import { lowercase } from '../transformations/case.ts'
import { EntryList } from './collection.ts'
import { collection, flag, names, single, type VariableTable } from './declare.ts'
import { headerValue, separateHeaders } from './headers.ts'
import type { HeaderLines, TransactionState } from './state.ts'

/** Variables of the response: known from phase 3 on, the body from phase 4 on. */
export const responseVariables: VariableTable = {
  /** Also of a response that a rule asks for, so it may change between two phases. */
  RESPONSE_STATUS: single('always', state => state.refusedWith ?? state.response?.status),
  RESPONSE_PROTOCOL: single('response', state => state.response?.protocol),
  RESPONSE_HEADERS: collection('response', state => new EntryList(separateHeaders(headersOf(state)))),
  RESPONSE_HEADERS_NAMES: names('response', state => separateHeaders(headersOf(state))),
  RESPONSE_CONTENT_TYPE: single('response', state => mediaType(headersOf(state))),
  RESPONSE_CONTENT_LENGTH: single('always', contentLength),
  RESPONSE_BODY: single('response-body', state => state.response?.body, 'response-body'),
  OUTBOUND_DATA_ERROR: flag('response-body', state => state.response?.cut === true, 'response-body'),
}

/** The media type of `Content-Type`, lower case, without parameters; empty without the header. */
export function mediaType(headers: HeaderLines): string {
  const value = headerValue(headers, 'content-type')
  const semicolon = value.indexOf(';')
  return lowercase(semicolon < 0 ? value : value.slice(0, semicolon)).trim()
}

function headersOf(state: TransactionState): HeaderLines {
  return state.response?.headers ?? []
}

/** Bytes of the body as far as it was read, else the header's number. */
function contentLength(state: TransactionState): string {
  const body = state.response?.body
  return body === undefined ? headerValue(headersOf(state), 'content-length') : String(body.length)
}
