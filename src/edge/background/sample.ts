import { samplingLimits } from '../../model/limits.ts'
import { type SampledRule, type WhatIfSample, whatIfSamplesDataset } from '../../model/what-if-sample.ts'
import type { ManagedExecution, ZonePlan } from '../../rulesets/plan/plan.ts'
import type { RuleMatch, Transaction } from '../../waf/types.ts'
import type { Inspection } from '../exchange/decisions.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import type { Excepted } from '../exchange/skips.ts'
import type { Slices } from '../exchange/slices.ts'
import { edgeSampleLimits } from '../limits.ts'
import { recordedCountry } from '../records/http-request.ts'
import { requestTexts } from '../records/request-texts.ts'
import { measured } from './cpu-allowance.ts'
import { evaluateKept, forgetRequest, inTurn, keepRequest } from './kept-request.ts'
import { attachedTo, type BackgroundState, type SampleRun } from './state.ts'

/** The result of an evaluation with every level on. */
interface Found {
  readonly transaction: Transaction
  /** Number of the rule that stops the request directly. */
  readonly stoppedBy: number | undefined
  readonly cpuMicros: number
}

/**
 * Decides at random whether to sample this request, and then keeps the request. Called where a managed ruleset begins; other
 * requests cost only a random number. Never throws.
 */
export function beginSample(
  state: BackgroundState,
  request: RequestParts,
  inspection: Inspection,
  excepted: Excepted,
): void {
  const { facts, decisions } = request
  const rate = facts.plan?.sampleRate ?? 0
  if (rate === 0 || Math.random() >= rate) return
  // Only the first run of the ruleset: an account and a zone may both execute it.
  if (decisions.inspections[0] !== inspection) return
  if (inspection.execution.everyLevel.isOwn) {
    attachedTo(state, facts).sample = { inspection, excepted, kept: undefined }
    return
  }
  const { sampling, waitingSamples } = state
  if (waitingSamples.size >= edgeSampleLimits.waitingMax) giveUpOldest(state)
  const kept = sampling.has(performance.now()) ? keepRequest(state, request) : undefined
  if (kept === undefined) {
    leaveOut(state, facts.plan!)
    return
  }
  const attached = attachedTo(state, facts)
  attached.sample = { inspection, excepted, kept }
  if (attached.shadow === undefined) waitingSamples.add(facts)
}

/** Requests that run for hours must not take the memory of requests that end. */
function giveUpOldest(state: BackgroundState): void {
  const { waitingSamples } = state
  const [oldest] = waitingSamples
  if (oldest === undefined) return
  waitingSamples.delete(oldest)
  attachedTo(state, oldest).sample = undefined
  forgetRequest(state, oldest)
  leaveOut(state, oldest.plan!)
}

function leaveOut({ leftOutSamples, counters }: BackgroundState, { zone }: ZonePlan): void {
  counters.samples.leftOut++
  const known = leftOutSamples.get(zone.id)
  if (known !== undefined || leftOutSamples.size < edgeSampleLimits.countedZonesMax)
    leftOutSamples.set(zone.id, (known ?? 0) + 1)
}

/**
 * Evaluates the sample of a recorded request, in slices and after all waiting evaluations, and writes it. Never throws:
 * failures are counted and logged, and have no other effect.
 */
export async function finishSample(
  state: BackgroundState,
  request: RequestParts,
  sample: SampleRun,
): Promise<void> {
  const { facts } = request
  const { plan } = facts
  if (plan === undefined) return
  const { counters, deps } = state
  state.waitingSamples.delete(facts)
  try {
    const found =
      sample.kept === undefined
        ? ownFindings(sample)
        : await inTurn(state, facts, () => evaluate(state, sample, facts))
    if (found === undefined) leaveOut(state, plan)
    else {
      deps.records.append(sampleRecord(state, request, plan, sample, found))
      counters.samples.written++
    }
  } catch (error) {
    counters.samples.failures++
    deps.logger.error({ err: error, rayId: facts.rayId }, 'a sample could not be evaluated')
  }
}

/** Undefined when the engine failed, because the state of its transaction is unreliable. */
function ownFindings({ inspection: { transaction, stoppedBy, broken } }: SampleRun): Found | undefined {
  return broken ? undefined : { transaction, stoppedBy, cpuMicros: 0 }
}

function* evaluate(
  state: BackgroundState,
  { inspection: { execution }, excepted, kept }: SampleRun,
  facts: RequestFacts,
): Slices<Found | undefined> {
  if (state.stopped || kept === undefined) return undefined
  const { program, everyLevel } = execution
  let tookMs = 0
  const transaction = program.rehearse(kept.request, everyLevel.mask, excepted.exceptions)
  const asked = yield* measured(evaluateKept(kept, facts, transaction), ms => {
    tookMs += ms
    state.sampling.spend(ms)
  })
  return { transaction, stoppedBy: asked?.ruleId, cpuMicros: Math.ceil(tookMs * 1000) }
}

function sampleRecord(
  { leftOutSamples }: BackgroundState,
  request: RequestParts,
  plan: ZonePlan,
  sample: SampleRun,
  found: Found,
): string {
  const { id: zone, accountId: account } = plan.zone
  const leftOut = leftOutSamples.get(zone) ?? 0
  leftOutSamples.delete(zone)
  const fields = sampleOf(request, plan, sample, found, leftOut)
  return JSON.stringify({ zone, account, dataset: whatIfSamplesDataset, fields })
}

function sampleOf(
  { facts, state, decisions }: RequestParts,
  plan: ZonePlan,
  { inspection: { execution }, excepted }: SampleRun,
  { transaction, stoppedBy, cpuMicros }: Found,
  leftOut: number,
): WhatIfSample {
  const { request, startedMs, rayId } = facts
  const texts = requestTexts(request, plan.redaction)
  // When a skip rule skips the last rule, the request passes at every score.
  const matches = excepted.lastRule ? [] : transaction.matches.filter(({ rule }) => rule.role === 'request')
  return {
    time: Math.trunc(startedMs),
    ray: rayId,
    client: request.clientIp,
    country: recordedCountry(state.geo),
    host: texts.host,
    method: texts.method,
    path: texts.path,
    rate: plan.sampleRate,
    leftOut,
    cpuMicros,
    action: ((decisions.terminal ?? decisions.entries.at(-1))?.action ?? '').toLowerCase(),
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

/** Rules without a level, such as the blocking evaluation, are on at every level. */
function levelOfStop(ruleId: number, { program, everyLevel: { levels } }: ManagedExecution): number {
  const index = program.rules.findIndex(({ id }) => id === ruleId)
  return Math.max(1, levels[index] ?? 1)
}
