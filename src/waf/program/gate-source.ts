import { buildGateTables, type GateTables } from '../gate/gate-tables.ts'
import { type GateFacts, gateFacts, needsOf, type RuleNeeds } from '../gate/gated-rule.ts'
import type { CompiledRule } from './compiled.ts'
import { type Side, sideOf } from './rule-search.ts'

/** Where a program gets from what its gates are made of. */
export interface GateSource {
  /** Of a gated rule. */
  facts(rule: CompiledRule): GateFacts
  /** Of the gated rules that look at values of that side. To be asked once. */
  tables(side: Side): GateTables
}

/** Works everything out. */
export class NewGates implements GateSource {
  readonly #rules: readonly CompiledRule[]
  /** By index. */
  readonly #needs = new Map<number, RuleNeeds>()

  /** @param rules all that are gated, by index */
  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules
    const bits = { given: 0 }
    for (const rule of rules) this.#needs.set(rule.info.index, needsOf(rule.links[0]!, bits))
  }

  facts(rule: CompiledRule): GateFacts {
    return gateFacts(this.#needs.get(rule.info.index)!)
  }

  tables(side: Side): GateTables {
    const onSide = this.#rules.filter(rule =>
      rule.links[0]!.targets.some(target => sideOf(target.variable) === side),
    )
    return buildGateTables(
      new Map(onSide.map(({ info }) => [info.index, this.#needs.get(info.index)!] as const)),
    )
  }
}
