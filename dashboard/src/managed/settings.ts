import {
  type ExecuteRule,
  levelOfTag,
  type ManagedAction,
  type ManagedRuleset,
  type Overrides,
  verdictOf,
} from './document.ts'

export type Level = 1 | 2 | 3 | 4

/** How the managed ruleset is deployed, in the terms of the page. */
export interface Settings {
  readonly deployed: boolean
  /** Of the rule that deploys it. */
  readonly enabled: boolean
  /** Which requests it sees; `true` for all. */
  readonly expression: string
  /** Whether rules of PL1, PL2, PL3 and PL4 are on, as far as levels decide. */
  readonly levels: readonly [boolean, boolean, boolean, boolean]
  readonly threshold: number
  readonly action: ManagedAction
  /** False when the last rule is off: scores are counted and nothing is done. */
  readonly acts: boolean
  /** Rules that are switched on or off by themselves. */
  readonly rules: ReadonlyMap<string, boolean>
  /** Tags that are switched on or off; levels are not among them. */
  readonly tags: ReadonlyMap<string, boolean>
  /** For payload logging; empty when it is off. */
  readonly publicKey: string
  /** `latest`, or the number of a version. */
  readonly version: string
}

/** @param rule undefined when the ruleset is not deployed: what a deployment begins with */
export function readSettings(rule: ExecuteRule | undefined, ruleset: ManagedRuleset): Settings {
  const verdict = verdictOf(ruleset)
  const { overrides = {}, matched_data, version = 'latest' } = rule?.action_parameters ?? {}
  const ofVerdict = (overrides.rules ?? []).filter(({ id }) => id === verdict.id)
  const last = <K extends 'action' | 'enabled' | 'score_threshold'>(name: K) =>
    ofVerdict.findLast(entry => entry[name] !== undefined)?.[name]
  return {
    deployed: rule !== undefined,
    enabled: rule?.enabled ?? true,
    expression: rule?.expression ?? 'true',
    levels: [1, 2, 3, 4].map(level => isLevelOn(overrides, level)) as unknown as Settings['levels'],
    threshold: last('score_threshold') ?? verdict.threshold,
    action: last('action') ?? overrides.action ?? verdict.action,
    acts: last('enabled') ?? overrides.enabled ?? true,
    rules: switches(overrides.rules, entry => (entry.id === verdict.id ? undefined : entry.id)),
    tags: switches(overrides.categories, ({ category }) =>
      levelOfTag(category) === undefined ? category : undefined,
    ),
    publicKey: matched_data?.public_key ?? '',
    version,
  }
}

/** @returns undefined when the levels that are on are not PL1 up to one of them */
export function levelOf({ levels }: Pick<Settings, 'levels'>): Level | undefined {
  const highest = levels.lastIndexOf(true) + 1
  const isWhole = highest > 0 && levels.slice(0, highest).every(on => on)
  return isWhole ? (highest as Level) : undefined
}

export function isLevelOn(overrides: Overrides, level: number): boolean {
  const own = overrides.categories?.findLast(
    ({ category, enabled }) => category === `paranoia-level-${level}` && enabled !== undefined,
  )
  return own?.enabled ?? overrides.enabled ?? true
}

/** The last entry that says something wins, as at the edge. */
function switches<Entry extends { readonly enabled?: boolean }>(
  entries: readonly Entry[] = [],
  keyOf: (entry: Entry) => string | undefined,
): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key !== undefined && entry.enabled !== undefined) found.set(key, entry.enabled)
  }
  return found
}
