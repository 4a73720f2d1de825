import {
  levelOfRule,
  levelOfTag,
  type ManagedRule,
  numberAndMessage,
} from '../../../domain/ruleset/owasp/document.ts'
import type { RuleState } from '../../../domain/ruleset/owasp/effective.ts'

/** A scoring rule in the list. */
export interface RuleRow {
  readonly rule: ManagedRule
  /** CRS number, such as `942100`. */
  readonly number: string
  readonly message: string
  readonly level: number
  /** Without the tag of its level. */
  readonly tags: readonly string[]
  readonly points: number
  /** With the draft. */
  readonly state: RuleState
  /** As deployed. */
  readonly wasOn: boolean
}

export const stateFilters = ['all', 'on', 'off', 'own', 'draft'] as const
export type StateFilter = (typeof stateFilters)[number]

export interface RuleSearch {
  /** Words that must all occur in the number, id, message or a tag. */
  readonly text: string
  /** Empty for any. */
  readonly tag: string
  readonly level: number | undefined
  readonly state: StateFilter
}

export function rowOf(rule: ManagedRule, state: RuleState, wasOn: boolean): RuleRow {
  const { number, message } = numberAndMessage(rule)
  const tags = (rule.categories ?? []).filter(tag => levelOfTag(tag) === undefined)
  const points = rule.action_parameters?.increment ?? 0
  return { rule, number, message, level: levelOfRule(rule), tags, points, state, wasOn }
}

export function searchRules(rows: readonly RuleRow[], search: RuleSearch): readonly RuleRow[] {
  const words = search.text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(
    row =>
      (search.tag === '' || row.tags.includes(search.tag)) &&
      (search.level === undefined || row.level === search.level) &&
      hasState(row, search.state) &&
      hasWords(row, words),
  )
}

function hasState(row: RuleRow, state: StateFilter): boolean {
  if (state === 'on') return row.state.on
  if (state === 'off') return !row.state.on
  if (state === 'own') return row.state.reason.by === 'rule'
  if (state === 'draft') return row.state.on !== row.wasOn
  return true
}

function hasWords({ number, message, tags, rule, level }: RuleRow, words: readonly string[]): boolean {
  const text =
    `${number} ${rule.id} ${message} ${tags.join(' ')} paranoia-level-${level} pl${level}`.toLowerCase()
  return words.every(word => text.includes(word))
}

/** All tags with the number of their rules, most rules first. */
export function tagCounts(
  rows: readonly RuleRow[],
): readonly { readonly tag: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const { tags } of rows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
}

/** Why a rule is enabled or disabled. */
export function reasonText({ on, reason }: RuleState): string {
  const is = on ? 'Enabled' : 'Disabled'
  if (reason.by === 'rule') return `${is} by a rule override.`
  if (reason.by === 'tag') return `${is} by an override of the tag ${reason.tag}.`
  if (reason.by === 'level') return `${is} by the paranoia level.`
  if (reason.by === 'ruleset') return `${is} by an override of the ruleset.`
  return `${is} by default.`
}
