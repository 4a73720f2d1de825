import assert from 'node:assert/strict'
import { formatDiagnostic } from '../../kit/diagnostic.ts'
import { compile } from '../compile/compile.ts'
import { toEnd } from '../steps.ts'
import type { CompileOptions, Interruption, Program, Transaction, WafRequest } from '../types.ts'

/** For tests of this module: small programs and whole requests in one call. */

export interface TestRequest {
  readonly method?: string
  readonly target?: string
  readonly protocol?: string
  readonly headers?: readonly (readonly [string, string])[]
  /** Byte string. */
  readonly body?: string
  readonly complete?: boolean
  readonly clientIp?: string
  readonly startedMs?: number
  readonly response?: TestResponse
}

interface TestResponse {
  readonly status?: number
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
}

interface TestResult {
  readonly transaction: Transaction
  readonly interruption: Interruption | undefined
  /** `id message` of each match, the message only if there is one. */
  readonly matched: readonly string[]
}

export function program(rules: string, options: Partial<CompileOptions> = {}): Program {
  const outcome = compile([{ name: 'test.conf', text: rules }], { readData: () => undefined, ...options })
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.diagnostics.map(formatDiagnostic).join('\n'))
  return outcome.value
}

/** Runs all five phases; the first interruption ends all but logging. */
export function send(to: Program, request: TestRequest = {}, mask = to.mask(() => false)): TestResult {
  const transaction = to.begin(wafRequest(request), mask)
  const { status = 200, headers = [['Content-Type', 'text/html']], body = '' } = request.response ?? {}
  const interruption =
    toEnd(transaction.requestHeaders()) ??
    giveBody(transaction, request) ??
    toEnd(transaction.responseHeaders(status, 'HTTP/1.1', headers)) ??
    toEnd(transaction.responseBody(Buffer.from(body, 'latin1'), true))
  toEnd(transaction.logging())
  const matched = transaction.matches.map(match => `${match.rule.id} ${match.message}`.trim())
  return { transaction, interruption, matched }
}

function giveBody(
  transaction: Transaction,
  { body = '', complete = true }: TestRequest,
): Interruption | undefined {
  transaction.addRequestBody(Buffer.from(body, 'latin1'))
  return toEnd(transaction.requestBody(complete))
}

export function run(
  rules: string,
  request: TestRequest = {},
  options: Partial<CompileOptions> = {},
): TestResult {
  return send(program(rules, options), request)
}

export function wafRequest(request: TestRequest): WafRequest {
  return {
    clientIp: request.clientIp ?? '192.0.2.1',
    clientPort: 40000,
    serverPort: 8080,
    method: request.method ?? 'GET',
    target: request.target ?? '/',
    protocol: request.protocol ?? 'HTTP/1.1',
    headers: request.headers ?? [['Host', 'example.com']],
    uniqueId: 'unique',
    startedMs: request.startedMs ?? 1_000_000,
  }
}
