import type { Matcher } from '../../regex/index.ts'
import { Evaluation } from '../transaction/evaluation.ts'
import type { WafRequest } from '../types.ts'
import type { Entry } from '../variables/entry.ts'
import { PersistentStore } from '../variables/persistent.ts'
import { TransactionState } from '../variables/state.ts'
import type { KnownVariables } from '../variables/tx-variables.ts'
import type { CompiledRule } from './compiled.ts'
import type { Phase } from './draft.ts'
import { addRule, hasRule, newRuleBits, type RuleBits } from './rule-bits.ts'
import type { EngineSettings } from './settings.ts'
import { namesSetBy, readsOnlyTx, type Volatile } from './tx-rules.ts'

/**
 * Constant folding: the effect of one phase's rules on TX in an ordinary request. Most rules of a phase only read TX:
 * they set defaults, skip paranoia levels, sum up scores. Their outcome is the same in every request until another rule
 * changes a variable that they use (`CompiledLink.disturbs`), so they run once, here. A request takes the outcome over
 * and runs only the other rules. A detection rule runs if its first link may match: a mask may disable it. Once a rule has scored, it also runs the rules that depend on scores (`steady`). After
 * any other disturbance it runs all rules (`TxVariables.takeOver`).
 */
export class FoldedRun implements KnownVariables {
  /** Rules that run regardless of the prefilter. */
  readonly visit: RuleBits
  /** Rules that nothing skips. */
  readonly reached: RuleBits
  /** Rules with an outcome other than "no match": jumping over one of them is a disturbance. */
  readonly folded: RuleBits
  readonly #program: Foldable
  readonly #phase: Phase
  /** The run of the previous phase. */
  readonly #previous: FoldedRun | undefined
  readonly #isSteady: boolean
  #steady: FoldedRun | undefined
  /** Variables at the end of the previous phases. */
  readonly #before: ReadonlyMap<string, readonly [Entry]>
  /** Changes of this phase, by name, in order. */
  readonly #changes = new Map<string, Change[]>()
  /** Rule indexes of all changes, in order. */
  readonly #changedAt: number[] = []
  /** All known variables after each number of changes. */
  readonly #allAfter: (readonly Entry[] | undefined)[] = []
  readonly #matchingAfter = new Map<Matcher, (readonly Entry[] | undefined)[]>()
  readonly #next = new Map<Phase, FoldedRun>()

  static first(program: Foldable, phase: Phase): FoldedRun {
    return new FoldedRun(program, phase, undefined, false)
  }

  private constructor(program: Foldable, phase: Phase, previous: FoldedRun | undefined, isSteady: boolean) {
    this.#program = program
    this.#phase = phase
    this.#previous = previous
    this.#isSteady = isSteady
    this.#before = previous?.atEnd() ?? new Map()
    const size = program.ordered.length
    this.visit = newRuleBits(size)
    this.reached = newRuleBits(size)
    this.folded = newRuleBits(size)
    this.#run()
  }

  /**
   * The same run without the rules that depend on scores, which requests run themselves. It knows no variables of
   * `Volatile`, and all others as this one does.
   */
  get steady(): FoldedRun {
    if (this.#isSteady) return this
    this.#steady ??=
      this.#previous === undefined
        ? new FoldedRun(this.#program, this.#phase, undefined, true)
        : this.#previous.steady.after(this.#phase)
    return this.#steady
  }

  /** The run of the next phase. */
  after(phase: Phase): FoldedRun {
    let next = this.#next.get(phase)
    if (next === undefined) {
      next = new FoldedRun(this.#program, phase, this, this.#isSteady)
      this.#next.set(phase, next)
    }
    return next
  }

  named(folded: string, before: number): readonly Entry[] {
    const changes = this.#changes.get(folded)
    if (changes !== undefined) {
      for (let i = changes.length - 1; i >= 0; i--) {
        const change = changes[i]!
        if (change.rule < before) return change.entries
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

  #changesBefore(rule: number): number {
    let count = this.#changedAt.length
    while (count > 0 && this.#changedAt[count - 1]! >= rule) count--
    return count
  }

  #run(): void {
    const { ordered, settings } = this.#program
    const state = new TransactionState(noRequest, settings, () => 0)
    for (const [entry] of this.#before.values()) state.tx.set(entry.key, entry.value, entry.folded)
    const evaluation = new Evaluation(
      state,
      new PersistentStore(),
      ordered.length,
      newRuleBits(ordered.length),
    )
    for (let index = 0; index < ordered.length; ) {
      const rule = ordered[index]!
      index++
      if (rule.info.phase !== this.#phase) continue
      if (this.#isOpen(rule)) this.#leave(rule)
      else if (evaluation.headMatches(rule)) {
        if (!rule.foldable || rule.info.role !== 'support') this.#leave(rule)
        else if (this.#fold(rule, evaluation) && rule.jump >= 0) index = rule.jump
      }
    }
  }

  /** Whether requests can differ in the outcome of its first link. */
  #isOpen({ info, links }: CompiledRule): boolean {
    if (!readsOnlyTx(links[0]!)) return true
    return this.#isSteady && hasRule(this.#program.volatile.rules, info.index)
  }

  /** Marks a rule that every request runs. */
  #leave(rule: CompiledRule): void {
    addRule(this.reached, rule.info.index)
    if (!rule.prefiltered) addRule(this.visit, rule.info.index)
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
      const change = { rule: index, entries }
      this.#changedAt.push(index)
      if (changes === undefined) this.#changes.set(name, [change])
      else changes.push(change)
    }
    return matched
  }

  /** All known variables at the end, by name. */
  atEnd(): ReadonlyMap<string, readonly [Entry]> {
    const end = new Map<string, readonly [Entry]>()
    for (const entry of this.all(Number.POSITIVE_INFINITY)) end.set(entry.folded, [entry])
    return end
  }
}

/** The parts of a program that a folded run needs. */
export interface Foldable {
  /** Rules by index. */
  readonly ordered: readonly CompiledRule[]
  readonly settings: EngineSettings
  readonly volatile: Volatile
}

interface Change {
  readonly rule: number
  /** One, or none if the variable was deleted. */
  readonly entries: readonly Entry[]
}

const none: readonly Entry[] = []

/** Folded rules do not read it. */
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
