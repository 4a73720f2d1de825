import type { EdgeReport } from '../../model/rollout.ts'
import { rolloutLimits } from '../limits.ts'

/** Requests of some edges. */
export interface Traffic {
  readonly edges: number
  readonly requests: number
  readonly mitigated: number
  readonly failed: number
}

export function trafficOf(reports: readonly EdgeReport[]): Traffic {
  const sum = { edges: reports.length, requests: 0, mitigated: 0, failed: 0 }
  for (const { requests, mitigated, failed } of reports) {
    sum.requests += requests
    sum.mitigated += mitigated
    sum.failed += failed
  }
  return sum
}

/**
 * Compares the first edges with the others.
 * @returns a sentence for people if the first edges stop or fail more requests; undefined also with too few requests
 */
export function harmOf(first: Traffic, others: Traffic): string | undefined {
  if (Math.min(first.requests, others.requests) < rolloutLimits.comparedMin) return undefined
  for (const [key, what] of kinds) {
    const [share, usual] = [first[key] / first.requests, others[key] / others.requests]
    if (isJump(share, usual, first.requests, others.requests))
      return `${percent(share)} of the first edges' requests ${what}, and ${percent(usual)} of the others'`
  }
  return undefined
}

const kinds = [
  ['mitigated', 'were blocked or challenged'],
  ['failed', 'were answered with a status from 500'],
] as const

/** By half and by two points, and by four standard errors of the difference of two shares. */
function isJump(share: number, usual: number, requests: number, usualRequests: number): boolean {
  const together = (share * requests + usual * usualRequests) / (requests + usualRequests)
  const error = Math.sqrt(together * (1 - together) * (1 / requests + 1 / usualRequests))
  return share - usual > Math.max(0.02, usual / 2, 4 * error)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
