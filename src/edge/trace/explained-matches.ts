import { nextTurn } from '../../kit/turns.ts'
import type { TracedCondition, TracedValue, TraceRequest } from '../../model/request-trace.ts'
import type { ExplainedLink, ExplainedValue, ShownValue } from '../../waf/index.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { Inspection } from '../exchange/decisions.ts'
import { inSlices } from '../exchange/slices.ts'
import { edgeTraceLimits } from './limits.ts'
import type { Begun } from './traced-plan.ts'

/** Index of a matched rule → its conditions, each with the values that it matched. */
export type Explained = ReadonlyMap<number, readonly TracedCondition[]>

/** Repeats each run under observation. Long bodies are not repeated, because no part of them would be skipped. */
export async function explainMatches(
  { deps, limits }: EdgeCore,
  inspections: readonly Inspection[],
  begun: Begun,
  { body }: TraceRequest,
): Promise<ReadonlyMap<Inspection, Explained>> {
  const explained = new Map<Inspection, Explained>()
  if (body.length > edgeTraceLimits.explainedBodyBytesMax) return explained
  for (const inspection of inspections) {
    const { transaction, side, broken } = inspection
    const run = begun.get(transaction)
    if (run === undefined || broken || side === 'response' || transaction.matches.length === 0) continue
    const { program, request, mask, exceptions } = run
    const bytesMax = Math.min(limits.inspectedBodyBytesMax, transaction.requestBodyBytesMax)
    const input = { request, body, bodyComplete: body.length <= bytesMax }
    // All rules run without shortcuts, so even a short run gets its own slice.
    await nextTurn()
    const { matches } = await inSlices(deps.explain(program, input, mask, { exceptions }))
    explained.set(inspection, new Map(matches.map(({ rule, links }) => [rule.index, links.map(condition)])))
  }
  return explained
}

function condition({ operator, parameter, values }: ExplainedLink): TracedCondition {
  return {
    operator,
    parameter: textOf(parameter),
    values: values.slice(0, edgeTraceLimits.valuesMax).map(tracedValue),
  }
}

function tracedValue({ target, original, steps, found }: ExplainedValue): TracedValue {
  return {
    target,
    original: textOf(original),
    steps: steps
      .filter(({ changed }) => changed)
      .map(({ transformation, value }) => ({ transformation, value: textOf(value) })),
    found: found[0] === undefined ? '' : textOf(found[0]),
  }
}

function textOf({ text, cut }: ShownValue): string {
  return cut ? `${text}…` : text
}
