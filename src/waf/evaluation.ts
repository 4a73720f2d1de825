import type { EffectView } from './actions/effect.ts'
import {
  expandTemplate,
  type Macro,
  type MacroView,
  parseTemplate,
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
import type { CompiledException } from './program/exception.ts'
import { addRule, addRules, hasRule, newRuleBits, type RuleBits } from './program/rule-bits.ts'
import { excludes } from './program/targets.ts'
import { recordedMatch } from './recorded-match.ts'
import { SelectedValues } from './selected-values.ts'
import type { Observer, ProgramRule, RuleMatch } from './types.ts'
import { Entry } from './variables/entry.ts'
import type { PersistentRecords } from './variables/persistent.ts'
import type { TransactionState } from './variables/state.ts'
import { variables } from './variables/table.ts'
import { PendingCaptures } from './variables/tx-variables.ts'
import { nameOf } from './variables/value-name.ts'

/** Evaluates the rules of one transaction, one by one, and remembers what matched. */
export class Evaluation implements MacroView, EffectView {
  readonly state: TransactionState
  readonly store: PersistentRecords
  /** Matches of rules without `nolog`, a rule once. */
  readonly matches: RuleMatch[] = []
  requestScore = 0
  responseScore = 0
  /** Bytes of values tested since the last `takeWork`. */
  #work = 0
  readonly #selected: SelectedValues
  readonly #ruleCount: number
  readonly #matched: RuleBits
  /** Rules that are switched off: by an exception, then also by a `ctl`. */
  #removed: RuleBits | undefined
  /** `#removed` belongs to an exception, so that it is not to be changed. */
  #removedIsShared = false
  readonly #exceptions: readonly CompiledException[] | undefined
  #removedTargets: RemovedTarget[] = []
  /** What the current rule does not look at. */
  #targetsToSkip: readonly SkippedTarget[] = nothingSkipped
  /** Called before something out of the ordinary happens; see `CleanRun`. */
  readonly #onDisturbance: () => void
  /** With an observer nothing that the gate says is taken over. */
  readonly #observer: Observer | undefined
  /** The link that is being run. */
  #link = 0
  /** Who removed the rules that are removed, for the observer. */
  #removers: Map<RuleSelection, ProgramRule | undefined> | undefined

  constructor(
    state: TransactionState,
    store: PersistentRecords,
    ruleCount: number,
    onDisturbance: () => void = () => {},
    observer?: Observer,
    exceptions?: readonly CompiledException[],
  ) {
    this.#observer = observer
    this.state = state
    this.store = store
    this.#ruleCount = ruleCount
    this.#matched = newRuleBits(ruleCount)
    this.#selected = new SelectedValues(state)
    this.#onDisturbance = onDisturbance
    this.#exceptions = exceptions
    if (exceptions !== undefined) this.#switchOff(exceptions)
  }

  /** Nothing is copied for one exception. */
  #switchOff(exceptions: readonly CompiledException[]): void {
    for (const { off } of exceptions) {
      if (off === undefined) continue
      if (this.#removed === undefined) {
        this.#removed = off
        this.#removedIsShared = true
      } else addRules(this.#ownRemoved(), off)
    }
  }

  /** What may be changed of `#removed`. */
  #ownRemoved(): RuleBits {
    if (this.#removed === undefined) this.#removed = newRuleBits(this.#ruleCount)
    else if (this.#removedIsShared) this.#removed = this.#removed.slice()
    this.#removedIsShared = false
    return this.#removed
  }

  /** To be said whenever the transaction has learnt more: of the body, of the response. */
  beginPhase(): void {
    this.#selected.forget()
  }

  expand(macro: Macro): string {
    if (macro.collection === 'TX' && macro.key !== undefined) return this.state.tx.get(macro.key) ?? ''
    const variable = variables.get(macro.collection)
    if (variable === undefined) return ''
    if (macro.key === undefined && variable.text !== undefined) return variable.text(this.state) ?? ''
    const collection = this.state.valuesOf(variable)
    const entries = macro.key === undefined ? collection.all() : collection.named(macro.key)
    return entries[0]?.value ?? ''
  }

  expandAll(template: Template): string {
    return expandTemplate(template, this)
  }

  removeRules(rules: RuleSelection): void {
    if (rules.concernsTx) this.#onDisturbance()
    if (this.#observer !== undefined) {
      this.#removers ??= new Map()
      this.#removers.set(rules, this.state.rule)
    }
    const removed = this.#ownRemoved()
    for (let i = 0; i < rules.member.length; i++) if (rules.member[i] === 1) addRule(removed, i)
  }

  removeTarget(rules: RuleSelection, target: Exclusion): void {
    if (target.variable.name === 'TX') this.#onDisturbance()
    const known = this.#removedTargets.some(removed => removed.rules === rules && removed.target === target)
    if (!known) this.#removedTargets.push({ rules, target, by: this.state.rule! })
  }

  /** Bytes of values tested since the last call. */
  takeWork(): number {
    const work = this.#work
    this.#work = 0
    return work
  }

  /**
   * Evaluates a rule with its chain. Links act as soon as they match; the verdict counts once the last one has. What the
   * gate says of the first link is taken as its answer.
   * @returns the rule's verdict when it matched
   */
  run(rule: CompiledRule): Verdict | undefined {
    const { index } = rule.info
    if (this.#removed !== undefined && hasRule(this.#removed, index)) {
      this.#observer?.skipped(rule.info, 'removed', this.#removerOf(index))
      return undefined
    }
    this.state.rule = rule.info
    this.state.tx.place = index
    if (this.#removedTargets.length > 0 || this.#exceptions !== undefined)
      this.#targetsToSkip = this.#targetsRemovedFrom(index)
    const { links } = rule
    let matched = true
    for (let i = 0; i < links.length && matched; i++) {
      this.#link = i
      const gated = i === 0 && rule.gated && this.#observer === undefined
      matched = this.#runLink(links[i]!, rule, gated, i === links.length - 1)
    }
    this.state.matched.clearChain()
    this.#observer?.ran(rule.info, matched)
    return matched ? rule.verdict : undefined
  }

  /** Does the first link match some value? Nothing happens. */
  headMatches(rule: CompiledRule): boolean {
    this.state.tx.place = rule.info.index
    const [link] = rule.links
    if (link!.operator === undefined) return true
    return link!.targets.some(target => {
      const entries = this.#selected.of(target)
      const tested = target.count ? [new Entry('', String(entries.length))] : entries
      return tested.some(entry =>
        (link!.multiMatch ?? [link!.transform]).some(
          node => link!.operator!.test(node.valueOf(entry), this) !== link!.negated,
        ),
      )
    })
  }

  #targetsRemovedFrom(index: number): readonly SkippedTarget[] {
    let concerning: SkippedTarget[] | undefined
    for (const removed of this.#removedTargets) {
      if (removed.rules.member[index] !== 1) continue
      concerning ??= []
      concerning.push(removed)
    }
    for (const { targets } of this.#exceptions ?? noExceptions) {
      for (const unseen of targets) {
        if (!hasRule(unseen.rules, index)) continue
        concerning ??= []
        concerning.push(unseen)
      }
    }
    return concerning ?? nothingSkipped
  }

  /** Tests every selected value; does any match? */
  #runLink(link: CompiledLink, rule: CompiledRule, gated: boolean, isLast: boolean): boolean {
    if (link.operator === undefined) {
      this.#tell(rule, link, '', '', '', true)
      this.#act(link, rule, isLast, undefined)
      return true
    }
    let matched = false
    let values = 0
    const { targets } = link
    for (let i = 0; i < targets.length; i++) {
      const target = targets[i]!
      const entries = this.#selected.of(target)
      if (this.#observer !== undefined) this.#tellLeftOut(target, rule)
      values += target.count ? 1 : entries.length
      if (target.count) {
        const number = new Entry('', String(entries.length))
        if (this.#runValue(number, target, link, rule, isLast)) matched = true
      } else if (entries.length > 0 && this.#runTarget(target, entries, link, rule, gated, isLast))
        matched = true
    }
    if (values === 0) this.#observer?.nothingToTest(rule.info, this.#link)
    return matched
  }

  #runTarget(
    target: CompiledTarget,
    entries: readonly Entry[],
    link: CompiledLink,
    rule: CompiledRule,
    gated: boolean,
    isLast: boolean,
  ): boolean {
    let matched = false
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!
      if (gated && (entry.hits === undefined || !hasRule(entry.hits, rule.info.index))) continue
      const removed = this.#targetsToSkip.length > 0 ? this.#removal(target, entry) : undefined
      if (removed !== undefined) {
        if (removed.by !== undefined)
          this.#observer?.excluded(rule.info, this.#link, nameOf(target.variable, entry.key), removed.by)
        continue
      }
      if (gated && link.multiMatch === undefined) {
        this.#match(link.transform.valueOf(entry), entry, target, link, rule, isLast)
        matched = true
      } else if (this.#runValue(entry, target, link, rule, isLast)) matched = true
    }
    return matched
  }

  #removal(target: CompiledTarget, entry: Entry): SkippedTarget | undefined {
    return this.#targetsToSkip.find(removed => excludes(removed.target, target.variable, entry))
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
    this.#work += value.length + testCost
    const matched = link.operator!.test(value, this) !== link.negated
    if (this.#observer !== undefined) {
      const name = target.count ? target.countName : nameOf(target.variable, entry.key)
      this.#tell(rule, link, name, entry.value, value, matched)
    }
    if (!matched) return false
    this.#match(value, entry, target, link, rule, isLast)
    return true
  }

  #tell(
    { info }: CompiledRule,
    { operator }: CompiledLink,
    target: string,
    original: string,
    value: string,
    matched: boolean,
  ): void {
    this.#observer?.tested({
      rule: info,
      link: this.#link,
      target,
      original,
      value,
      matched,
      found: () => operator?.groups?.(value, this) ?? [],
      expanded: text => this.expandAll(parseTemplate(text)),
    })
  }

  #tellLeftOut(target: CompiledTarget, { info }: CompiledRule): void {
    for (const entry of this.#selected.leftOut(target)) {
      this.#observer!.excluded(info, this.#link, nameOf(target.variable, entry.key), info)
    }
  }

  #removerOf(index: number): ProgramRule | undefined {
    for (const [rules, by] of this.#removers ?? []) if (rules.member[index] === 1) return by
    return undefined
  }

  #match(
    value: string,
    entry: Entry,
    target: CompiledTarget,
    link: CompiledLink,
    rule: CompiledRule,
    isLast: boolean,
  ): void {
    if (link.capture && !link.negated) this.#capture(link, value)
    this.state.matched.add(target.variable, entry.key, value, target.count ? target.countName : undefined)
    this.#act(link, rule, isLast, value)
  }

  /** Groups are looked for when somebody reads them, unless they depend on what may change until then. */
  #capture({ operator }: CompiledLink, value: string): void {
    const { groups, macros } = operator!
    if (groups === undefined) return
    const pending = new PendingCaptures(groups, value, this)
    if (macros.length > 0) pending.groups
    this.state.tx.capture(pending)
  }

  /**
   * What a match does: the link's effects, and, for the last link, the entry among the matches.
   * @param value that matched; undefined for a SecAction
   */
  #act(link: CompiledLink, rule: CompiledRule, isLast: boolean, value: string | undefined): void {
    if (link.disturbs) this.#onDisturbance()
    const { effects } = link
    for (let i = 0; i < effects.length; i++) effects[i]!.run(this)
    if (!isLast || hasRule(this.#matched, rule.info.index)) return
    addRule(this.#matched, rule.info.index)
    this.#record(rule, value)
  }

  #record(rule: CompiledRule, value: string | undefined): void {
    const { info, links } = rule
    if (info.role === 'request') this.requestScore += info.score
    else if (info.role === 'response') this.responseScore += info.score
    this.state.highestSeverity = Math.min(this.state.highestSeverity, rule.severityNumber)
    if (!rule.logged) return
    const data = links.findLast(link => link.data !== undefined)?.data ?? []
    const captures = this.state.tx.captures
    const message = this.expandAll(rule.message)
    const target = value === undefined ? '' : this.state.matched.lastName
    this.matches.push(
      recordedMatch({ rule: info, target, value: value ?? '', message }, data, captures, this),
    )
  }
}

/** What a test costs besides the bytes that it looks at, in bytes. */
const testCost = 32

/** What a rule does not look at. */
interface SkippedTarget {
  readonly target: Exclusion
  /** The rule whose `ctl` says so; undefined for an exception. */
  readonly by: ProgramRule | undefined
}

/** What a `ctl` has taken out of targets. */
interface RemovedTarget extends SkippedTarget {
  readonly rules: RuleSelection
}

const nothingSkipped: readonly SkippedTarget[] = []
const noExceptions: readonly CompiledException[] = []
