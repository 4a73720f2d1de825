import type { PlanPhase, PlanRuleset, ZonePlan } from '../../rulesets/plan.ts'
import type { EdgeCore } from '../core.ts'
import type { Exchange } from '../exchange.ts'
import type { HeaderLines } from '../headers.ts'
import { notEvaluated } from '../incomplete.ts'
import { countAtResponse } from '../rate-limit.ts'
import { changedHeaders, HeaderChanges } from './header-changes.ts'

/** The head of an answer, the origin's or the edge's own. */
export interface AnswerHead {
  readonly status: number
  /** As they would go to the client. */
  readonly headers: HeaderLines
  /** As the origin sent them; of the edge's own answers the same as `headers`. */
  readonly rawHeaders: HeaderLines
  /** Why the edge answers itself; empty for an origin's answer. */
  readonly errorType: string
}

/**
 * Shows the head of an answer to the rules: header transforms first, then those that count answers.
 * @returns the headers for the client
 * @throws what an expression throws, which is a mistake of ours; from then on headers come back as they are
 */
export function transformedHeaders(core: EdgeCore, exchange: Exchange, head: AnswerHead): HeaderLines {
  const { plan } = exchange
  if (plan === undefined || exchange.headRulesFailed || !isAskedAbout(plan, exchange)) return head.headers
  try {
    show(core, exchange, head)
    if (plan.responseHeaders !== undefined) transform(core, exchange, plan.responseHeaders, head.headers)
    if (!exchange.responseCounted) {
      exchange.responseCounted = true
      countAtResponse(core, exchange)
    }
    return exchange.state.response!.headers
  } catch (error) {
    exchange.headRulesFailed = true
    throw error
  }
}

function isAskedAbout({ responseHeaders, response }: ZonePlan, { pendingCounts }: Exchange): boolean {
  return responseHeaders !== undefined || response !== undefined || pendingCounts !== undefined
}

function show(core: EdgeCore, { state, origin, startedMs }: Exchange, head: AnswerHead): void {
  const originFirstByteMs = origin?.headMs === undefined ? 0 : origin.headMs - origin.startedMs
  state.setResponse({
    ...head,
    edgeMs: Math.max(0, core.deps.clock.nowMs() - startedMs - originFirstByteMs),
    originFirstByteMs,
  })
}

function transform(core: EdgeCore, exchange: Exchange, phase: PlanPhase, lines: HeaderLines): void {
  const { state, skips } = exchange
  const changes = new HeaderChanges('response', core.limits.rewrittenBytesMax)
  const collect = ({ rules }: PlanRuleset): void => {
    for (const rule of rules) {
      const { effect } = rule
      try {
        if (!rule.matches(state)) continue
        if (effect.kind === 'rewrite-headers') changes.collect(effect, state)
        else if (effect.kind === 'execute-custom') collect(effect.ruleset)
      } catch (error) {
        notEvaluated(core, exchange, rule, error)
      }
    }
  }
  for (const ruleset of phase.rulesets) {
    if (!skips.skipsPhase(ruleset.kind === 'root' ? 'account' : 'zone', phase.phase)) collect(ruleset)
  }
  state.setResponseHeaders(changedHeaders(lines, changes.list))
}
