import { assert } from '../../kit/assert.ts'
import type { UnplacedRule } from './compile-rule.ts'
import type { CompiledRule } from './compiled.ts'
import { type Phase, phases } from './draft.ts'

/** Rules of each phase in load order; `CompiledRule.jump` is a place in them. Index 0 is unused. */
export type PhaseOrders = readonly (readonly CompiledRule[])[]

/** Rules and names of markers in load order → the order of each phase, with `skipAfter` and `skip` resolved. */
export function placeRules(items: readonly (UnplacedRule | string)[]): PhaseOrders {
  const orders: CompiledRule[][] = [[]]
  for (const phase of phases) orders[phase] = placePhase(items, phase)
  return orders
}

function placePhase(items: readonly (UnplacedRule | string)[], phase: Phase): CompiledRule[] {
  const rules: UnplacedRule[] = []
  const markers = new Map<string, number[]>()
  for (const item of items) {
    if (typeof item === 'string') {
      const places = markers.get(item)
      if (places === undefined) markers.set(item, [rules.length])
      else places.push(rules.length)
    } else if (item.rule.info.phase === phase) rules.push(item)
  }
  return rules.map((item, place) => ({ ...item.rule, jump: jumpOf(item, place, markers, rules.length) }))
}

/** A marker counts when it stands below the rule; without one the rest of the phase is skipped. */
function jumpOf(
  { skipAfter, skip }: UnplacedRule,
  place: number,
  markers: ReadonlyMap<string, readonly number[]>,
  end: number,
): number {
  if (skipAfter !== undefined) return markers.get(skipAfter)?.find(marker => marker > place) ?? end
  return skip > 0 ? Math.min(place + 1 + skip, end) : -1
}

/** The rules of one phase that a mask leaves on. */
export interface PhaseList {
  readonly rules: readonly CompiledRule[]
  /** Place in `rules` where a match of the rule at the same place goes on. */
  readonly next: Int32Array
}

/** Takes the disabled rules out of the order of a phase, so that no request looks at them. */
export function enabledRules(order: readonly CompiledRule[], enabled: Uint8Array): PhaseList {
  const placeInList = new Int32Array(order.length + 1)
  const rules: CompiledRule[] = []
  for (const [place, rule] of order.entries()) {
    placeInList[place] = rules.length
    if (enabled[rule.info.index] === 1) rules.push(rule)
  }
  placeInList[order.length] = rules.length
  const next = Int32Array.from(rules, (rule, place) => (rule.jump < 0 ? place + 1 : placeInList[rule.jump]!))
  assert(
    next.every((goal, place) => goal > place),
    'rules only go on further down',
  )
  return { rules, next }
}
