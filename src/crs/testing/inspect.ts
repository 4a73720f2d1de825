import { type Interruption, type Program, type RuleMatch, type Transaction, toEnd } from '../../waf/index.ts'

/** For tests of this module: a whole request through a program in one call. Strings are byte strings. */

export interface TestRequest {
  readonly method?: string
  readonly target?: string
  readonly protocol?: string
  /** Added to Host, User-Agent and Accept, or in place of those; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string
  readonly clientIp?: string
  readonly uniqueId?: string
  readonly response?: {
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }
}

export interface Inspected {
  readonly transaction: Transaction
  readonly matches: readonly RuleMatch[]
  /** Ids of the matches, each once, in order. */
  readonly ids: readonly number[]
  readonly interruption: Interruption | undefined
}

export function inspect(program: Program, request: TestRequest): Inspected {
  const usual = { Host: 'shop.example', 'User-Agent': 'Mozilla/5.0', Accept: 'text/html' }
  const headers = Object.entries({ ...usual, ...request.headers }).filter(
    (header): header is [string, string] => header[1] !== undefined,
  )
  const transaction = program.begin(
    {
      clientIp: request.clientIp ?? '192.0.2.1',
      clientPort: 40000,
      serverPort: 80,
      method: request.method ?? 'GET',
      target: request.target ?? '/',
      protocol: request.protocol ?? 'HTTP/1.1',
      headers,
      uniqueId: request.uniqueId ?? 'a1b2c3d4',
      startedMs: 0,
    },
    program.mask(() => false),
  )
  const interruption = requestPhases(transaction, request) ?? responsePhases(transaction, request)
  toEnd(transaction.logging())
  const { matches } = transaction
  return { transaction, matches, ids: matches.map(match => match.rule.id), interruption }
}

function requestPhases(transaction: Transaction, { body = '' }: TestRequest): Interruption | undefined {
  const early = toEnd(transaction.requestHeaders())
  if (early !== undefined) return early
  if (body !== '') transaction.addRequestBody(Buffer.from(body, 'latin1'))
  return toEnd(transaction.requestBody(true))
}

function responsePhases(transaction: Transaction, { response = {} }: TestRequest): Interruption | undefined {
  const { status = 200, headers = { 'Content-Type': 'text/html' }, body = '' } = response
  return (
    toEnd(transaction.responseHeaders(status, 'HTTP/1.1', Object.entries(headers))) ??
    toEnd(transaction.responseBody(Buffer.from(body, 'latin1'), true))
  )
}
