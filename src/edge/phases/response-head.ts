import type { SecurityHeader, ZoneSettings } from '../../model/zone-settings.ts'
import type { PlanPhase, PlanRuleset, ZonePlan } from '../../rulesets/plan/plan.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { Decisions } from '../exchange/decisions.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import { firstHeader, type HeaderLines } from '../message/headers.ts'
import { changedHeaders, HeaderChanges } from './header-changes.ts'
import { notEvaluated } from './not-evaluated.ts'
import { countAtResponse } from './rate-limit.ts'

/** The head of a response, from the origin or from the edge. */
export interface AnswerHead {
  readonly status: number
  /** As they would be sent to the client. */
  readonly headers: HeaderLines
  /** As the origin sent them; equal to `headers` when the edge answers. */
  readonly rawHeaders: HeaderLines
  /** Why the edge answers; empty for a response of the origin. */
  readonly errorType: string
  /** As in `ResponseView`. */
  readonly errorCode: number
  readonly originFirstByteMs: number
}

/**
 * Runs the rules for the head of a response: header transforms, then rules that count responses.
 * @returns the headers for the client
 * @throws errors of expressions, which are internal errors; later calls then return headers unchanged
 */
export function transformedHeaders(core: EdgeCore, request: RequestParts, head: AnswerHead): HeaderLines {
  const { facts, state, decisions } = request
  const { plan } = facts
  if (plan === undefined || decisions.headRulesFailed) return head.headers
  const isSecure = facts.request.scheme === 'https'
  const headers = managedHeaders(plan.settings, isSecure, head.headers)
  if (!isAskedAbout(plan, decisions)) return headers
  try {
    showResponse(core, request, { ...head, headers })
    if (plan.responseHeaders !== undefined) transform(core, request, plan.responseHeaders, headers)
    if (!decisions.responseCounted) {
      decisions.responseCounted = true
      countAtResponse(core, request)
    }
    return state.response!.headers
  } catch (error) {
    decisions.headRulesFailed = true
    throw error
  }
}

/** Lets expressions see the response. */
export function showResponse(core: EdgeCore, { facts, state }: RequestParts, head: AnswerHead): void {
  const edgeMs = Math.max(0, core.deps.clock.nowMs() - facts.startedMs - head.originFirstByteMs)
  state.setResponse({ ...head, edgeMs })
}

/** An internal error during the inspection of a response; not a failure of the origin. */
export class ResponseInspectionError extends Error {
  constructor(cause: unknown) {
    super('the response could not be checked', { cause })
    this.name = 'ResponseInspectionError'
  }
}

/** Headers that the origin sets itself stay. @source Cloudflare docs, available Managed Transforms */
const securityHeaders: HeaderLines = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-XSS-Protection', '1; mode=block'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['Referrer-Policy', 'same-origin'],
  ['Expect-CT', 'max-age=86400, enforce'],
]

/** Applied before the rules, which may change these headers again. */
function managedHeaders(settings: ZoneSettings, isSecure: boolean, lines: HeaderLines): HeaderLines {
  const { managedTransforms: transforms, securityHeader } = settings
  let changed = lines
  if (transforms.has('remove_x-powered-by_header'))
    changed = changed.filter(([name]) => name.toLowerCase() !== 'x-powered-by')
  if (transforms.has('add_security_headers')) {
    const missing = securityHeaders.filter(([name]) => firstHeader(lines, name.toLowerCase()) === undefined)
    changed = [...changed, ...missing]
  }
  if (securityHeader !== undefined && isSecure) changed = withSecurityHeader(securityHeader, changed)
  return changed
}

/** The zone's values replace those of the origin. Plain HTTP must not have them (RFC 6797 7.2). */
function withSecurityHeader({ hsts, nosniff }: SecurityHeader, lines: HeaderLines): HeaderLines {
  const own: HeaderLines = [
    ['Strict-Transport-Security', hsts],
    ...(nosniff ? ([['X-Content-Type-Options', 'nosniff']] as const) : []),
  ]
  const replaced = new Set(own.map(([name]) => name.toLowerCase()))
  return [...lines.filter(([name]) => !replaced.has(name.toLowerCase())), ...own]
}

function isAskedAbout(
  { responseHeaders, compression, response }: ZonePlan,
  { pendingCounts }: Decisions,
): boolean {
  return (responseHeaders ?? compression ?? response ?? pendingCounts) !== undefined
}

function transform(
  core: EdgeCore,
  { facts, state, decisions }: RequestParts,
  phase: PlanPhase,
  lines: HeaderLines,
): void {
  const changes = new HeaderChanges('response', core.limits.rewrittenBytesMax)
  const collect = ({ rules }: PlanRuleset): void => {
    for (const rule of rules) {
      const { effect } = rule
      try {
        if (!rule.matches(state)) continue
        if (effect.kind === 'rewrite-headers') changes.collect(effect, state)
        else if (effect.kind === 'execute-custom') collect(effect.ruleset)
      } catch (error) {
        notEvaluated({ core, facts, decisions }, rule, error)
      }
    }
  }
  for (const ruleset of phase.rulesets) {
    if (!decisions.skips.skipsPhase(ruleset.kind === 'root' ? 'account' : 'zone', phase.phase))
      collect(ruleset)
  }
  state.setResponseHeaders(changedHeaders(lines, changes.list))
}
