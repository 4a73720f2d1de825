import { nearest } from '../../kit/nearest.ts'
import type { ProgramRule } from '../types.ts'

/** Suggestions for an unknown id: the id with the most similar spelling, and its numeric neighbours. */
export function nearestIds(id: number, rules: readonly ProgramRule[]): readonly number[] {
  const ids = rules.map(rule => rule.id).sort((a, b) => a - b)
  const alike = nearest(String(id), ids.map(String))
  const above = ids.find(other => other > id)
  const below = ids.findLast(other => other < id)
  const found = [alike === undefined ? undefined : Number(alike), below, above]
  return [...new Set(found.filter(other => other !== undefined))].sort((a, b) => a - b)
}
