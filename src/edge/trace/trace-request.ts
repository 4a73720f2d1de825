import { hostNameOf } from '../../kit/host-name.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { RequestTrace, TraceAnswer, TraceOutcome, TraceRequest } from '../../model/request-trace.ts'
import { BackgroundWork } from '../background/background.ts'
import type { EdgeDeps } from '../exchange/deps.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { type Counters, noCounts } from '../exchange/stats.ts'
import { noMeasures } from '../measures/measures.ts'
import { firstHeader } from '../message/headers.ts'
import { findFault, type RequestFault } from '../message/request-faults.ts'
import { upstreamOf, uriForOrigin } from '../origin/upstream.ts'
import { NoOriginError, Visit } from '../origin/visit.ts'
import { type Decision, decide, type PipelineCore } from '../pipeline/decide.ts'
import { finish } from '../pipeline/pipeline.ts'
import { workOutData } from '../records/recording.ts'
import { asText } from '../records/text.ts'
import { pageContext, wholePage } from '../respond/answer.ts'
import { errorPage } from '../respond/pages.ts'
import { explainMatches } from './explained-matches.ts'
import { edgeTraceLimits } from './limits.ts'
import { tracedChecks } from './trace-checks.ts'
import { tracedPhases } from './trace-phases.ts'
import { tracedPlan } from './traced-plan.ts'
import { KeptRecords } from './traced-records.ts'
import { clientRequestOf, tracedExchange } from './traced-request.ts'

/** The running traces of one edge. */
export interface Tracing {
  running: number
}

/**
 * Runs a request through all steps before the origin, like a client's request, and reports the results. The origin is not
 * called, and nothing is counted or written, because the trace has a separate core.
 * @throws errors of expressions, which are internal errors
 */
export async function traceRequest(
  core: PipelineCore,
  tracing: Tracing,
  traced: TraceRequest,
): Promise<TraceAnswer> {
  const request = clientRequestOf(traced)
  const running = core.deps.plans.find(hostNameOf(request.host))
  if (running?.zone.accountId !== traced.accountId) return { ok: false, reason: 'no-zone' }
  if (tracing.running >= edgeTraceLimits.runningMax) return { ok: false, reason: 'busy' }
  tracing.running++
  try {
    // Without this turn, traces in quick succession would block the worker's connections.
    await nextTurn()
    const { plan, asked, begun } = tracedPlan(running)
    const records = new KeptRecords()
    const own = coreOfTrace(core, records)
    const exchange = tracedExchange(own, traced, request, plan)
    const fault = findFault(request, own.limits.headersMax)
    const end = endOf(own, exchange, await decide(own, exchange, fault), fault)
    carryOut(own, exchange, end.decision)
    // Runs the logging phase and writes the records, as at the end of every request.
    await finish(own, exchange)
    await workOutData(own, exchange)
    const explained = await explainMatches(own, exchange.decisions.inspections, begun, traced)
    const trace: RequestTrace = {
      zone: { id: plan.zone.id, name: plan.zone.name },
      rayId: exchange.facts.rayId,
      phases: tracedPhases(plan, asked, exchange.decisions, explained),
      checks: tracedChecks(exchange),
      outcome: outcomeOf(exchange, end),
      records: records.traced(exchange.answer.status === 0),
    }
    return { ok: true, trace }
  } finally {
    tracing.running--
  }
}

function coreOfTrace(core: PipelineCore, records: KeptRecords): PipelineCore {
  const { auditLog: _log, spans: _spans, ...running } = core.deps
  const deps = { ...running, records, rateCounters: onlyLooking(running) }
  const counters: Counters = { ...noCounts(), active: 1 }
  return {
    ...core,
    deps,
    counters,
    measures: noMeasures(),
    servers: core.servers.rehearsal(),
    background: new BackgroundWork(deps, core.limits, counters),
    draining: false,
  }
}

/** Reads rate limits without counting the request. */
function onlyLooking({ rateCounters }: Pick<EdgeDeps, 'rateCounters'>): EdgeDeps['rateCounters'] {
  return {
    count: (key, _amount, limit, nowMs) => rateCounters.count(key, 0, limit, nowMs),
  }
}

type Destination = Pick<TraceOutcome, 'uri' | 'host' | 'origin'>

/** The decision about the request, and the parts of its outcome. */
interface End {
  readonly decision: Decision
  /** As in the outcome. */
  readonly reason: string
  readonly destination: Destination
}

const nowhere: Destination = { uri: '', host: '', origin: '' }

/** A request that no server would get has the edge's answer, as it does after the attempt to forward it. */
function endOf(
  core: PipelineCore,
  exchange: Exchange,
  decision: Decision,
  fault: RequestFault | undefined,
): End {
  if (decision.kind !== 'forward') return { decision, reason: fault?.reason ?? '', destination: nowhere }
  try {
    return { decision, reason: '', destination: destinationOf(core, exchange) }
  } catch (error) {
    if (!(error instanceof NoOriginError)) throw error
    const page = errorPage(503, 'no-origin', pageContext(core, exchange.facts))
    return { decision: { kind: 'answer', page }, reason: error.message, destination: nowhere }
  }
}

/** @throws NoOriginError */
function destinationOf(core: PipelineCore, exchange: Exchange): Destination {
  const { facts, decisions } = exchange
  const { origins, settings } = decisions
  const server = new Visit(core, facts.request, origins!, settings).next()
  const { url, hostHeader } = upstreamOf(facts, settings, server)
  return { uri: asText(uriForOrigin(exchange)), host: asText(hostHeader), origin: url }
}

/** Does the same as `answer`, but sends nothing. */
function carryOut(core: PipelineCore, exchange: Exchange, decision: Decision): void {
  if (decision.kind !== 'answer') return
  const { status, headers, body } = wholePage(core, exchange, decision.page)
  const { answer, facts } = exchange
  answer.begin(status, headers, core.deps.clock.nowMs())
  if (facts.request.method !== 'HEAD') answer.bodyBytes = body.length
}

function outcomeOf({ decisions, answer }: Exchange, { decision, reason, destination }: End): TraceOutcome {
  const { terminal } = decisions
  return {
    kind: decision.kind,
    action: terminal?.action ?? '',
    ruleId: terminal?.ruleId ?? '',
    reason,
    status: answer.status,
    location: asText(firstHeader(answer.headers, 'location') ?? ''),
    ...destination,
  }
}
