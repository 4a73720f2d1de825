import { expandTemplate, type MacroView, macrosOf } from '../operators/index.ts'
import { lowercase } from '../transformations/case.ts'
import { flatCopy } from '../transformations/scratch.ts'
import type { Entry } from '../variables/entry.ts'
import type { Variable } from '../variables/state.ts'
import { nameOf } from '../variables/value-name.ts'
import type { CompiledRule, InertMatches } from './compiled.ts'
import { hasRule, type RuleBits } from './rule-bits.ts'
import type { TxUses } from './tx-uses.ts'

/**
 * Values for which a rule sets variables of TX that no enabled rule can use. An example: rule 921170 of the CRS
 * counts the names of arguments in one variable each. Only a rule of paranoia level 3 reads them. Which rules can use
 * a variable is kept by the value's key, for all masks.
 */
export class UnreadVariables implements InertMatches {
  readonly #rule: CompiledRule
  readonly #uses: TxUses
  /** Rules that use the variable of any key. */
  readonly #always: readonly number[]
  readonly #known = new Map<string, readonly number[]>()
  #enabled: RuleBits = []
  #isRead = false

  constructor(rule: CompiledRule, uses: TxUses) {
    this.#rule = rule
    this.#uses = uses
    this.#always = this.#usersFor('')
  }

  begin(_view: MacroView, enabled: RuleBits): void {
    this.#enabled = enabled
    this.#isRead = this.#isEnabled(this.#always)
  }

  has({ key }: Entry, variable: Variable): boolean {
    if (this.#isRead || key.length > keptKeyBytes) return false
    return !this.#isEnabled(this.#known.get(key) ?? this.#learn(key, variable))
  }

  #isEnabled(rules: readonly number[]): boolean {
    for (let i = 0; i < rules.length; i++) {
      if (rules[i]! < 0 || hasRule(this.#enabled, rules[i]!)) return true
    }
    return false
  }

  #learn(key: string, variable: Variable): readonly number[] {
    if (this.#known.size >= keysKept) this.#known.clear()
    const users = this.#usersFor(nameOf(variable, key))
    this.#known.set(flatCopy(key), users)
    return users
  }

  /** @param matched name of the value */
  #usersFor(matched: string): readonly number[] {
    const [link] = this.#rule.links
    const view: MacroView = { expand: () => matched, limitReached: () => {} }
    return link!.effects.flatMap(({ sets }) =>
      this.#uses.rulesFor(lowercase(expandTemplate(sets!.name, view)), [link!]),
    )
  }
}

/**
 * Whether the rule does nothing but set variables whose names hold MATCHED_VAR_NAME. Other rules see its match by these
 * variables only, and by MATCHED_VAR.
 */
export function setsByName({ links, prefiltered, logged, info }: CompiledRule): boolean {
  const [{ targets, capture, multiMatch, disturbs, effects }] = links as [CompiledRule['links'][number]]
  if (!prefiltered || logged || info.score > 0 || links.length > 1) return false
  if (targets.length > 1 || capture || multiMatch !== undefined || disturbs) return false
  return effects.length > 0 && effects.every(({ sets }) => sets !== undefined && holdsName(sets.name))
}

function holdsName(name: Parameters<typeof macrosOf>[0]): boolean {
  const macros = macrosOf(name)
  return macros.length > 0 && macros.every(({ collection }) => collection === 'MATCHED_VAR_NAME')
}

const keptKeyBytes = 64
const keysKept = 1000
