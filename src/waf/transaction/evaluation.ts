import type { EffectView } from '../actions/effect.ts'
import { wafLimits } from '../limits.ts'
import {
  expandTemplate,
  holds,
  type Macro,
  type MacroView,
  parseTemplate,
  type Template,
} from '../operators/index.ts'
import { lacksKinds } from '../prefilter/byte-kinds.ts'
import type { CompiledLink, CompiledRule, CompiledTarget, Verdict } from '../program/compiled.ts'
import type { CompiledException } from '../program/exception.ts'
import { addRule, hasRule, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import { type Exclusion, excludes, type RuleSelection } from '../program/selections.ts'
import type { Observer, RuleMatch } from '../types.ts'
import { Entry } from '../variables/entry.ts'
import type { PersistentRecords } from '../variables/persistent.ts'
import type { TransactionState } from '../variables/state.ts'
import { variables } from '../variables/table.ts'
import { findsCaptures, isCaptureName, PendingCaptures } from '../variables/tx-variables.ts'
import { nameOf } from '../variables/value-name.ts'
import { LongValues } from './long-values.ts'
import { recordedMatch } from './recorded-match.ts'
import { nothingSkipped, Removals, type SkippedTarget } from './removals.ts'
import { SelectedValues } from './selected-values.ts'

/** Evaluates the rules of one transaction, one by one, and records the matches. */
export class Evaluation implements MacroView, EffectView {
  readonly state: TransactionState
  readonly store: PersistentRecords
  /** Matches of rules without `nolog`, each rule once. */
  readonly matches: RuleMatch[] = []
  /** Captures that `data` of matches may show and that take long to compute. */
  readonly shown: PendingCaptures[] = []
  requestScore = 0
  responseScore = 0
  /** How often a limit has left a result open. */
  limitsReached = 0
  /** Bytes of values tested since the last `takeWork`. */
  #work = 0
  readonly #selected: SelectedValues
  readonly #longValues = new LongValues()
  readonly #enabled: RuleBits
  readonly #matched: RuleBits
  readonly #removals: Removals
  /** Values that the current rule does not test. */
  #targetsToSkip: readonly SkippedTarget[] = nothingSkipped
  /** Called before a disturbance; see `FoldedRun`. */
  readonly #onDisturbance: (kind: Disturbance) => void
  /** With an observer, the prefilter's results are not used. */
  readonly #observer: Observer | undefined
  /** The current link. */
  #link = 0
  /** Whether the current rule has run effects of its first link. */
  #hasCopied = false

  constructor(
    state: TransactionState,
    store: PersistentRecords,
    ruleCount: number,
    enabled: RuleBits,
    onDisturbance: (kind: Disturbance) => void = () => {},
    observer?: Observer,
    exceptions?: readonly CompiledException[],
  ) {
    this.#observer = observer
    this.state = state
    this.store = store
    this.#enabled = enabled
    this.#matched = newRuleBits(ruleCount)
    this.#selected = new SelectedValues(state)
    this.#onDisturbance = onDisturbance
    this.#removals = new Removals(ruleCount, exceptions, observer !== undefined)
  }

  /** Must be called whenever the transaction has learnt more: of the body, of the response. */
  beginPhase(): void {
    this.#selected.forget()
  }

  /** Number of values that the target selects. */
  count(target: CompiledTarget): number {
    return this.#selected.of(target).length
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
    if (rules.concernsTx) this.#onDisturbance('any')
    this.#removals.removeRules(rules, this.state.rule)
  }

  removeTarget(rules: RuleSelection, target: Exclusion): void {
    if (target.variable.name === 'TX') this.#onDisturbance('any')
    this.#removals.removeTarget(rules, target, this.state.rule!)
  }

  /** Sets MSC_PCRE_LIMITS_EXCEEDED, as ModSecurity does at its match limit. An open result counts as no match. */
  limitReached(): void {
    this.limitsReached++
    if (this.state.tx.get(limitsExceeded) !== undefined) return
    this.#onDisturbance('any')
    this.state.tx.set(limitsExceeded.toUpperCase(), '1', limitsExceeded)
  }

  /** Bytes of values tested since the last call. */
  takeWork(): number {
    const work = this.#work
    this.#work = 0
    return work
  }

  /**
   * Evaluates a rule with its chain. Links act as soon as they match; the verdict counts after the last one. For the
   * first link, the prefilter's result is used.
   * @returns the rule's verdict if it matched
   */
  run(rule: CompiledRule): Verdict | undefined {
    if (!this.#begin(rule)) return undefined
    let matched = true
    for (let i = 0; i < rule.links.length && matched; i++) matched = this.#runLink(rule, i)
    return this.#end(rule, matched)
  }

  /** The same with pauses inside long values. */
  *runInSlices(rule: CompiledRule): Generator<void, Verdict | undefined, void> {
    if (!this.#begin(rule)) return undefined
    let matched = true
    for (let i = 0; i < rule.links.length && matched; i++) {
      yield* this.#prepare(rule, i)
      matched = this.#runLink(rule, i)
    }
    this.#longValues.forget()
    return this.#end(rule, matched)
  }

  /** @returns false if the rule must not run */
  #begin(rule: CompiledRule): boolean {
    const { index } = rule.info
    if (this.#removals.hasRule(index)) {
      this.#observer?.skipped(rule.info, 'removed', this.#removals.removerOf(index))
      return false
    }
    this.state.rule = rule.info
    this.state.tx.ruleIndex = index
    this.#hasCopied = false
    this.#targetsToSkip = this.#removals.targetsOf(index)
    return true
  }

  #end(rule: CompiledRule, matched: boolean): Verdict | undefined {
    this.state.matched.clearChain()
    this.#observer?.ran(rule.info, matched)
    return matched ? rule.verdict : undefined
  }

  /** Computes the slow parts of a link ahead: the tests of long values, and the captures that it reads. */
  *#prepare(rule: CompiledRule, linkIndex: number): Generator<void, void, void> {
    const link = rule.links[linkIndex]!
    const prefiltered = this.#isPrefiltered(rule, linkIndex)
    for (const target of link.targets) {
      const { captures } = this.state.tx
      if (captures?.areLong === true && readsCaptures(target)) yield* captures.workOut()
      if (target.count) continue
      for (const entry of this.#selected.of(target)) {
        if (entry.value.length < wafLimits.sliceBytes || (prefiltered && !isHit(entry, rule))) continue
        if (this.#removal(target, entry) !== undefined) continue
        yield* this.#longValues.prepare(link, entry, prefiltered, this, this.#observer !== undefined)
      }
    }
  }

  /** Whether the first link matches some value, without effects. */
  headMatches(rule: CompiledRule): boolean {
    this.state.tx.ruleIndex = rule.info.index
    const [link] = rule.links
    if (link!.operator === undefined) return true
    return link!.targets.some(target => {
      const entries = this.#selected.of(target)
      const tested = target.count ? [new Entry('', String(entries.length))] : entries
      return tested.some(entry =>
        (link!.multiMatch ?? [link!.transform]).some(node =>
          holds(link!.operator!, link!.negated, node.valueOf(entry), this),
        ),
      )
    })
  }

  /** Whether the prefilter's result is used for the link. */
  #isPrefiltered(rule: CompiledRule, linkIndex: number): boolean {
    return linkIndex === 0 && rule.prefiltered && this.#observer === undefined
  }

  /** Tests every value that the link selects. @returns whether any matches */
  #runLink(rule: CompiledRule, linkIndex: number): boolean {
    const link = rule.links[linkIndex]!
    const prefiltered = this.#isPrefiltered(rule, linkIndex)
    const isLast = linkIndex === rule.links.length - 1
    this.#link = linkIndex
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
      } else if (entries.length > 0 && this.#runTarget(target, entries, link, rule, prefiltered, isLast))
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
    prefiltered: boolean,
    isLast: boolean,
  ): boolean {
    let matched = false
    let inert: Entry | undefined
    if (prefiltered) rule.inertValues?.begin(this, this.#enabled)
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!
      if (prefiltered && !isHit(entry, rule)) continue
      const removed = this.#targetsToSkip.length > 0 ? this.#removal(target, entry) : undefined
      if (removed !== undefined) {
        if (removed.by !== undefined)
          this.#observer?.excluded(rule.info, this.#link, nameOf(target.variable, entry.key), removed.by)
        continue
      }
      if (prefiltered && link.multiMatch === undefined) {
        matched = true
        if (!this.#hasCopied && rule.inertValues?.has(entry, target.variable, this) === true) inert = entry
        else {
          inert = undefined
          // A later copy may replace this one.
          this.#hasCopied = true
          this.#match(link.transform.valueOf(entry), entry, target, link, rule, isLast)
        }
      } else if (this.#runValue(entry, target, link, rule, isLast)) matched = true
    }
    // Of matches without effects, only the last one shows.
    if (inert !== undefined) {
      const value = link.transform.valueOf(inert)
      this.#remember(value, inert, target, link)
      if (isLast) this.#note(rule, value)
    }
    return matched
  }

  #removal(target: CompiledTarget, entry: Entry): SkippedTarget | undefined {
    return this.#targetsToSkip.find(removed => excludes(removed.target, target.variable, entry))
  }

  /** Tests one value after the link's transformations; with `multiMatch` after each that changed it. */
  #runValue(
    entry: Entry,
    target: CompiledTarget,
    link: CompiledLink,
    rule: CompiledRule,
    isLast: boolean,
  ): boolean {
    if (lacksKinds(entry, link.needs) && this.#observer === undefined) {
      this.#work += testCost
      return false
    }
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
    const matched = this.#longValues.matches(link, value) ?? holds(link.operator!, link.negated, value, this)
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
      found: () => this.#longValues.groups(value) ?? operator?.groups?.(value, this) ?? [],
      expanded: text => this.expandAll(parseTemplate(text)),
    })
  }

  #tellLeftOut(target: CompiledTarget, { info }: CompiledRule): void {
    for (const entry of this.#selected.leftOut(target)) {
      this.#observer!.excluded(info, this.#link, nameOf(target.variable, entry.key), info)
    }
  }

  #match(
    value: string,
    entry: Entry,
    target: CompiledTarget,
    link: CompiledLink,
    rule: CompiledRule,
    isLast: boolean,
  ): void {
    this.#remember(value, entry, target, link)
    this.#act(link, rule, isLast, value)
  }

  /** Keeps a match for MATCHED_VAR and TX:0–TX:9. */
  #remember(value: string, entry: Entry, target: CompiledTarget, link: CompiledLink): void {
    if (link.capture && !link.negated) this.#capture(link, value)
    this.state.matched.add(target.variable, entry.key, value, target.count ? target.countName : undefined)
  }

  /** Groups are computed when needed, unless they depend on values that may change until then. */
  #capture({ operator }: CompiledLink, value: string): void {
    if (operator!.groups === undefined) return
    const pending = new PendingCaptures(operator!, value, this)
    if (operator!.macros.length > 0) pending.groups
    this.state.tx.capture(pending)
  }

  /**
   * Handles a match: the link's effects and, for the last link, the entry among the matches.
   * @param value the matching value; undefined for a SecAction
   */
  #act(link: CompiledLink, rule: CompiledRule, isLast: boolean, value: string | undefined): void {
    if (link.disturbs) this.#onDisturbance(link.setsNamed ? 'volatile' : 'any')
    const { effects } = link
    for (let i = 0; i < effects.length; i++) effects[i]!.run(this)
    if (isLast) this.#note(rule, value)
  }

  /** Enters the rule among the matches, once. */
  #note(rule: CompiledRule, value: string | undefined): void {
    if (hasRule(this.#matched, rule.info.index)) return
    addRule(this.#matched, rule.info.index)
    this.#record(rule, value)
  }

  #record(rule: CompiledRule, value: string | undefined): void {
    const { info } = rule
    if (info.role === 'request') this.requestScore += info.score
    else if (info.role === 'response') this.responseScore += info.score
    this.state.highestSeverity = Math.min(this.state.highestSeverity, rule.severityNumber)
    if (!rule.logged) return
    const captures = this.state.tx.captures
    if (captures?.areLong === true) this.shown.push(captures)
    const message = this.expandAll(rule.message)
    const target = value === undefined ? '' : this.state.matched.lastName
    this.matches.push(
      recordedMatch(
        { rule: info, target, value: value ?? '', message },
        rule.data,
        value !== undefined,
        captures,
        this,
      ),
    )
  }
}

/** Whether the target may select captures. */
function readsCaptures({ variable, key, pattern }: CompiledTarget): boolean {
  if (variable.name !== 'TX') return false
  return pattern === undefined ? key === undefined || isCaptureName(key) : findsCaptures(pattern)
}

/** Whether the prefilter found that the value matches the first link of the rule. */
function isHit(entry: Entry, rule: CompiledRule): boolean {
  return entry.hits !== undefined && hasRule(entry.hits, rule.info.index)
}

/** Called before variables of `Volatile`, or any variables, change. */
export type Disturbance = 'volatile' | 'any'

const limitsExceeded = 'msc_pcre_limits_exceeded'

/** Cost of a test besides the bytes that it reads, in bytes. */
const testCost = 32
