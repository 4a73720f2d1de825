import type { CompiledRule } from '../program/compiled.ts'
import type { UnorderedRule } from './compile-rule.ts'

/** Rules and names of markers in load order → the rules by index, with `skipAfter` and `skip` resolved. */
export function orderRules(items: readonly (UnorderedRule | string)[]): CompiledRule[] {
  const markers = new Map<string, number[]>()
  const unplaced: UnorderedRule[] = []
  for (const item of items) {
    if (typeof item !== 'string') unplaced.push(item)
    else if (markers.has(item)) markers.get(item)!.push(unplaced.length)
    else markers.set(item, [unplaced.length])
  }
  return unplaced.map(item => ({ ...item.rule, jump: jumpOf(item, markers, unplaced) }))
}

/** A marker counts if it is below the rule; without one the rest of the phase is skipped. */
function jumpOf(
  { rule, skipAfter, skip }: UnorderedRule,
  markers: ReadonlyMap<string, readonly number[]>,
  all: readonly UnorderedRule[],
): number {
  const { index, phase } = rule.info
  if (skipAfter !== undefined) return markers.get(skipAfter)?.find(marker => marker > index) ?? all.length
  if (skip === 0) return -1
  let left = skip
  let next = index + 1
  for (; next < all.length && left > 0; next++) if (all[next]!.rule.info.phase === phase) left--
  return next
}
