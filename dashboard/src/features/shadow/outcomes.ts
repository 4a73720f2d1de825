import type { SecurityEvent, Shadow } from '../../api/types.ts'

/** A shadow's findings about a request, from its event. */
interface RecordedShadow {
  readonly version: string
  readonly paranoia_level: number
  readonly threshold: number
  readonly score: number
  /** The action that it would have taken, or `none`. */
  readonly would: string
  readonly differs: boolean
  readonly incomplete?: boolean
}

/** Comparison with the action of the zone's own rules. */
export type Verdict = 'would act' | 'would let through' | 'same'

/** One request that the zone's rules, its shadow or both would act on. */
export interface Outcome {
  readonly rayId: string
  readonly event: SecurityEvent
  readonly shadow: RecordedShadow
  readonly verdict: Verdict
}

/**
 * Outcomes of the shadow with its current settings, one per request, in the order of the events. Results of other
 * settings are excluded.
 */
export function outcomesOf(events: readonly SecurityEvent[], settings: Shadow): readonly Outcome[] {
  const found = new Map<string, Outcome>()
  for (const event of events) {
    const shadow = event.metadata.shadow as RecordedShadow | undefined
    if (shadow === undefined || found.has(event.ray_id) || !isOf(shadow, settings)) continue
    found.set(event.ray_id, { rayId: event.ray_id, event, shadow, verdict: verdictOf(shadow) })
  }
  return [...found.values()]
}

function isOf(shadow: RecordedShadow, settings: Shadow): boolean {
  return (
    shadow.paranoia_level === settings.paranoia_level &&
    shadow.threshold === settings.score_threshold &&
    (settings.version === 'latest' || shadow.version === settings.version)
  )
}

function verdictOf({ differs, would }: RecordedShadow): Verdict {
  if (!differs) return 'same'
  return would === 'none' ? 'would let through' : 'would act'
}

export function countOf(outcomes: readonly Outcome[], verdict: Verdict): number {
  return outcomes.filter(outcome => outcome.verdict === verdict).length
}

export interface PathCount {
  readonly path: string
  readonly count: number
}

/** The paths with the most requests of a verdict. */
export function topPaths(outcomes: readonly Outcome[], verdict: Verdict, max: number): readonly PathCount[] {
  const counts = new Map<string, number>()
  for (const { event, verdict: own } of outcomes)
    if (own === verdict) counts.set(event.path, (counts.get(event.path) ?? 0) + 1)
  return [...counts]
    .map(([path, count]) => ({ path, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, max)
}
