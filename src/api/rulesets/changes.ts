import type { Rule, Ruleset } from '../../model/resource.ts'

/** The differences between two versions of a ruleset. */
export interface RulesetChanges {
  /** Old and new, when it changed. */
  readonly description?: readonly [before: string, after: string]
  readonly added: readonly Rule[]
  readonly removed: readonly Rule[]
  readonly changed: readonly ChangedRule[]
  /** Rules that moved among the kept rules; the smallest possible set. */
  readonly moved: readonly MovedRule[]
}

export interface ChangedRule {
  readonly rule: Rule
  /** Names of members, as the API spells them. */
  readonly members: readonly string[]
}

export interface MovedRule {
  readonly rule: Rule
  /** Positions in the list, from 1. */
  readonly from: number
  readonly to: number
}

export function rulesetChanges(before: Ruleset, after: Ruleset): RulesetChanges {
  const old = new Map(before.rules.map((rule, at) => [rule.id, { rule, at }]))
  const kept = after.rules.filter(rule => old.has(rule.id))
  const keptIds = new Set(kept.map(rule => rule.id))
  return {
    ...(before.description === after.description
      ? {}
      : { description: [before.description, after.description] as const }),
    added: after.rules.filter(rule => !keptIds.has(rule.id)),
    removed: before.rules.filter(rule => !keptIds.has(rule.id)),
    changed: kept
      .map(rule => ({ rule, members: changedMembers(old.get(rule.id)!.rule, rule) }))
      .filter(({ members }) => members.length > 0),
    moved: movedRules(before.rules, after.rules, keptIds),
  }
}

const members: readonly (readonly [wire: string, of: (rule: Rule) => unknown])[] = [
  ['action', rule => rule.action],
  ['action_parameters', rule => rule.actionParameters],
  ['expression', rule => rule.expression],
  ['description', rule => rule.description],
  ['enabled', rule => rule.enabled],
  ['ref', rule => rule.ref],
  ['logging', rule => rule.logging],
  ['ratelimit', rule => rule.ratelimit],
]

function changedMembers(before: Rule, after: Rule): readonly string[] {
  return members.filter(([, of]) => !sameText(of(before), of(after))).map(([name]) => name)
}

/** Documents are stored as sent, so even another order of keys is a change. */
function sameText(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function movedRules(
  before: readonly Rule[],
  after: readonly Rule[],
  kept: ReadonlySet<string>,
): readonly MovedRule[] {
  const positionBefore = new Map(before.map((rule, at) => [rule.id, at]))
  const order = after.map((rule, at) => ({ rule, at })).filter(({ rule }) => kept.has(rule.id))
  const stayed = longestRising(order.map(({ rule }) => positionBefore.get(rule.id)!))
  return order
    .filter((_, at) => !stayed.has(at))
    .map(({ rule, at }) => ({ rule, from: positionBefore.get(rule.id)! + 1, to: at + 1 }))
}

/** Indices of a longest rising subsequence of different numbers; O(n log n). */
function longestRising(values: readonly number[]): ReadonlySet<number> {
  /** Index of the smallest value that ends a rising sequence of each length. */
  const ends: number[] = []
  const previous: number[] = []
  for (const [at, value] of values.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[ends[middle]!]! < value) low = middle + 1
      else high = middle
    }
    previous[at] = low === 0 ? -1 : ends[low - 1]!
    ends[low] = at
  }
  const chosen = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) chosen.add(at)
  return chosen
}

/** `1 rule added, 2 removed, the description changed`. */
export function changesText(changes: RulesetChanges): string {
  const counts = [
    [changes.added.length, 'added'],
    [changes.removed.length, 'removed'],
    [changes.changed.length, 'changed'],
    [changes.moved.length, 'moved'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  const rules = parts.length === 0 ? [] : [`rules: ${parts.join(', ')}`]
  const description = changes.description === undefined ? [] : ['the description changed']
  return [...rules, ...description].join('; ') || 'none'
}

/** The same for programs. */
export function changesToWire(changes: RulesetChanges): object {
  const { description } = changes
  return {
    ...(description === undefined ? {} : { description: { from: description[0], to: description[1] } }),
    rules: {
      added: changes.added.map(shortRule),
      removed: changes.removed.map(shortRule),
      changed: changes.changed.map(({ rule, members }) => ({ ...shortRule(rule), members })),
      moved: changes.moved.map(({ rule, from, to }) => ({ ...shortRule(rule), from, to })),
    },
  }
}

function shortRule(rule: Rule): object {
  return {
    id: rule.id,
    ref: rule.ref,
    action: rule.action,
    ...(rule.description === undefined ? {} : { description: rule.description }),
  }
}
