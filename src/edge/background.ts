import { CpuAllowance } from './cpu-allowance.ts'
import type { Exchange } from './exchange.ts'

/** What one edge still does for requests that have ended; bounded, so that an attack cannot pile it up. */
export interface Background {
  /** Payloads that are being encrypted. */
  encryptions: number
  /** Requests that are kept to be evaluated once more, and the bytes of bodies that are kept of them. */
  kept: number
  keptBytes: number
  /** Resolves when the last of these has been evaluated: one at a time, so that requests wait for slices of one only. */
  lastEvaluation: Promise<unknown>
  /** Those of them that are kept for a sample alone and have not ended, oldest first. */
  readonly waitingSamples: Set<Exchange>
  /** Processor time for samples. */
  readonly sampling: CpuAllowance
  /** Samples that were left out, by zone, until the next one of the zone says so. */
  readonly leftOutSamples: Map<string, number>
}

export function noBackground(): Background {
  return {
    encryptions: 0,
    kept: 0,
    keptBytes: 0,
    lastEvaluation: Promise.resolve(),
    waitingSamples: new Set(),
    sampling: new CpuAllowance(),
    leftOutSamples: new Map(),
  }
}
