import { assert } from '../../kit/assert.ts'
import { CompiledProgram } from '../program/program.ts'
import { toEnd } from '../steps.ts'
import type { Interruption, Program, ProgramRule, RuleMask, Steps, Transaction } from '../types.ts'
import type { ExplainInput, ExplainOptions, Explanation, NotReached, RuleOutcome } from './explanation.ts'
import { nearestIds } from './nearest-ids.ts'
import { Recorder } from './recorder.ts'

/**
 * Runs the rules over one request and explains the outcome of each. Slow: every rule runs on every value. Persistent
 * variables of the program change as in any request.
 * @param program as `compile` made it
 * @param mask of that program
 */
export function explain(
  program: Program,
  input: ExplainInput,
  mask: RuleMask,
  options: ExplainOptions = {},
): Explanation {
  return toEnd(explainInSlices(program, input, mask, options))
}

/** The same, in slices with pauses in between. */
export function* explainInSlices(
  program: Program,
  input: ExplainInput,
  mask: RuleMask,
  options: ExplainOptions = {},
): Generator<void, Explanation, void> {
  assert(program instanceof CompiledProgram, 'explanations are of compiled programs')
  const recorder = new Recorder(program, options, () => transaction)
  const transaction: Transaction = program.observe(input.request, mask, recorder, options.exceptions)
  const interruption = yield* phasesOf(transaction, input)
  yield* transaction.logging()
  const { requestScore, responseScore, overBudget } = transaction
  const asked = (id: number): RuleOutcome => {
    const rule = program.rules.find(known => known.id === id)
    if (rule === undefined) return { outcome: 'unknown', id, nearest: nearestIds(id, program.rules) }
    if (mask.enabled[rule.index] === 0) return { outcome: 'off', rule }
    return recorder.outcome ?? notReached(rule, recorder, program, { input, interruption, overBudget })
  }
  return {
    interruption,
    requestScore,
    responseScore,
    overBudget,
    matches: recorder.matches,
    asked: options.rule === undefined ? undefined : asked(options.rule),
  }
}

function* phasesOf(transaction: Transaction, input: ExplainInput): Steps {
  const { body, bodyComplete = true, response } = input
  const early = yield* transaction.requestHeaders()
  if (early !== undefined) return early
  if (transaction.wantsRequestBody && body !== undefined) transaction.addRequestBody(body)
  const interruption = yield* transaction.requestBody(bodyComplete)
  if (interruption !== undefined || response === undefined) return interruption
  const atHead = yield* transaction.responseHeaders(response.status, response.protocol, response.headers)
  return atHead ?? (yield* transaction.responseBody(response.body ?? new Uint8Array(0), true))
}

interface Run {
  readonly input: ExplainInput
  readonly interruption: Interruption | undefined
  readonly overBudget: boolean
}

/** Why an enabled rule was neither run nor skipped. */
function notReached(
  rule: ProgramRule,
  { ends }: Recorder,
  program: CompiledProgram,
  { input, interruption, overBudget }: Run,
): RuleOutcome {
  const end = ends.find(
    ({ by, how }) => rule.phase >= by.phase && rule.phase <= lastPhaseOf(by, how, program),
  )
  const why = (): NotReached => {
    if (end !== undefined) return end.how
    if (overBudget) return 'over-budget'
    if (interruption?.ruleId === 0) return 'body-refused'
    return rule.phase >= 3 && rule.phase <= 4 && input.response === undefined ? 'no-response' : 'engine-off'
  }
  return { outcome: 'not-reached', rule, why: why(), by: end?.by }
}

/** The first phase that was not run, or not to its end. */
function lastPhaseOf(
  by: ProgramRule,
  how: Recorder['ends'][number]['how'],
  program: CompiledProgram,
): number {
  if (how === 'switched-off') return 5
  const { verdict } = program.ordered[by.index]!
  if (verdict.kind !== 'allow' || verdict.scope === 'all') return 4
  return verdict.scope === 'phase' ? by.phase : Math.max(2, by.phase)
}
