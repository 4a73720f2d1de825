import type { ManagedExecution, PlanRule, ZonePlan } from '../rulesets/plan.ts'
import type { HeaderLines } from './headers.ts'
import { type InspectionContext, interrupt, judge, wafRequest } from './inspect-request.ts'
import type { Inspection } from './ledger.ts'
import type { Verdict } from './verdict.ts'

/**
 * The response phases of one request. Made before the origin is asked; undefined when no response rule applies, and
 * then nothing of the answer is ever held back.
 * @param requestBody the inspected part of the request's body, as far as it was read
 */
export function responseInspector(
  plan: ZonePlan,
  context: InspectionContext,
  requestBody: { readonly bytes: Uint8Array; readonly complete: boolean },
): ResponseInspector | undefined {
  if (plan.response.length === 0) return undefined
  const inspections: Inspection[] = []
  for (const rule of plan.response) {
    if (rule.effect.kind === 'execute' && rule.matches(context.request))
      inspections.push(beginInspection(context, rule, rule.effect, requestBody))
  }
  return inspections.length === 0 ? undefined : new ResponseInspector(context, inspections)
}

/** Runs the request phases as well: response rules may ask what they found. */
function beginInspection(
  context: InspectionContext,
  rule: PlanRule,
  execution: ManagedExecution,
  requestBody: { readonly bytes: Uint8Array; readonly complete: boolean },
): Inspection {
  const transaction = execution.program.begin(wafRequest(context), execution.mask)
  transaction.requestHeaders()
  transaction.requestBody(requestBody.bytes, requestBody.complete)
  const inspection: Inspection = { rule, execution, transaction, side: 'response' }
  context.ledger.inspections.push(inspection)
  return inspection
}

/** A mistake of ours while looking at an answer; not the origin's fault. */
export class ResponseInspectionError extends Error {
  constructor(cause: unknown) {
    super('the answer could not be checked', { cause })
    this.name = 'ResponseInspectionError'
  }
}

/** Its methods throw `ResponseInspectionError` and nothing else. */
export class ResponseInspector {
  readonly #context: InspectionContext
  readonly #inspections: readonly Inspection[]

  constructor(context: InspectionContext, inspections: readonly Inspection[]) {
    this.#context = context
    this.#inspections = inspections
  }

  head(status: number, headers: HeaderLines): Verdict {
    return guarded(() => this.#head(status, headers))
  }

  #head(status: number, headers: HeaderLines): Verdict {
    for (const inspection of this.#inspections) {
      const asked = inspection.transaction.responseHeaders(status, 'HTTP/1.1', headers)
      const verdict = asked && interrupt(this.#context, inspection, asked)
      if (verdict !== undefined) return verdict
    }
    return undefined
  }

  get wantsBody(): boolean {
    return this.#inspections.some(inspection => inspection.transaction.wantsResponseBody)
  }

  /** Called once, with an empty body when none is wanted. */
  body(bytes: Uint8Array, complete: boolean): Verdict {
    return guarded(() => this.#body(bytes, complete))
  }

  #body(bytes: Uint8Array, complete: boolean): Verdict {
    if (!complete) this.#context.ledger.partial = true
    for (const inspection of this.#inspections) {
      const { transaction } = inspection
      const asked = transaction.wantsResponseBody
        ? transaction.responseBody(bytes, complete)
        : transaction.responseBody(nothing, true)
      const verdict =
        asked === undefined ? judge(this.#context, inspection) : interrupt(this.#context, inspection, asked)
      if (verdict !== undefined) return verdict
    }
    return undefined
  }
}

function guarded(inspect: () => Verdict): Verdict {
  try {
    return inspect()
  } catch (error) {
    throw new ResponseInspectionError(error)
  }
}

const nothing = new Uint8Array(0)
