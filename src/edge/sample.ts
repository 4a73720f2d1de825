import { samplingLimits } from '../kit/limits.ts'
import { type SampledRule, type WhatIfSample, whatIfSamplesDataset } from '../model/what-if-sample.ts'
import type { ManagedExecution, ZonePlan } from '../rulesets/plan.ts'
import type { RuleMatch, Transaction } from '../waf/types.ts'
import type { EdgeCore } from './core.ts'
import { measured } from './cpu-allowance.ts'
import type { Exchange } from './exchange.ts'
import { evaluateKept, forgetRequest, inTurn, type KeptRequest, keepRequest } from './kept-request.ts'
import type { Inspection } from './ledger.ts'
import type { Excepted } from './phases/skips.ts'
import { recordedCountry } from './records/http-request.ts'
import { requestTexts } from './records/request-texts.ts'
import type { Slices } from './slices.ts'

/** A request that was drawn for the question what other paranoia levels and thresholds would do. */
export interface SampleRun {
  /** The zone's own run of the ruleset. */
  readonly inspection: Inspection
  readonly excepted: Excepted
  /** Undefined when the zone's own run has every level on: then it tells all there is. */
  readonly kept: KeptRequest | undefined
}

/** What an evaluation with every level on came to. */
interface Found {
  readonly transaction: Transaction
  /** Number of the rule that stops the request by itself. */
  readonly stoppedBy: number | undefined
  readonly cpuMicros: number
}

/**
 * Draws whether this request is sampled, and keeps what that will need. Called where a managed ruleset begins; the
 * others pay for a random number. Never throws.
 */
export function beginSample(
  core: EdgeCore,
  exchange: Exchange,
  inspection: Inspection,
  excepted: Excepted,
): void {
  const rate = exchange.plan?.sampleRate ?? 0
  if (rate === 0 || Math.random() >= rate) return
  // Its first run of the ruleset alone: an account and a zone may both execute it.
  if (exchange.ledger.inspections[0] !== inspection) return
  if (inspection.execution.everyLevel.isOwn) {
    exchange.sample = { inspection, excepted, kept: undefined }
    return
  }
  const { sampling, waitingSamples } = core.background
  if (waitingSamples.size >= samplingLimits.waitingMax) giveUpOldest(core)
  const kept = sampling.has(performance.now()) ? keepRequest(core, exchange) : undefined
  if (kept === undefined) {
    leaveOut(core, exchange.plan!)
    return
  }
  exchange.sample = { inspection, excepted, kept }
  if (exchange.shadow === undefined) waitingSamples.add(exchange)
}

/** Requests that go on for hours must not take the room of those that end. */
function giveUpOldest(core: EdgeCore): void {
  const { waitingSamples } = core.background
  const [oldest] = waitingSamples
  if (oldest === undefined) return
  waitingSamples.delete(oldest)
  oldest.sample = undefined
  forgetRequest(core, oldest)
  leaveOut(core, oldest.plan!)
}

function leaveOut({ background: { leftOutSamples }, counters }: EdgeCore, { zone }: ZonePlan): void {
  counters.samples.leftOut++
  const known = leftOutSamples.get(zone.id)
  if (known !== undefined || leftOutSamples.size < samplingLimits.countedZonesMax)
    leftOutSamples.set(zone.id, (known ?? 0) + 1)
}

/**
 * The request has ended and is recorded: the sample is evaluated, in slices, after those that wait already, and
 * written. Never throws: what fails is counted and told, and nothing else comes of it.
 */
export async function finishSample(core: EdgeCore, exchange: Exchange): Promise<void> {
  const { sample, plan } = exchange
  if (sample === undefined || plan === undefined) return
  const { counters, deps, background } = core
  background.waitingSamples.delete(exchange)
  try {
    const found =
      sample.kept === undefined
        ? ownFindings(sample)
        : await inTurn(core, () => evaluate(core, sample, exchange))
    if (found === undefined) leaveOut(core, plan)
    else {
      deps.records.append(sampleRecord(core, exchange, plan, sample, found))
      counters.samples.written++
    }
  } catch (error) {
    counters.samples.failures++
    deps.logger.error({ err: error, rayId: exchange.rayId }, 'a sample could not be evaluated')
  }
}

