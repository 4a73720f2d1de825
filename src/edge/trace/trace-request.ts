import { hostNameOf } from '../../kit/host-name.ts'
import { traceLimits } from '../../kit/limits.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { RequestTrace, TraceAnswer, TraceOutcome, TraceRequest } from '../../model/request-trace.ts'
import { wholePage } from '../answer.ts'
import { noBackground } from '../background.ts'
import { SolvedChallenges } from '../challenge/solved-challenges.ts'
import type { EdgeCore } from '../core.ts'
import { type Counters, type EdgeDeps, noCounts } from '../deps.ts'
import type { Exchange } from '../exchange.ts'
import { firstHeader } from '../headers.ts'
import { type Decision, decide, finish } from '../pipeline.ts'
import { asText } from '../records/text.ts'
import { findFault, type RequestFault } from '../request-faults.ts'
import { upstreamOf } from '../upstream.ts'
import { explainMatches } from './explained-matches.ts'
import { tracedPhases } from './trace-phases.ts'
import { tracedPlan } from './traced-plan.ts'
import { KeptRecords } from './traced-records.ts'
import { clientRequestOf, tracedExchange } from './traced-request.ts'

/** Traces that are running, of one edge. */
export interface Tracing {
  running: number
}

/**
 * Takes a request through everything that comes before the origin, as a client's would go, and tells what happened. The
 * origin is not asked, nothing is counted and nothing is written: the core that it runs on is one of its own.
 * @throws what an expression throws, which is a mistake of ours
 */
export async function traceRequest(
  core: EdgeCore,
  tracing: Tracing,
  traced: TraceRequest,
): Promise<TraceAnswer> {
  const request = clientRequestOf(traced)
  const running = core.deps.plans.find(hostNameOf(request.host))
  if (running?.zone.accountId !== traced.accountId) return { ok: false, reason: 'no-zone' }
  if (tracing.running >= traceLimits.runningMax) return { ok: false, reason: 'busy' }
  tracing.running++
  try {
    // Traces that come one upon the other would else keep the worker from its connections.
    await nextTurn()
    const { plan, asked, begun } = tracedPlan(running)
    const records = new KeptRecords()
    const own = coreOfTrace(core, records)
    const exchange = tracedExchange(own, traced, request, plan)
    const fault = findFault(request, own.limits.headersMax)
    const decision = await decide(own, exchange, fault)
    carryOut(own, exchange, decision)
    // The rules of the logging phase and the records, as at the end of every request.
    await finish(own, exchange)
    const explained = await explainMatches(own, exchange.ledger.inspections, begun, traced)
    const trace: RequestTrace = {
      zone: { id: plan.zone.id, name: plan.zone.name },
      rayId: exchange.rayId,
      phases: tracedPhases(plan, asked, exchange, explained),
      outcome: outcomeOf(exchange, decision, fault),
      records: records.traced(exchange.status === 0),
    }
    return { ok: true, trace }
  } finally {
    tracing.running--
  }
}

function coreOfTrace(core: EdgeCore, records: KeptRecords): EdgeCore {
  const { auditLog: _, ...deps } = core.deps
  const counters: Counters = { ...noCounts(), active: 1 }
  return {
    ...core,
    deps: { ...deps, records, rateCounters: onlyLooking(deps) },
    counters,
    solved: new SolvedChallenges(1),
    background: noBackground(),
    draining: false,
  }
}

/** Whether a client is beyond a rate limit now, without being counted for it. */
function onlyLooking({ rateCounters }: Pick<EdgeDeps, 'rateCounters'>): EdgeDeps['rateCounters'] {
  return {
    count: (key, _amount, limit, nowMs) => rateCounters.count(key, 0, limit, nowMs),
  }
}

/** What `answer` does, but for the sending. */
function carryOut(core: EdgeCore, exchange: Exchange, decision: Decision): void {
  if (decision.kind !== 'answer') return
  const { status, headers, body } = wholePage(core, exchange, decision.page)
  exchange.answered(status, headers, core.deps.clock.nowMs())
  if (exchange.request.method !== 'HEAD') exchange.responseBodyBytes = body.length
}

function outcomeOf(exchange: Exchange, decision: Decision, fault: RequestFault | undefined): TraceOutcome {
  const { terminal } = exchange.ledger
  const forwarded = decision.kind === 'forward'
  return {
    kind: decision.kind,
    action: terminal?.action ?? '',
    ruleId: terminal?.ruleId ?? '',
    reason: fault?.reason ?? '',
    status: exchange.status,
    location: asText(firstHeader(exchange.responseHeaders, 'location') ?? ''),
    uri: forwarded ? asText(exchange.uriForOrigin) : '',
    host: forwarded ? asText(upstreamOf(exchange).hostHeader) : '',
  }
}
