import { analyticsLimits } from '../limits.ts'
import { ruleName } from '../texts.ts'

/** Matched rules as counted, each once; see `ruleName`. */
export type RuleNames = readonly string[]

/**
 * Reads lists of matched rules from their JSON. The attacks of a flood match the same rules in the same places, and their
 * lists take longer to parse than the rest of their records: so the last lists are kept by their text.
 */
export class RuleLists {
  readonly #namesIn: (value: unknown) => RuleNames
  readonly #kept = new Map<string, RuleNames>()

  /** @param namesIn the rules of a parsed list */
  constructor(namesIn: (value: unknown) => RuleNames) {
    this.#namesIn = namesIn
  }

  /** @returns undefined if the text is more than a list: other fields of its record follow */
  of(json: string): RuleNames | undefined {
    const known = this.#kept.get(json)
    if (known !== undefined) return known
    const value = listIn(json)
    if (value === undefined) return undefined
    const names = this.#namesIn(value)
    if (json.length > analyticsLimits.ruleListCharacters) return names
    if (this.#kept.size >= analyticsLimits.ruleListsKnownMax) this.#kept.clear()
    // A copy: a part of a record would keep the whole record.
    this.#kept.set(Buffer.from(json).toString(), names)
    return names
  }
}

/** An array or an object. */
function listIn(json: string): unknown {
  // The usual fields that may follow are texts, which this excludes without an error.
  if (!json.endsWith(']') && !json.endsWith('}')) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Rules of `MatchedRules` in a request's record. */
export function rulesOfRuns(runs: unknown): RuleNames {
  const names = new Set<string>()
  for (const run of listOf(runs))
    for (const rule of listOf(run?.rules)) addName(names, rule?.id, rule?.metadata?.ref)
  return listed(names)
}

/** Rules of `Metadata` in an event. */
export function rulesOfMetadata(metadata: unknown): RuleNames {
  const { rules } = (metadata ?? {}) as { readonly rules?: unknown }
  const names = new Set<string>()
  for (const rule of listOf(rules)) addName(names, rule?.id, rule?.ref)
  return listed(names)
}

/** The acting rules of a request, in `SecurityRuleIDs`, and then its matched rules. */
export function withActingRules(ids: unknown, matched: RuleNames): RuleNames {
  const acting = listOf(ids)
  if (acting.length === 0) return matched
  const names = new Set<string>()
  for (const id of acting) addName(names, id, '')
  for (const name of matched) if (names.size < analyticsLimits.matchedRulesMax) names.add(name)
  return listed(names)
}

/**
 * Solved challenges are listed with an empty rule. Rules without an id are helpers of the sources, and cannot be
 * overridden.
 */
function addName(names: Set<string>, id: unknown, ref: unknown): void {
  if (typeof id === 'string' && id !== '' && names.size < analyticsLimits.matchedRulesMax)
    names.add(ruleName(id, typeof ref === 'string' ? ref : ''))
}

// biome-ignore lint/suspicious/noExplicitAny: on a shared server anybody may have written anything
function listOf(value: unknown): readonly any[] {
  if (!Array.isArray(value)) return noRules
  const { matchedRulesMax } = analyticsLimits
  return value.length > matchedRulesMax ? value.slice(0, matchedRulesMax) : value
}

function listed(names: ReadonlySet<string>): RuleNames {
  return names.size === 0 ? noRules : [...names]
}

const noRules: readonly string[] = []
