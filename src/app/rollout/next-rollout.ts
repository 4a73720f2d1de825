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
        : continued(rollout, input)
    case 'halted':
      return undefined
  }
}

function begun(rollout: Rollout, { head, reports, share, nowMs }: RolloutInput): Rollout | undefined {
  if (head > rollout.everywhere && rollout.first.length > 0)
    return { ...rollout, state: 'staged', staged: head, beganMs: nowMs, lastMs: nowMs }
  const first = firstOf(
    reports.map(({ edge }) => edge),
    share,
  )
  const isSame =
    first.length === rollout.first.length && first.every((edge, at) => edge === rollout.first[at])
  if (isSame && head === rollout.everywhere) return undefined
  return { ...rollout, first, everywhere: head, staged: head }
}

/** Ids are random, so their order is too, and an edge that comes or goes moves at most one other. */
function firstOf(edges: readonly string[], share: number): readonly string[] {
  const count = Math.min(Math.ceil((edges.length * share) / 100), edges.length - 1)
  return [...edges].sort().slice(0, Math.max(0, count))
}

function continued(rollout: Rollout, { reports, periodMs, nowMs }: RolloutInput): Rollout | undefined {
  const inStage = reports.filter(({ stage }) => stage === rollout.beganMs)
  const first = inStage.filter(
    ({ edge, position }) => rollout.first.includes(edge) && position > rollout.everywhere,
  )
  const others = inStage.filter(({ edge }) => !rollout.first.includes(edge))
  const harm = harmOf(trafficOf(first), trafficOf(others))
  if (harm !== undefined) return { ...rollout, state: 'halted', reason: harm }
  const isOver =
    nowMs - rollout.lastMs >= periodMs || nowMs - rollout.beganMs >= rolloutLimits.periodsMax * periodMs
  if (!isOver) return undefined
  if (first.length === 0)
    return { ...rollout, state: 'halted', reason: 'none of the first edges reports that it has the changes' }
  return { ...rollout, state: 'idle', everywhere: rollout.staged }
}
