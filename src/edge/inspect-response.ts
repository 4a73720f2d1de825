import type { ManagedExecution, PlanPhase, PlanRule } from '../rulesets/plan.ts'
import type { Interruption, Steps, Transaction } from '../waf/types.ts'
import type { HeaderLines } from './headers.ts'
import { engineFailed } from './incomplete.ts'
import { beginInspection, bodyTaker, conclude } from './inspect-request.ts'
import type { Inspection } from './ledger.ts'
import type { InspectionContext } from './phases/context.ts'
import { runPhase } from './phases/run-phase.ts'
import type { Excepted } from './phases/skips.ts'
import type { RequestState } from './request-state.ts'
import { inSlices, type Slices } from './slices.ts'
import type { Verdict } from './verdict.ts'

/** The response phases of one request, and what the rules want done before the origin is asked. */
export interface ResponseInspection {
  /** Undefined when no response rule applies; then nothing of the answer is ever held back. */
  readonly inspector: ResponseInspector | undefined
  readonly verdict: Verdict
}

/**
 * Made before the origin is asked. Runs the phase, and for its managed rulesets the request phases as well: response
 * rules may ask what they found. Of the request's body they see what was read for its own rules. A phase whose
 * expressions ask about the answer is run when that is there.
 */
export async function responseInspection(
  phase: PlanPhase | undefined,
  context: InspectionContext,
): Promise<ResponseInspection> {
  if (phase === undefined) return nothingToInspect
  if (asksAboutAnswer(phase, context.exchange.state))
    return { inspector: new ResponseInspector(context, [], phase), verdict: undefined }
  const inspections: Inspection[] = []
  const verdict = await beginAll(context, phase, inspections)
  if (verdict !== undefined) return { inspector: undefined, verdict }
  if (inspections.length === 0) return nothingToInspect
  return { inspector: new ResponseInspector(context, inspections, undefined), verdict: undefined }
}

/** Whether the value of an expression may be another one when the answer is there. Stops at the first. */
function asksAboutAnswer({ rulesets }: Pick<PlanPhase, 'rulesets'>, state: RequestState): boolean {
  for (const { rules } of rulesets) {
    for (const { matches, effect } of rules) {
      state.askedTooEarly = false
      matches(state)
      if (state.askedTooEarly) return true
      if (effect.kind === 'execute-custom' && asksAboutAnswer({ rulesets: [effect.ruleset] }, state))
        return true
    }
  }
  return false
}

/** @param begun gets the inspections, but for those where the engine failed */
function beginAll(context: InspectionContext, phase: PlanPhase, begun: Inspection[]): Promise<Verdict> {
  return runPhase(context, phase, (_context, rule, execution, excepted) =>
    begin(context, rule, execution, excepted, begun),
  )
}

const nothingToInspect: ResponseInspection = { inspector: undefined, verdict: undefined }

async function begin(
  context: InspectionContext,
  rule: PlanRule,
  execution: ManagedExecution,
  excepted: Excepted,
  begun: Inspection[],
): Promise<Verdict> {
  const run = { rule, execution, acts: execution.acts && !excepted.lastRule }
  let inspection: Inspection | undefined
  try {
    inspection = beginInspection(context, run, excepted, 'response')
    await requestPhases(context, inspection.transaction)
    begun.push(inspection)
    return undefined
  } catch (error) {
    return engineFailed(context, run, inspection, error)
  }
}

/** What they ask for is the request rules' business. */
async function requestPhases(context: InspectionContext, transaction: Transaction): Promise<void> {
  await inSlices(transaction.requestHeaders())
  let complete = true
  if (transaction.wantsRequestBody && context.body !== undefined) {
    const { bytesMax, take } = bodyTaker(context, transaction)
    complete = await context.body.readAgain(bytesMax, take)
  }
  await inSlices(transaction.requestBody(complete))
}

/** A mistake of ours while looking at an answer; not the origin's fault. */
export class ResponseInspectionError extends Error {
  constructor(cause: unknown) {
    super('the answer could not be checked', { cause })
    this.name = 'ResponseInspectionError'
  }
}

/** Its methods throw, and their promises reject with, `ResponseInspectionError` and nothing else. */
export class ResponseInspector {
  readonly #context: InspectionContext
  readonly #inspections: Inspection[]
  /** Is run when the answer is there. */
  readonly #later: PlanPhase | undefined

  constructor(context: InspectionContext, inspections: Inspection[], later: PlanPhase | undefined) {
    this.#context = context
    this.#inspections = inspections
    this.#later = later
  }

  head(status: number, headers: HeaderLines): Verdict | Promise<Verdict> {
    return this.#later === undefined
      ? this.#responseHeaders(status, headers)
      : this.#beginAndHead(this.#later, status, headers)
  }

  async #beginAndHead(phase: PlanPhase, status: number, headers: HeaderLines): Promise<Verdict> {
    try {
      const verdict = await beginAll(this.#context, phase, this.#inspections)
      if (verdict !== undefined) return verdict
    } catch (error) {
      throw new ResponseInspectionError(error)
    }
    return this.#responseHeaders(status, headers)
  }

  #responseHeaders(status: number, headers: HeaderLines): Verdict | Promise<Verdict> {
    return inSlices(
      this.#phase(false, transaction => transaction.responseHeaders(status, 'HTTP/1.1', headers)),
    )
  }

  get wantsBody(): boolean {
    return this.#inspections.some(({ broken, transaction }) => !broken && transaction.wantsResponseBody)
  }

  /** Called once, with an empty body when none is wanted. */
  body(bytes: Uint8Array, complete: boolean): Verdict | Promise<Verdict> {
    if (!complete) this.#context.exchange.ledger.partial = true
    return inSlices(
      this.#phase(true, transaction =>
        transaction.wantsResponseBody
          ? transaction.responseBody(bytes, complete)
          : transaction.responseBody(nothing, true),
      ),
    )
  }

  /** One phase of every run, up to the first verdict. */
  *#phase(last: boolean, stepsOf: (transaction: Transaction) => Steps): Slices<Verdict> {
    try {
      for (const inspection of this.#inspections) {
        if (inspection.broken) continue
        let asked: Interruption | undefined
        try {
          asked = yield* stepsOf(inspection.transaction)
        } catch (error) {
          const verdict = engineFailed(this.#context, inspection, inspection, error)
          if (verdict !== undefined) return verdict
          continue
        }
        const verdict = last || asked !== undefined ? conclude(this.#context, inspection, asked) : undefined
        if (verdict !== undefined) return verdict
      }
      return undefined
    } catch (error) {
      throw new ResponseInspectionError(error)
    }
  }
}

const nothing = new Uint8Array(0)
