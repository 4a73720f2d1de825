import { type Program, type RuleMask, type Transaction, toEnd } from '../../src/waf/index.ts'
import type { SampleRequest } from './sample-request.ts'

/** The phases of the request and of logging, without a pause. */
export function inspectRequest(
  program: Program,
  mask: RuleMask,
  { request, body }: SampleRequest,
): Transaction {
  const transaction = program.begin(request, mask)
  toEnd(transaction.requestHeaders())
  transaction.addRequestBody(body)
  toEnd(transaction.requestBody(true))
  toEnd(transaction.logging())
  return transaction
}

/** All five phases; the response is an empty 200. */
export function inspectExchange(
  program: Program,
  mask: RuleMask,
  { request, body }: SampleRequest,
): Transaction {
  const transaction = program.begin(request, mask)
  toEnd(transaction.requestHeaders())
  transaction.addRequestBody(body)
  toEnd(transaction.requestBody(true))
  toEnd(transaction.responseHeaders(200, 'HTTP/1.1', emptyAnswer))
  toEnd(transaction.responseBody(new Uint8Array(0), true))
  toEnd(transaction.logging())
  return transaction
}

const emptyAnswer = [
  ['Content-Type', 'text/plain'],
  ['Content-Length', '0'],
] as const
