import type { ShadowExecution } from '../../rulesets/plan/plan.ts'
import type { WafRequest } from '../../waf/types.ts'
import type { Inspection } from '../exchange/decisions.ts'
import type { EdgeDeps, EdgeLimits } from '../exchange/deps.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import type { Excepted } from '../exchange/skips.ts'
import type { Counters } from '../exchange/stats.ts'
import { CpuAllowance } from './cpu-allowance.ts'

/** A request as the managed rules received it, kept for another evaluation after its end. */
export interface KeptRequest {
  readonly request: WafRequest
  /** The beginning of the body, by reference. Later parts are added to it. */
  readonly parts: readonly Uint8Array[]
  readonly bodyBytesMax: number
  /** Counted in `keptBytes`. */
  readonly reservedBytes: number
}

/** A request that the zone's shadow will evaluate. */
export interface ShadowRun {
  readonly shadow: ShadowExecution
  readonly kept: KeptRequest
}

/** A request that was sampled to compare other paranoia levels and thresholds. */
export interface SampleRun {
  /** The zone's own run of the ruleset. */
  readonly inspection: Inspection
  readonly excepted: Excepted
  /** Undefined when the zone's own run has every level on, so that no second evaluation is needed. */
  readonly kept: KeptRequest | undefined
}

/** Background work for one request. */
export interface Attached {
  kept: KeptRequest | undefined
  shadow: ShadowRun | undefined
  sample: SampleRun | undefined
}

/** Shared by the background work of one edge. All of it is bounded, so that an attack cannot pile it up. */
export interface BackgroundState {
  readonly deps: Pick<EdgeDeps, 'records' | 'logger'>
  readonly limits: EdgeLimits
  readonly counters: Pick<Counters, 'shadows' | 'samples'>
  /** Requests in flight that background work looks at. */
  readonly attached: Map<RequestFacts, Attached>
  /** Payloads in encryption. */
  encryptions: number
  /** Kept requests, and the bytes of their bodies. */
  kept: number
  keptBytes: number
  /** Resolves after the last queued evaluation. They run one at a time, so that requests wait for one slice at most. */
  lastEvaluation: Promise<unknown>
  /** Requests in flight that are kept only for a sample, oldest first. */
  readonly waitingSamples: Set<RequestFacts>
  /** Processor time for samples. */
  readonly sampling: CpuAllowance
  /** Zone → samples that were left out since the zone's last sample. */
  readonly leftOutSamples: Map<string, number>
  /** The edge is closing, and no evaluation begins any more. */
  stopped: boolean
}

export function newBackgroundState(
  deps: BackgroundState['deps'],
  limits: EdgeLimits,
  counters: BackgroundState['counters'],
): BackgroundState {
  return {
    deps,
    limits,
    counters,
    attached: new Map(),
    encryptions: 0,
    kept: 0,
    keptBytes: 0,
    lastEvaluation: Promise.resolve(),
    waitingSamples: new Set(),
    sampling: new CpuAllowance(),
    leftOutSamples: new Map(),
    stopped: false,
  }
}

/** The background work of a request, which is created on first use. */
export function attachedTo({ attached }: BackgroundState, facts: RequestFacts): Attached {
  let known = attached.get(facts)
  if (known === undefined) {
    known = { kept: undefined, shadow: undefined, sample: undefined }
    attached.set(facts, known)
  }
  return known
}
