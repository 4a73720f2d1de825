import {
  type ExecuteRule,
  levelOfTag,
  type ManagedAction,
  type ManagedRuleset,
  type Overrides,
  verdictOf,
} from './document.ts'

export type Level = 1 | 2 | 3 | 4

/** The deployment of the managed ruleset, as the page shows it. */
export interface Settings {
  readonly deployed: boolean
  /** Enabled state of the rule that executes the ruleset. */
  readonly enabled: boolean
  /** Expression of the inspected requests; `true` for all. */
  readonly expression: string
  /** For PL1 to PL4: whether its rules are enabled, as far as levels decide. */
  readonly levels: readonly [boolean, boolean, boolean, boolean]
  readonly threshold: number
  readonly action: ManagedAction
  /** False when the last rule is disabled: scores are logged, and no action is taken. */
  readonly acts: boolean
  /** Rules with overrides that enable or disable them. */
  readonly rules: ReadonlyMap<string, boolean>
  /** Tags with overrides that enable or disable them; levels are not included. */
  readonly tags: ReadonlyMap<string, boolean>
  /** Public key of payload logging; empty when disabled. */
  readonly publicKey: string
  /** `latest`, or a version number. */
  readonly version: string
}

/** @param rule undefined when not deployed: returns the initial settings of a deployment */
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

/** @returns undefined when the enabled levels are not a range from PL1 */
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

/** The last matching entry wins, as at the edge. */
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
