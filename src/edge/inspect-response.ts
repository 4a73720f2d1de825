import type { ManagedExecution, PlanRule, ZonePlan } from '../rulesets/plan.ts'
import type { Interruption, Steps, Transaction } from '../waf/types.ts'
import type { HeaderLines } from './headers.ts'
import { engineFailed } from './incomplete.ts'
import { beginInspection, bodyTaker, conclude, type InspectionContext } from './inspect-request.ts'
import type { Inspection } from './ledger.ts'
import { inSlices, type Slices } from './slices.ts'
import type { Verdict } from './verdict.ts'

/** The response phases of one request, and what the rules want done before the origin is asked. */
export interface ResponseInspection {
  /** Undefined when no response rule applies; then nothing of the answer is ever held back. */
  readonly inspector: ResponseInspector | undefined
  readonly verdict: Verdict
}

/**
 * Made before the origin is asked. Runs the request phases as well: response rules may ask what they found. Of the
 * request's body they see what was read for its own rules.
 */
export async function responseInspection(
  plan: ZonePlan,
  context: InspectionContext,
): Promise<ResponseInspection> {
  if (plan.response.length === 0) return nothingToInspect
  const inspections: Inspection[] = []
  for (const rule of plan.response) {
    if (rule.effect.kind !== 'execute' || !rule.matches(context.request)) continue
    const verdict = await begin(context, rule, rule.effect, inspections)
    if (verdict !== undefined) return { inspector: undefined, verdict }
  }
  if (inspections.length === 0) return nothingToInspect
  return { inspector: new ResponseInspector(context, inspections), verdict: undefined }
}

const nothingToInspect: ResponseInspection = { inspector: undefined, verdict: undefined }

/** @param begun gets the inspection, unless the engine failed */
async function begin(
  context: InspectionContext,
  rule: PlanRule,
  execution: ManagedExecution,
  begun: Inspection[],
): Promise<Verdict> {
  let inspection: Inspection | undefined
  try {
    inspection = beginInspection(context, rule, execution, 'response')
    await requestPhases(context, inspection.transaction)
    begun.push(inspection)
    return undefined
  } catch (error) {
    return engineFailed(context, { rule, execution }, inspection, error)
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
  readonly #inspections: readonly Inspection[]

  constructor(context: InspectionContext, inspections: readonly Inspection[]) {
    this.#context = context
    this.#inspections = inspections
  }

  head(status: number, headers: HeaderLines): Verdict | Promise<Verdict> {
    return inSlices(
      this.#phase(false, transaction => transaction.responseHeaders(status, 'HTTP/1.1', headers)),
    )
  }

  get wantsBody(): boolean {
    return this.#inspections.some(({ broken, transaction }) => !broken && transaction.wantsResponseBody)
  }

  /** Called once, with an empty body when none is wanted. */
  body(bytes: Uint8Array, complete: boolean): Verdict | Promise<Verdict> {
    if (!complete) this.#context.ledger.partial = true
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
