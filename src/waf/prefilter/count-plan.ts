import { holds, type MacroView } from '../operators/index.ts'
import type { CompiledLink, CompiledRule, CompiledTarget } from '../program/compiled.ts'
import { addRule, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import { Entry } from '../variables/entry.ts'
import { hasValuesIn } from './prefiltered-rule.ts'

/** The rules that a number of values of one target, such as `&REQUEST_HEADERS:Host`, finds or rules out. */
export interface CountFacts {
  /** Rules whose first link matches the number; undefined for none. */
  readonly matching: RuleBits | undefined
  /** Rules with a later link that cannot match; undefined for none. */
  readonly excluded: RuleBits | undefined
}

/** A link of the rule that depends on how many values a target has. */
export interface CountedLink {
  readonly rule: CompiledRule
  readonly link: CompiledLink
}

export class CountPlan {
  readonly target: CompiledTarget
  readonly #links: readonly CountedLink[]
  readonly #ruleCount: number
  /** By number of values, once needed. */
  readonly #known: CountFacts[] = []

  /** @param links with the same target: first links that count it, and `excludableLinks` */
  constructor(target: CompiledTarget, links: readonly CountedLink[], ruleCount: number) {
    this.target = target
    this.#links = links
    this.#ruleCount = ruleCount
  }

  factsOf(values: number, view: MacroView): CountFacts {
    if (values >= countsKnown) return this.#find(values, view)
    const known = this.#known[values]
    if (known !== undefined) return known
    const found = this.#find(values, view)
    this.#known[values] = found
    return found
  }

  #find(values: number, view: MacroView): CountFacts {
    const matching: CompiledRule[] = []
    const excluded: CompiledRule[] = []
    for (const { rule, link } of this.#links) {
      const isFirst = link === rule.links[0]
      if (mayMatch(link, values, view)) {
        if (isFirst) matching.push(rule)
      } else if (!isFirst) excluded.push(rule)
    }
    return { matching: this.#bitsOf(matching), excluded: this.#bitsOf(excluded) }
  }

  #bitsOf(rules: readonly CompiledRule[]): RuleBits | undefined {
    if (rules.length === 0) return undefined
    const bits = newRuleBits(this.#ruleCount)
    for (const { info } of rules) addRule(bits, info.index)
    return bits
  }
}

const countsKnown = 16

/** Whether a link with that number of values may match: for certain, if it counts them. */
function mayMatch(link: CompiledLink, values: number, view: MacroView): boolean {
  const { operator, negated, transform, multiMatch, targets } = link
  if (!targets[0]!.count) return values > 0
  const number = new Entry('', String(values))
  return (multiMatch ?? [transform]).some(node => holds(operator!, negated, node.valueOf(number), view))
}

/**
 * Later links of a prefiltered chain that a number of values can exclude. Links before them have no effects: without the
 * whole chain, the rule then has no consequence, except for MATCHED_VAR.
 */
export function excludableLinks({ prefiltered, links, info }: CompiledRule): readonly CompiledLink[] {
  if (!prefiltered) return []
  const found: CompiledLink[] = []
  for (let i = 1; i < links.length; i++) {
    if (links[i - 1]!.effects.length > 0 || links[i - 1]!.capture) break
    const { operator, targets } = links[i]!
    const [target, ...others] = targets
    if (operator === undefined || target === undefined || others.length > 0) continue
    if (!hasValuesIn(target.variable, info.phase) || (target.count && operator.macros.length > 0)) continue
    if (target.pattern === undefined && target.exclusions.length === 0) found.push(links[i]!)
  }
  return found
}
