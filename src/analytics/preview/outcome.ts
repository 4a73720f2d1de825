import { bytesOfText } from '../../kit/bytes.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { compileRegex } from '../../regex/index.ts'
import { holding } from '../values.ts'
import type { PreviewedRule, PreviewedSkip, PreviewedTarget, PreviewOutcome } from './types.ts'

/** The effect of a skip on the managed rules of one event. */
export interface SkipOutcome {
  readonly outcome: Exclude<PreviewOutcome, 'undecided'>
  readonly score: number
  readonly remainingScore: number
  readonly threshold: number
  readonly rules: readonly PreviewedRule[]
}

/** A compiled skip, to be applied to many events. */
export interface ReadySkip {
  readonly rulesets: 'all' | ReadonlySet<string>
  /** By managed ruleset. */
  readonly rules: ReadonlyMap<string, ReadonlySet<string>>
  readonly targets: readonly ReadyTarget[]
  readonly lastRules: ReadonlySet<string>
}

interface ReadyTarget {
  readonly ruleset: string
  readonly rules: ReadonlySet<string>
  readonly covers: (target: string) => boolean
}

export function readySkip(skip: PreviewedSkip, lastRules: readonly string[]): ReadySkip {
  return {
    rulesets: skip.rulesets === 'all' ? 'all' : new Set(skip.rulesets),
    rules: new Map(Object.entries(skip.rules).map(([ruleset, ids]) => [ruleset, new Set(ids)])),
    targets: skip.targets.map(readyTarget),
    lastRules: new Set(lastRules),
  }
}

/** Recorded targets have the form `ARGS:q`; a truncated or redacted key is compared as recorded. */
function readyTarget({ ruleset, rules, collection, key, keyPattern }: PreviewedTarget): ReadyTarget {
  const ready = { ruleset, rules: new Set(rules) }
  const prefix = `${collection}:`
  if (keyPattern !== undefined) {
    const compiled = compileRegex(bytesOfText(keyPattern), { dialect: 'pcre', caseInsensitive: true })
    const matches = (text: string) => compiled.ok && compiled.matcher.test(bytesOfText(text))
    return {
      ...ready,
      covers: target => target.startsWith(prefix) && matches(target.slice(prefix.length)),
    }
  }
  if (key === undefined)
    return { ...ready, covers: target => target === collection || target.startsWith(prefix) }
  const wanted = `${prefix}${key}`.toLowerCase()
  return { ...ready, covers: target => target.toLowerCase() === wanted }
}

interface Metadata {
  readonly type?: unknown
  readonly ruleset_id?: unknown
  readonly score?: unknown
  readonly threshold?: unknown
  readonly rules?: unknown
  readonly rules_omitted?: unknown
}

/** @param fields of a `firewall_events` record; undefined for records without an action, such as a shadow's */
export function outcomeOf(fields: LogRecord, skip: ReadySkip): SkipOutcome | undefined {
  const metadata = (fields['Metadata'] ?? {}) as Metadata
  const { type, ruleset_id: ruleset } = metadata
  if (type !== 'managed') return { outcome: 'unaffected', ...noScores }
  if (typeof metadata.score !== 'number' || typeof ruleset !== 'string') return undefined
  const rules = matchedRules(metadata, ruleset, skip)
  const scores = {
    score: metadata.score,
    remainingScore: metadata.score - pointsOf(rules, rule => rule.skipped !== 'not'),
    threshold: typeof metadata.threshold === 'number' ? metadata.threshold : 0,
    rules: rules.map(({ skipped, ...rule }): PreviewedRule => ({ ...rule, skipped: skipped !== 'not' })),
  }
  if (!holding.has(textOf(fields['Action']))) return { outcome: 'not_held_up', ...scores }
  const outcome = heldOutcome({ fields, metadata, ruleset, rules, scores }, skip)
  return { outcome, ...scores }
}

const noScores = { score: 0, remainingScore: 0, threshold: 0, rules: [] }

interface Held {
  readonly fields: LogRecord
  readonly metadata: Metadata
  readonly ruleset: string
  readonly rules: readonly MatchedRule[]
  readonly scores: { readonly score: number; readonly threshold: number }
}

function heldOutcome(
  { fields, metadata, ruleset, rules, scores }: Held,
  skip: ReadySkip,
): SkipOutcome['outcome'] {
  if (skip.rulesets === 'all' || skip.rulesets.has(ruleset)) return 'let_through'
  const off = skip.rules.get(ruleset)
  const targets = skip.targets.filter(target => target.ruleset === ruleset)
  if (off === undefined && targets.length === 0) return 'unaffected'
  const acted = textOf(fields['RuleID'])
  if (off?.has(acted) && skip.lastRules.has(acted)) return 'let_through'
  // A rule that stopped the request by itself: without it, the score decides.
  const stopped = !skip.lastRules.has(acted)
  if (stopped && !off?.has(acted)) return 'still_held_up'
  const { score, threshold } = scores
  if (score - pointsOf(rules, rule => rule.skipped === 'whole') < threshold) return 'let_through'
  if (score - pointsOf(rules, rule => rule.skipped !== 'not') < threshold) return 'possibly_let_through'
  return metadata.rules_omitted === undefined ? 'still_held_up' : 'possibly_let_through'
}

interface MatchedRule extends Omit<PreviewedRule, 'skipped'> {
  /** `target`: the rule would not inspect its first match; it may match elsewhere. */
  readonly skipped: 'whole' | 'target' | 'not'
}

function matchedRules({ rules }: Metadata, ruleset: string, skip: ReadySkip): readonly MatchedRule[] {
  if (!Array.isArray(rules)) return []
  const all = skip.rulesets === 'all' || skip.rulesets.has(ruleset)
  return rules.map((entry: Readonly<Record<string, unknown>>) => {
    const [id, target] = [textOf(entry['id']), textOf(entry['target'])]
    const score = typeof entry['score'] === 'number' ? entry['score'] : 0
    const whole = all || (skip.rules.get(ruleset)?.has(id) ?? false)
    const covered = skip.targets.some(
      one => one.ruleset === ruleset && one.rules.has(id) && one.covers(target),
    )
    return {
      id,
      ref: textOf(entry['ref']),
      score,
      target,
      skipped: whole ? 'whole' : covered ? 'target' : 'not',
    }
  })
}

function pointsOf(rules: readonly MatchedRule[], counts: (rule: MatchedRule) => boolean): number {
  let points = 0
  for (const rule of rules) if (counts(rule)) points += rule.score
  return points
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
