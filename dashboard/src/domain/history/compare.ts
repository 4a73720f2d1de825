import type { HistoryRule, HistoryRuleset } from './documents.ts'

/** One member of a rule, such as `action_parameters.response.status_code`; undefined when absent. */
export interface MemberDifference {
  readonly member: string
  readonly from: string | undefined
  readonly to: string | undefined
}

export interface ChangedRule {
  readonly before: HistoryRule
  readonly after: HistoryRule
  readonly members: readonly MemberDifference[]
}

export interface MovedRule {
  readonly rule: HistoryRule
  /** Positions in the old and in the new list, from 1. */
  readonly from: number
  readonly to: number
}

export interface RulesetDifference {
  readonly description: MemberDifference | undefined
  readonly added: readonly HistoryRule[]
  readonly removed: readonly HistoryRule[]
  readonly changed: readonly ChangedRule[]
  readonly moved: readonly MovedRule[]
}

/** Rules match by id or by ref: a rule that was deleted and restored has a new id. */
export function compareRulesets(before: HistoryRuleset, after: HistoryRuleset): RulesetDifference {
  const old = new Lookup(before.rules)
  const pairs = after.rules.flatMap(rule => {
    const match = old.find(rule)
    return match === undefined ? [] : [{ before: match, after: rule }]
  })
  const [kept, known] = [new Set(pairs.map(pair => pair.before)), new Set(pairs.map(pair => pair.after))]
  return {
    description: membersOf(before.description, after.description, 'description')[0],
    added: after.rules.filter(rule => !known.has(rule)),
    removed: before.rules.filter(rule => !kept.has(rule)),
    changed: pairs
      .map(pair => ({ ...pair, members: ruleMembers(pair.before, pair.after) }))
      .filter(({ members }) => members.length > 0),
    moved: movedRules(before, after, pairs),
  }
}

export function isSame({ description, added, removed, changed, moved }: RulesetDifference): boolean {
  return description === undefined && added.length + removed.length + changed.length + moved.length === 0
}

class Lookup {
  readonly #byId: ReadonlyMap<string, HistoryRule>
  readonly #byRef: ReadonlyMap<string, HistoryRule>

  constructor(rules: readonly HistoryRule[]) {
    this.#byId = new Map(rules.map(rule => [rule.id, rule]))
    this.#byRef = new Map(rules.flatMap(rule => (rule.ref === undefined ? [] : [[rule.ref, rule]])))
  }

  find({ id, ref }: HistoryRule): HistoryRule | undefined {
    return this.#byId.get(id) ?? (ref === undefined ? undefined : this.#byRef.get(ref))
  }
}

/**
 * The body that restores an old version as the newest one. Existing rules keep their ids; rules deleted since then
 * come back by their refs.
 */
export function restoreBody(old: HistoryRuleset, current: HistoryRuleset): object {
  const ids = new Set(current.rules.map(({ id }) => id))
  const rules = old.rules.map(rule => {
    const { id, version: _, last_updated: __, ...definition } = rule as HistoryRule & Record<string, unknown>
    return ids.has(id) ? { id, ...definition } : definition
  })
  return { description: old.description, rules }
}

/** Rules of both versions that are not part of the longest run in unchanged order. */
function movedRules(
  before: HistoryRuleset,
  after: HistoryRuleset,
  pairs: readonly { readonly before: HistoryRule; readonly after: HistoryRule }[],
): readonly MovedRule[] {
  const oldIndexes = new Map(before.rules.map((rule, index) => [rule, index]))
  const newIndexes = new Map(after.rules.map((rule, index) => [rule, index]))
  const indexes = pairs.map(pair => oldIndexes.get(pair.before)!)
  const stayed = longestIncreasing(indexes)
  return pairs
    .filter((_, index) => !stayed.has(index))
    .map(pair => ({
      rule: pair.after,
      from: oldIndexes.get(pair.before)! + 1,
      to: newIndexes.get(pair.after)! + 1,
    }))
}

/** Indexes of one longest increasing subsequence; n log n. */
function longestIncreasing(values: readonly number[]): ReadonlySet<number> {
  const tails: number[] = []
  const previous: number[] = []
  for (const [index, value] of values.entries()) {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[tails[middle]!]! < value) low = middle + 1
      else high = middle
    }
    previous[index] = low === 0 ? -1 : tails[low - 1]!
    tails[low] = index
  }
  const indexes = new Set<number>()
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index]!) indexes.add(index)
  return indexes
}

/** Members that the server sets; they do not change a rule's behaviour. */
const served = new Set(['id', 'version', 'last_updated', 'ref', 'categories', 'score_threshold'])

function ruleMembers(before: HistoryRule, after: HistoryRule): readonly MemberDifference[] {
  const [a, b] = [before, after] as unknown as readonly Readonly<Record<string, unknown>>[]
  const names = new Set([...Object.keys(a!), ...Object.keys(b!)].filter(name => !served.has(name)))
  return [...names].flatMap(name => membersOf(a![name], b![name], name))
}

/** Recurses to the members that differ; lists are compared whole. */
function membersOf(before: unknown, after: unknown, member: string): readonly MemberDifference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap(name => membersOf(before[name], after[name], `${member}.${name}`))
  }
  const [from, to] = [shown(before), shown(after)]
  return from === to ? [] : [{ member, from, to }]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
