import type { EffectView } from './actions/effect.ts'
import {
  type Captures,
  expandTemplate,
  type Macro,
  type OperatorView,
  type Template,
} from './operators/index.ts'
import type {
  CompiledLink,
  CompiledRule,
  CompiledTarget,
  Exclusion,
  RuleSelection,
  Verdict,
} from './program/compiled.ts'
import { excludes } from './program/targets.ts'
import { SelectedValues } from './selected-values.ts'
import type { RuleMatch } from './types.ts'
import { TransactionCaptures } from './variables/captures.ts'
import { Entry } from './variables/entry.ts'
import type { PersistentStore } from './variables/persistent.ts'
import { nameOf, type TransactionState } from './variables/state.ts'
import { variables } from './variables/table.ts'

/** Evaluates the rules of one transaction, one by one, and remembers what matched. */
export class Evaluation implements OperatorView, EffectView {
  readonly state: TransactionState
  readonly store: PersistentStore
  /** Matches of rules without `nolog`, a rule once. */
  readonly matches: RuleMatch[] = []
  requestScore = 0
  responseScore = 0
  /** Where operators put captures; undefined while a link without `capture` is evaluated. */
  captures: Captures | undefined
  readonly #transactionCaptures: Captures
  readonly #selected: SelectedValues
  /** 1 at the index of each rule that has matched. */
  readonly #matched: Uint8Array
  /** 1 at the index of each rule that a `ctl` has switched off. */
  #removed: Uint8Array | undefined
  #removedTargets: { readonly rules: RuleSelection; readonly target: Exclusion }[] = []
  /** Those of `#removedTargets` that concern the current rule. */
  #targetsToSkip: readonly Exclusion[] = noExclusions

  constructor(state: TransactionState, store: PersistentStore, ruleCount: number) {
    this.state = state
    this.store = store
    this.#matched = new Uint8Array(ruleCount)
    this.#transactionCaptures = new TransactionCaptures(state.tx)
    this.#selected = new SelectedValues(state)
  }

  /** To be said whenever the transaction has learnt more: of the body, of the response. */
  beginPhase(): void {
    this.#selected.forget()
  }

  readonly expand = (macro: Macro): string => {
    const variable = variables.get(macro.collection)
    if (variable === undefined) return ''
    const collection = this.state.valuesOf(variable)
    const entries = macro.key === undefined ? collection.all() : collection.named(macro.key)
    return entries[0]?.value ?? ''
  }

  expandAll(template: Template): string {
    return expandTemplate(template, this.expand)
  }

  removeRules(rules: RuleSelection): void {
    this.#removed ??= new Uint8Array(this.#matched.length)
    for (let i = 0; i < this.#removed.length; i++) this.#removed[i]! |= rules.member[i]!
  }

  removeTarget(rules: RuleSelection, target: Exclusion): void {
    const known = this.#removedTargets.some(removed => removed.rules === rules && removed.target === target)
    if (!known) this.#removedTargets.push({ rules, target })
  }

  /**
   * Evaluates a rule with its chain. Links act as soon as they match; the verdict counts once the last one has.
   * @returns the rule's verdict when it matched
   */
  run(rule: CompiledRule): Verdict | undefined {
    const { index } = rule.info
    if (this.#removed !== undefined && this.#removed[index] === 1) return undefined
    this.state.rule = rule.info
    if (this.#removedTargets.length > 0) this.#targetsToSkip = this.#targetsRemovedFrom(index)
    const { links } = rule
    let matched = true
    for (let i = 0; i < links.length && matched; i++) {
      const link = links[i]!
      this.captures = link.capture && !link.negated ? this.#transactionCaptures : undefined
      matched = this.#runLink(link, rule, i === links.length - 1)
    }
    this.state.matched.clearChain()
    return matched ? rule.verdict : undefined
  }

  #targetsRemovedFrom(index: number): readonly Exclusion[] {
    let concerning: Exclusion[] | undefined
    for (const { rules, target } of this.#removedTargets) {
      if (rules.member[index] !== 1) continue
      concerning ??= []
      concerning.push(target)
    }
    return concerning ?? noExclusions
  }

  /** Tests every selected value; does any match? */
  #runLink(link: CompiledLink, rule: CompiledRule, isLast: boolean): boolean {
    if (link.operator === undefined) {
      this.#act(link, rule, isLast, '', '')
      return true
    }
    let matched = false
    const { targets } = link
    for (let i = 0; i < targets.length; i++) {
      const target = targets[i]!
      const entries = this.#selected.of(target)
      if (target.count) {
        const number = new Entry('', String(entries.length))
        if (this.#runValue(number, target, link, rule, isLast)) matched = true
      } else if (entries.length > 0 && this.#runTarget(target, entries, link, rule, isLast)) matched = true
    }
    return matched
  }

  #runTarget(
    target: CompiledTarget,
    entries: readonly Entry[],
    link: CompiledLink,
    rule: CompiledRule,
    isLast: boolean,
  ): boolean {
    let matched = false
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!
      if (this.#targetsToSkip.length > 0 && this.#isRemoved(target, entry)) continue
      if (this.#runValue(entry, target, link, rule, isLast)) matched = true
    }
    return matched
  }

  #isRemoved(target: CompiledTarget, entry: Entry): boolean {
    return this.#targetsToSkip.some(exclusion => excludes(exclusion, target.variable, entry))
  }

  /** One value, after the link's transformations; with `multiMatch` after each of them that changed it. */
  #runValue(
    entry: Entry,
    target: CompiledTarget,
    link: CompiledLink,
    rule: CompiledRule,
    isLast: boolean,
  ): boolean {
    if (link.multiMatch === undefined) {
      return this.#test(link.transform.valueOf(entry), entry, target, link, rule, isLast)
    }
    let matched = false
    let previous: string | undefined
    for (const node of link.multiMatch) {
      const value = node.valueOf(entry)
      if (value === previous) continue
      previous = value
      if (this.#test(value, entry, target, link, rule, isLast)) matched = true
    }
    return matched
  }

  #test(
    value: string,
    entry: Entry,
    target: CompiledTarget,
    link: CompiledLink,
    rule: CompiledRule,
    isLast: boolean,
  ): boolean {
    if (link.operator!.match(value, this) === link.negated) return false
    const name = target.count ? target.countName : nameOf(target.variable, entry.key)
    this.state.matched.add(name, value)
    this.#act(link, rule, isLast, name, value)
    return true
  }

  /** What a match does: the link's effects, and, for the last link, the entry among the matches. */
  #act(link: CompiledLink, rule: CompiledRule, isLast: boolean, target: string, value: string): void {
    const { effects } = link
    for (let i = 0; i < effects.length; i++) effects[i]!(this)
    if (!isLast || this.#matched[rule.info.index] === 1) return
    this.#matched[rule.info.index] = 1
    this.#record(rule, target, value)
  }

  #record(rule: CompiledRule, target: string, value: string): void {
    const { info, links } = rule
    if (info.role === 'request') this.requestScore += info.score
    else if (info.role === 'response') this.responseScore += info.score
    this.state.highestSeverity = Math.min(this.state.highestSeverity, rule.severityNumber)
    if (!rule.logged) return
    const data = links.findLast(link => link.data !== undefined)?.data
    this.matches.push({
      rule: info,
      target,
      value,
      message: this.expandAll(rule.message),
      data: data === undefined ? '' : this.expandAll(data),
    })
  }
}

const noExclusions: readonly Exclusion[] = []
