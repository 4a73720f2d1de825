import type { EdgeReport, Rollout } from '../../model/rollout.ts'
import { rolloutLimits } from '../limits.ts'
import { harmOf, trafficOf } from './harm.ts'

export interface RolloutInput {
  /** Sequence of the newest change. */
  readonly head: number
  /** Of every edge that runs. */
  readonly reports: readonly EdgeReport[]
  /** Of the edges, in percent; 0: off. */
  readonly share: number
  readonly periodMs: number
  readonly nowMs: number
}

/** @returns undefined: it stays as it is */
export function nextRollout(rollout: Rollout, input: RolloutInput): Rollout | undefined {
  const { head, share } = input
  if (share === 0) return rollout.state === 'off' ? undefined : { ...rollout, state: 'off' }
  switch (rollout.state) {
    case 'off':
      return { ...rollout, state: 'idle', everywhere: head, staged: head, first: [], reason: '' }
    case 'idle':
      return begun(rollout, input)
    case 'staged':
      return head > rollout.staged
        ? { ...rollout, staged: head, lastMs: input.nowMs }
        : (rechosen(rollout, input) ?? continued(rollout, input))
    case 'halted':
      return undefined
  }
}

function begun(rollout: Rollout, input: RolloutInput): Rollout | undefined {
  const { head, reports, share, nowMs } = input
  // Without any report, as after an outage of the database, nothing is known of the edges.
  const first = reports.length === 0 ? rollout.first : firstOf(reports, share)
  if (head > rollout.everywhere && first.length > 0)
    return { ...rollout, state: 'staged', staged: head, first, beganMs: nowMs, lastMs: nowMs }
  const isSame =
    first.length === rollout.first.length && first.every((edge, at) => edge === rollout.first[at])
  if (isSame && head === rollout.everywhere) return undefined
  return { ...rollout, first, everywhere: head, staged: head }
}

/**
 * Begins the stage again with more first edges, when none of them reports. The silent ones stay among them, and twice the
 * share is the most: the changes may be what ended them.
 */
function rechosen(rollout: Rollout, { reports, share, nowMs }: RolloutInput): Rollout | undefined {
  const silent = rollout.first
  if (reports.some(({ edge }) => silent.includes(edge))) return undefined
  const more = firstOf(reports, share)
  const first = [...silent, ...more]
  const firstMax = 2 * Math.ceil(((reports.length + silent.length) * share) / 100)
  if (more.length === 0 || first.length > firstMax) return undefined
  return { ...rollout, first, beganMs: nowMs, lastMs: nowMs }
}

/** Ids are random, so their order is too, and an edge that comes or goes moves at most one other. */
function firstOf(reports: readonly EdgeReport[], share: number): readonly string[] {
  const count = Math.min(Math.ceil((reports.length * share) / 100), reports.length - 1)
  return reports
    .map(({ edge }) => edge)
    .sort()
    .slice(0, Math.max(0, count))
}

/** When a stage ends if no further change comes, ms since the epoch. */
export function stageEndMs({ beganMs, lastMs }: Rollout, periodMs: number): number {
  return Math.min(lastMs + periodMs, beganMs + rolloutLimits.periodsMax * periodMs)
}

function continued(rollout: Rollout, { reports, periodMs, nowMs }: RolloutInput): Rollout | undefined {
  const inStage = reports.filter(({ stage }) => stage === rollout.beganMs)
  const first = inStage.filter(
    ({ edge, position }) => rollout.first.includes(edge) && position > rollout.everywhere,
  )
  const others = inStage.filter(({ edge }) => !rollout.first.includes(edge))
  const harm = harmOf(trafficOf(first), trafficOf(others))
  if (harm !== undefined) return { ...rollout, state: 'halted', reason: harm }
  if (nowMs < stageEndMs(rollout, periodMs)) return undefined
  if (first.length === 0)
    return { ...rollout, state: 'halted', reason: 'none of the first edges reports that it has the changes' }
  return { ...rollout, state: 'idle', everywhere: rollout.staged }
}
