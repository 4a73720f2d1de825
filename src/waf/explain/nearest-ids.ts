import { nearest } from '../../kit/nearest.ts'
import type { ProgramRule } from '../types.ts'

/** Ids that may be meant by one that no rule has: the one spelled most alike, and its neighbours by number. */
export function nearestIds(id: number, rules: readonly ProgramRule[]): readonly number[] {
  const ids = rules.map(rule => rule.id).sort((a, b) => a - b)
  const alike = nearest(String(id), ids.map(String))
  const above = ids.find(other => other > id)
  const below = ids.findLast(other => other < id)
  const found = [alike === undefined ? undefined : Number(alike), below, above]
  return [...new Set(found.filter(other => other !== undefined))].sort((a, b) => a - b)
}
