import { type Random, randomFrom } from '../../regex/testing/patterns.ts'
import type { Exception, Interruption, Observer, Program, RuleMask, Steps, Transaction } from '../types.ts'
import { type TestRequest, wafRequest } from './requests.ts'

/** For tests that compare two executions with the same outcome. */

export { type Random, randomFrom }

/** Everything of a transaction that its caller can see. */
export interface Outcome {
  readonly matches: readonly string[]
  readonly interruption: Interruption | undefined
  readonly requestScore: number
  readonly responseScore: number
  readonly wants: readonly boolean[]
  readonly overBudget: boolean
}

type Phase = 1 | 2 | 3 | 4 | 5

export interface Execution {
  readonly mask?: RuleMask
  readonly exceptions?: readonly Exception[]
  /** Whether every rule runs on every value. */
  readonly exact?: boolean
  /** The phases that the caller runs. */
  readonly phases?: readonly Phase[]
  /** Byte offsets where the body is cut into parts. */
  readonly cuts?: readonly number[]
}

/** Records nothing, but makes every rule run. */
export const noObserver: Observer = {
  tested: () => {},
  nothingToTest: () => {},
  excluded: () => {},
  ran: () => {},
  skipped: () => {},
  ended: () => {},
}

export function outcomeOf(program: Program, request: TestRequest, execution: Execution = {}): Outcome {
  const steps = inSteps(program, request, execution)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same, paused wherever the engine pauses. */
export function* inSteps(
  program: Program,
  request: TestRequest,
  {
    mask = program.mask(() => false),
    exceptions = [],
    exact = false,
    phases = allPhases,
    cuts = [],
  }: Execution = {},
): Generator<void, Outcome, void> {
  const given = wafRequest(request)
  const transaction = exact
    ? program.observe(given, mask, noObserver)
    : program.begin(given, mask, exceptions)
  const wants: boolean[] = []
  let interruption: Interruption | undefined
  for (const phase of phases) {
    if (interruption !== undefined && phase !== 5) continue
    const stopped = yield* runPhase(phase, transaction, request, cuts, wants)
    interruption ??= stopped
  }
  const { matches, requestScore, responseScore, overBudget } = transaction
  return { matches: matches.map(shown), interruption, requestScore, responseScore, wants, overBudget }
}

const allPhases = [1, 2, 3, 4, 5] as const

function runPhase(
  phase: Phase,
  transaction: Transaction,
  request: TestRequest,
  cuts: readonly number[],
  wants: boolean[],
): Steps {
  const { status = 200, headers = [['Content-Type', 'text/html']], body = '' } = request.response ?? {}
  switch (phase) {
    case 1:
      return transaction.requestHeaders()
    case 2:
      wants.push(transaction.wantsRequestBody)
      for (const part of partsOf(request.body ?? '', cuts)) transaction.addRequestBody(part)
      return transaction.requestBody(request.complete ?? true)
    case 3:
      return transaction.responseHeaders(status, 'HTTP/1.1', headers)
    case 4:
      wants.push(transaction.wantsResponseBody)
      return transaction.responseBody(Buffer.from(body, 'latin1'), true)
    case 5:
      return transaction.logging()
  }
}

/** The parts in one array that the next part overwrites: a reader must not keep it. */
function* partsOf(body: string, cuts: readonly number[]): Generator<Uint8Array> {
  const shared = new Uint8Array(body.length)
  const ends = [...cuts.filter(cut => cut <= body.length).sort((a, b) => a - b), body.length]
  let from = 0
  for (const end of ends) {
    const length = shared.subarray(0, end - from).length
    shared.fill(0x21)
    Buffer.from(body.slice(from, end), 'latin1').copy(shared)
    yield shared.subarray(0, length)
    from = end
  }
}

function shown({ rule, target, value, message, data }: Transaction['matches'][number]): string {
  return JSON.stringify([rule.id, target, value, message, data])
}
