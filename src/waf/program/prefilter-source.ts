import { buildPrefilterTables, type PrefilterTables } from '../prefilter/prefilter-tables.ts'
import {
  needsOf,
  type PrefilterFacts,
  prefilterFacts,
  type RuleNeeds,
} from '../prefilter/prefiltered-rule.ts'
import type { CompiledRule } from './compiled.ts'
import { type Side, sideOf } from './rule-search.ts'

/** The source of a program's prefilters. */
export interface PrefilterSource {
  /** Facts of a prefiltered rule. */
  facts(rule: CompiledRule): PrefilterFacts
  /** Tables for the prefiltered rules that test values of that side. Called once. */
  tables(side: Side): PrefilterTables
}

/** Computes everything. */
export class NewPrefilters implements PrefilterSource {
  readonly #rules: readonly CompiledRule[]
  /** By index. */
  readonly #needs = new Map<number, RuleNeeds>()

  /** @param rules all prefiltered rules, by index */
  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules
    const bits = { given: 0 }
    for (const rule of rules) this.#needs.set(rule.info.index, needsOf(rule.links[0]!, bits))
  }

  facts(rule: CompiledRule): PrefilterFacts {
    return prefilterFacts(this.#needs.get(rule.info.index)!)
  }

  tables(side: Side): PrefilterTables {
    const onSide = this.#rules.filter(rule =>
      rule.links[0]!.targets.some(target => sideOf(target.variable) === side),
    )
    return buildPrefilterTables(
      new Map(onSide.map(({ info }) => [info.index, this.#needs.get(info.index)!] as const)),
    )
  }
}
