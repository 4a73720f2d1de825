import type { ManagedExecution, PlanPhase, PlanRule } from '../../rulesets/plan/plan.ts'
import type { Interruption, Steps, Transaction } from '../../waf/types.ts'
import type { Inspection } from '../exchange/decisions.ts'
import type { RequestState } from '../exchange/request-state.ts'
import type { Excepted } from '../exchange/skips.ts'
import { inSlices, type Slices } from '../exchange/slices.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { ClientBodyError } from '../message/body-source.ts'
import type { HeaderLines } from '../message/headers.ts'
import type { InspectionContext } from '../phases/context.ts'
import { ResponseInspectionError } from '../phases/response-head.ts'
import { runPhase } from '../phases/run-phase.ts'
import { engineFailed } from './incomplete.ts'
import { beginInspection, bodyTaker, conclude } from './inspect-request.ts'

/** The response phases of one request, and their verdict before the request is forwarded. */
export interface ResponseInspection {
  /** Undefined when no response rule applies; then the response is never held back. */
  readonly inspector: ResponseInspector | undefined
  readonly verdict: Verdict
}

/**
 * Prepares the response phases before the request is forwarded. Managed rulesets run their request phases here too, because
 * response rules may read those results. They see the part of the request body that was read for the request rules. A
 * phase whose expressions read the response runs when the response arrives.
 */
export async function responseInspection(
  phase: PlanPhase,
  context: InspectionContext,
): Promise<ResponseInspection> {
  if (asksAboutAnswer(phase, context.state))
    return { inspector: new ResponseInspector(context, [], phase), verdict: undefined }
  const inspections: Inspection[] = []
  const verdict = await beginAll(context, phase, inspections)
  if (verdict !== undefined) return { inspector: undefined, verdict }
  if (inspections.length === 0) return nothingToInspect
  return { inspector: new ResponseInspector(context, inspections, undefined), verdict: undefined }
}

/** @returns whether the value of an expression depends on the response. Stops at the first such expression. */
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

/** @param begun receives the inspections, except those whose engine failed */
function beginAll(context: InspectionContext, phase: PlanPhase, begun: Inspection[]): Promise<Verdict> {
  return runPhase(context, phase, (_context, rule, execution, excepted) =>
    begin(context, rule, execution, excepted, begun),
  )
}

/** No response rule applies. */
export const nothingToInspect: ResponseInspection = { inspector: undefined, verdict: undefined }

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
    if (error instanceof ClientBodyError) throw error
    return engineFailed(context, run, inspection, error)
  }
}

/** Their interruptions are ignored: the request rules decide about the request. */
async function requestPhases(context: InspectionContext, transaction: Transaction): Promise<void> {
  await inSlices(transaction.requestHeaders(), context.facts, context.decisions)
  let complete = true
  if (transaction.wantsRequestBody && context.body !== undefined) {
    const { bytesMax, take } = bodyTaker(context, transaction)
    complete = await context.body.readAgain(bytesMax, take)
  }
  await inSlices(transaction.requestBody(complete), context.facts, context.decisions)
}

/**
 * Inspects one response. Its methods throw, or their promises reject with, `ResponseInspectionError`, or `ClientBodyError`
 * when the client has left.
 */
export class ResponseInspector {
  readonly #context: InspectionContext
  readonly #inspections: Inspection[]
  /** A phase that runs when the response arrives. */
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
      throw error instanceof ClientBodyError ? error : new ResponseInspectionError(error)
    }
    return this.#responseHeaders(status, headers)
  }

  #responseHeaders(status: number, headers: HeaderLines): Verdict | Promise<Verdict> {
    return inSlices(
      this.#phase(false, transaction => transaction.responseHeaders(status, 'HTTP/1.1', headers)),
      this.#context.facts,
      this.#context.decisions,
    )
  }

  get wantsBody(): boolean {
    if (this.#context.facts.isGrpc) return false
    return this.#inspections.some(({ broken, transaction }) => !broken && transaction.wantsResponseBody)
  }

  /** Called once, with an empty body when none is wanted. */
  body(bytes: Uint8Array, complete: boolean): Verdict | Promise<Verdict> {
    if (!complete) this.#context.decisions.partial = true
    return inSlices(
      this.#phase(true, transaction =>
        transaction.wantsResponseBody
          ? transaction.responseBody(bytes, complete)
          : transaction.responseBody(nothing, true),
      ),
      this.#context.facts,
      this.#context.decisions,
    )
  }

  /** Runs one phase of every run until the first verdict. */
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