/** Nothing when the engine failed: what its transaction holds cannot be relied on. */
function ownFindings({ inspection: { transaction, stoppedBy, broken } }: SampleRun): Found | undefined {
  return broken ? undefined : { transaction, stoppedBy, cpuMicros: 0 }
}

function* evaluate(
  core: EdgeCore,
  { inspection: { execution }, excepted, kept }: SampleRun,
  { body }: Exchange,
): Slices<Found | undefined> {
  if (core.draining || kept === undefined) return undefined
  const { program, everyLevel } = execution
  let tookMs = 0
  const transaction = program.rehearse(kept.request, everyLevel.mask, excepted.exceptions)
  const asked = yield* measured(evaluateKept(kept, body, transaction), ms => {
    tookMs += ms
    core.background.sampling.spend(ms)
  })
  return { transaction, stoppedBy: asked?.ruleId, cpuMicros: Math.ceil(tookMs * 1000) }
}

function sampleRecord(
  { background: { leftOutSamples } }: EdgeCore,
  exchange: Exchange,
  plan: ZonePlan,
  sample: SampleRun,
  found: Found,
): string {
  const { id: zone, accountId: account } = plan.zone
  const leftOut = leftOutSamples.get(zone) ?? 0
  leftOutSamples.delete(zone)
  const fields = sampleOf(exchange, plan, sample, found, leftOut)
  return JSON.stringify({ zone, account, dataset: whatIfSamplesDataset, fields })
}

function sampleOf(
  exchange: Exchange,
  plan: ZonePlan,
  { inspection: { execution }, excepted }: SampleRun,
  { transaction, stoppedBy, cpuMicros }: Found,
  leftOut: number,
): WhatIfSample {
  const { request, state, startedMs, rayId, ledger } = exchange
  const texts = requestTexts(request, plan.redaction)
  // A skip rule that takes out the last rule lets the request through whatever its score.
  const matches = excepted.lastRule ? [] : transaction.matches.filter(({ rule }) => rule.role === 'request')
  return {
    time: Math.trunc(startedMs),
    ray: rayId,
    client: request.clientIp,
    country: recordedCountry(state.place),
    host: texts.host,
    method: texts.method,
    path: texts.path,
    rate: plan.sampleRate,
    leftOut,
    cpuMicros,
    action: ((ledger.terminal ?? ledger.entries.at(-1))?.action ?? '').toLowerCase(),
    scores: scoresOf(matches, execution),
    stops: stoppedBy === undefined || excepted.lastRule ? 0 : levelOfStop(stoppedBy, execution),
    incomplete: transaction.overBudget,
    rules: matches.slice(0, samplingLimits.matchesMax).map(match => sampledRule(match, execution)),
  }
}

function scoresOf(
  matches: readonly RuleMatch[],
  { everyLevel: { levels } }: ManagedExecution,
): WhatIfSample['scores'] {
  const scores: [number, number, number, number] = [0, 0, 0, 0]
  for (const { rule } of matches)
    for (let level = Math.max(1, levels[rule.index]!); level <= scores.length; level++)
      scores[level - 1]! += rule.score
  return scores
}

function sampledRule(
  { rule }: RuleMatch,
  { everyLevel: { levels }, ruleIds }: ManagedExecution,
): SampledRule {
  return [ruleIds[rule.index] ?? '', String(rule.id), Math.max(1, levels[rule.index]!), rule.score]
}

/** Rules of the machinery are on at every level. */
function levelOfStop(ruleId: number, { program, everyLevel: { levels } }: ManagedExecution): number {
  const index = program.rules.findIndex(({ id }) => id === ruleId)
  return Math.max(1, levels[index] ?? 1)
}
