import type { Matcher } from '../../regex/index.ts'
import { Evaluation } from '../evaluation.ts'
import type { WafRequest } from '../types.ts'
import type { Entry } from '../variables/entry.ts'
import { PersistentStore } from '../variables/persistent.ts'
import { TransactionState } from '../variables/state.ts'
import type { KnownVariables } from '../variables/tx-variables.ts'
import type { CompiledRule } from './compiled.ts'
import type { Phase } from './draft.ts'
import { addRule, newRuleBits, type RuleBits } from './rule-bits.ts'
import type { EngineSettings } from './settings.ts'
import { namesSetBy, readsOnlyTx } from './tx-rules.ts'

/**
 * What the rules of one phase do to TX as long as nothing out of the ordinary happens. Most rules of a phase only look at
 * TX: they set defaults, skip paranoia levels, sum up scores. Their outcome is the same in every request until another
 * rule changes a variable that they use (`CompiledLink.disturbs`), so they are run once, here. A request takes the outcome
 * over and runs the other rules only; when it is disturbed it falls back to running all (`TxVariables.takeOver`).
 */
export class CleanRun implements KnownVariables {
  /** Rules to run whatever the gate says. */
  readonly visit: RuleBits
  /** Rules that nothing skips. */
  readonly reached: RuleBits
  /** Rules whose outcome is more than "no match": to jump over one of them is out of the ordinary. */
  readonly folded: RuleBits
  readonly #program: Foldable
  /** At the end of the phases before. */
  readonly #before: ReadonlyMap<string, readonly [Entry]>
  /** What this phase sets, by name, in order. */
  readonly #changes = new Map<string, Change[]>()
  /** Places of all changes, in order. */
  readonly #places: number[] = []
  /** Everything that is known after so many changes. */
  readonly #allAfter: (readonly Entry[] | undefined)[] = []
  readonly #matchingAfter = new Map<Matcher, (readonly Entry[] | undefined)[]>()
  readonly #next = new Map<Phase, CleanRun>()

  static first(program: Foldable, phase: Phase): CleanRun {
    return new CleanRun(program, phase, new Map())
  }

  private constructor(program: Foldable, phase: Phase, before: ReadonlyMap<string, readonly [Entry]>) {
    this.#program = program
    this.#before = before
    const size = program.ordered.length
    this.visit = newRuleBits(size)
    this.reached = newRuleBits(size)
    this.folded = newRuleBits(size)
    this.#run(phase)
  }

  /** The run of the phase that comes next. */
  after(phase: Phase): CleanRun {
    let next = this.#next.get(phase)
    if (next === undefined) {
      next = new CleanRun(this.#program, phase, this.#atEnd())
      this.#next.set(phase, next)
    }
    return next
  }

  named(folded: string, before: number): readonly Entry[] {
    const changes = this.#changes.get(folded)
    if (changes !== undefined) {
      for (let i = changes.length - 1; i >= 0; i--) {
        const change = changes[i]!
        if (change.place < before) return change.entries
      }
    }
    return this.#before.get(folded) ?? none
  }

  all(before: number): readonly Entry[] {
    const changes = this.#changesBefore(before)
    let all = this.#allAfter[changes]
    if (all === undefined) {
      const names = new Set([...this.#before.keys(), ...this.#changes.keys()])
      all = this.#allAfter[changes] = [...names].flatMap(name => this.named(name, before))
    }
    return all
  }

  matching(pattern: Matcher, before: number): readonly Entry[] {
    const matching = this.#matchingAfter.get(pattern) ?? []
    this.#matchingAfter.set(pattern, matching)
    const changes = this.#changesBefore(before)
    matching[changes] ??= this.all(before).filter(entry => pattern.test(entry.key))
    return matching[changes]
  }

  #changesBefore(place: number): number {
    let count = this.#places.length
    while (count > 0 && this.#places[count - 1]! >= place) count--
    return count
  }

  #run(phase: Phase): void {
    const { ordered, settings } = this.#program
    const state = new TransactionState(noRequest, settings, () => 0)
    for (const [entry] of this.#before.values()) state.tx.set(entry.key, entry.value, entry.folded)
    const evaluation = new Evaluation(state, new PersistentStore(), ordered.length)
    for (let place = 0; place < ordered.length; ) {
      const rule = ordered[place]!
      place++
      if (rule.info.phase !== phase) continue
      if (!readsOnlyTx(rule.links[0]!) || rule.info.role !== 'support') this.#leave(rule)
      else if (evaluation.headMatches(rule)) {
        if (!rule.foldable) this.#leave(rule)
        else if (this.#fold(rule, evaluation) && rule.jump >= 0) place = rule.jump
      }
    }
  }

  /** The rule is to be run in every request. */
  #leave(rule: CompiledRule): void {
    addRule(this.reached, rule.info.index)
    if (!rule.gated) addRule(this.visit, rule.info.index)
  }

  #fold(rule: CompiledRule, evaluation: Evaluation): boolean {
    const { index } = rule.info
    addRule(this.folded, index)
    const { tx } = evaluation.state
    const matched = evaluation.run(rule) !== undefined
    for (const name of namesSetBy(rule)) {
      const entries = tx.named(name)
      const known = this.named(name, Number.POSITIVE_INFINITY)
      if (entries[0]?.value === known[0]?.value && entries[0]?.key === known[0]?.key) continue
      const changes = this.#changes.get(name)
      const change = { place: index, entries }
      this.#places.push(index)
      if (changes === undefined) this.#changes.set(name, [change])
      else changes.push(change)
    }
    return matched
  }

  #atEnd(): ReadonlyMap<string, readonly [Entry]> {
    const end = new Map<string, readonly [Entry]>()
    for (const entry of this.all(Number.POSITIVE_INFINITY)) end.set(entry.folded, [entry])
    return end
  }
}

/** What of a program a clean run needs. */
export interface Foldable {
  /** Rules by index. */
  readonly ordered: readonly CompiledRule[]
  readonly settings: EngineSettings
}

interface Change {
  readonly place: number
  /** One, or none when the variable was deleted. */
  readonly entries: readonly Entry[]
}

const none: readonly Entry[] = []

/** Rules that are run here do not look at it. */
const noRequest: WafRequest = {
  clientIp: '',
  clientPort: 0,
  serverPort: 0,
  method: '',
  target: '',
  protocol: '',
  headers: [],
  uniqueId: '',
  startedMs: 0,
}
