import { hostNameOf } from '../../kit/host-name.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import type { Exchange, RequestParts } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { nothingToInspect, type ResponseInspector, responseInspection } from '../inspect/inspect-response.ts'
import type { BodyParts } from '../message/body-source.ts'
import type { ClientRequest } from '../message/client-request.ts'
import type { RequestFault } from '../message/request-faults.ts'
import { hasLooped } from '../origin/cdn-loop.ts'
import type { OriginCore } from '../origin/origins.ts'
import { preparePhase } from '../phases/prepare-phase.ts'
import { visibleAscii } from '../phases/redirect.ts'
import type { RecordAdmission } from '../records/admission.ts'
import { faultPage, pageContext } from '../respond/answer.ts'
import { answerSolution } from '../respond/challenge.ts'
import { pageFor } from '../respond/enforce.ts'
import type { Page } from '../respond/page.ts'
import { errorPage, type PageKind, redirectPage } from '../respond/pages.ts'
import type { RequestsInFlight } from './in-flight.ts'
import { runRequestPhases } from './request-phases.ts'

/** Shared by all requests that an edge runs through its pipeline. */
export interface PipelineCore extends OriginCore {
  readonly admission: RecordAdmission
  readonly inFlight: RequestsInFlight
}

/** The decision about a request after its rules. */
export type Decision =
  | { readonly kind: 'answer'; readonly page: Page }
  /** The connection is closed without a response. */
  | { readonly kind: 'drop' }
  /** The request is forwarded to the origin. */
  | { readonly kind: 'forward'; readonly inspector: ResponseInspector | undefined }

/**
 * Runs all steps before the origin. Sends nothing.
 * @throws ClientBodyError; errors of expressions, which are internal errors
 */
export async function decide(
  core: PipelineCore,
  exchange: Exchange,
  fault?: RequestFault,
): Promise<Decision> {
  const { facts, state, decisions } = exchange
  const { plan, request } = facts
  if (fault !== undefined) {
    if (fault.status !== 421) core.counters.malformed++
    await observe(core, exchange, facts.content)
    return { kind: 'answer', page: faultPage(core, facts, fault) }
  }
  const proof = challengePage(core, request)
  if (proof !== undefined) return { kind: 'answer', page: proof }
  if (hasLooped(request.headers, core.cdnId)) {
    core.counters.loops++
    return errorDecision(core, facts, 508, 'loop')
  }
  if (plan === undefined) {
    core.counters.unknownHosts++
    return errorDecision(core, facts, 404, 'unknown-host')
  }
  const scheme = requiredScheme(plan.settings)
  if (scheme !== undefined && scheme !== request.scheme)
    return { kind: 'answer', page: redirectPage(301, addressWith(scheme, request)) }
  facts.body?.limitTo(plan.settings.uploadBytesMax)
  if (facts.isGrpc) {
    decisions.bodyUnseen = true
    facts.body?.allowPauses(core.limits.tunnelIdleTimeoutMs)
  }
  if (facts.isSolution) return { kind: 'answer', page: await answerSolution(core, exchange) }
  const context = { core, facts, state, decisions, body: facts.content, span: exchange.span }
  const verdict = await runRequestPhases(plan, context)
  if (verdict !== undefined) return decisionOf(core, facts, verdict)
  if (request.uri === '*') return { kind: 'answer', page: { status: 204, headers: [], body: '' } }
  // Response rules may read the request body. It has to be kept before the origin takes it.
  for (const phase of [plan.customErrors, plan.responseHeaders, plan.compression, plan.response])
    if (phase !== undefined) await preparePhase(context, phase)
  const answers =
    plan.response === undefined ? nothingToInspect : await responseInspection(plan.response, context)
  if (answers.verdict !== undefined) return decisionOf(core, facts, answers.verdict)
  const response = fixedResponse(context, plan)
  if (response !== undefined) return { kind: 'answer', page: response }
  if (answers.inspector === undefined && !core.background.needsContent(facts)) facts.releaseContent()
  return { kind: 'forward', inspector: answers.inspector }
}

/** Notes the servers for the request. @returns the page of a load balancer that answers itself */
function fixedResponse({ facts, state, decisions }: RequestParts, { origins }: ZonePlan): Page | undefined {
  const found = origins.of(facts.request.host)
  const resolved =
    'resolve' in found
      ? found.resolve(state, () => {
          decisions.incomplete ??= 'budget'
        })
      : found
  if (!('status' in resolved)) {
    decisions.origins = resolved
    return undefined
  }
  const { status, contentType, location, body } = resolved
  const headers: [string, string][] = [['Content-Type', contentType]]
  if (location !== undefined) headers.push(['Location', location])
  return { status, headers, body }
}

/**
 * The answer for a certificate authority that checks `http-01` (RFC 8555 8.3), for any zone or none. Rules and redirects
 * must not keep it from the authority.
 */
function challengePage({ deps }: PipelineCore, { method, host, path }: ClientRequest): Page | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const body = deps.challenges?.answer(hostNameOf(host), path)
  if (body === undefined) return undefined
  return { status: 200, headers: [['Content-Type', 'application/octet-stream']], body }
}

function requiredScheme({ ssl, alwaysUseHttps }: ZoneSettings): ClientRequest['scheme'] | undefined {
  if (ssl === 'off') return 'http'
  return alwaysUseHttps ? 'https' : undefined
}

/** The same address with the scheme, at its usual port. */
function addressWith(scheme: ClientRequest['scheme'], { host, uri }: ClientRequest): string {
  return visibleAscii(`${scheme}://${hostNameOf(host)}${uri}`)
}

function errorDecision(core: PipelineCore, facts: RequestFacts, status: number, kind: PageKind): Decision {
  return { kind: 'answer', page: errorPage(status, kind, pageContext(core, facts)) }
}

function decisionOf(core: PipelineCore, facts: RequestFacts, verdict: NonNullable<Verdict>): Decision {
  const page = pageFor(core, facts, verdict)
  return page === undefined ? { kind: 'drop' } : { kind: 'answer', page }
}

/**
 * Runs the rules only for the record. The request is refused in any case.
 * @param body the part that could be read
 */
export async function observe(
  core: PipelineCore,
  { facts, state, decisions }: Exchange,
  body: BodyParts | undefined,
): Promise<void> {
  if (facts.plan === undefined) return
  await runRequestPhases(facts.plan, { core, facts, state, decisions, body })
  decisions.forgetActions()
}
