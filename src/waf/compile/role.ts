import type { LinkDraft } from '../program/draft.ts'
import type { ProgramRule } from '../types.ts'

/**
 * 1–4 from the tag `paranoia-level/N`. Two detection rules of CRS 3.3 have no such tag (920181, 921200): they have the
 * level of the score that they raise. 0 without either.
 */
export function paranoiaLevelOf(tags: readonly string[], links: readonly LinkDraft[]): number {
  for (const tag of tags) {
    const found = /^paranoia-level\/([1-4])$/.exec(tag)
    if (found !== null) return Number(found[1])
  }
  for (const { actions } of links) {
    for (const { name, value = '' } of actions) {
      const found = name === 'setvar' ? raisedScore.exec(value) : null
      if (found !== null) return Number(found[1])
    }
  }
  return 0
}

const raisedScore = /^tx\.(?:inbound_|outbound_)?anomaly_score_pl([1-4])=\+/i

/**
 * The purpose of a rule. Only detection rules of the CRS have both a paranoia level and a severity; all other rules
 * initialise, guard, count or evaluate.
 */
export function roleOf(
  phase: ProgramRule['phase'],
  paranoiaLevel: number,
  severity: ProgramRule['severity'],
): ProgramRule['role'] {
  if (paranoiaLevel === 0 || severity === undefined || phase === 5) return 'support'
  return phase <= 2 ? 'request' : 'response'
}

/** Points of a severity (CRS defaults): critical 5, error 4, warning 3, notice 2, else 0. */
export function scoreOf(severity: ProgramRule['severity']): number {
  return severity === undefined ? 0 : (points[severity] ?? 0)
}

const points: Partial<Record<NonNullable<ProgramRule['severity']>, number>> = {
  CRITICAL: 5,
  ERROR: 4,
  WARNING: 3,
  NOTICE: 2,
}
