import { wafLimits } from '../limits.ts'
import type { MacroView } from '../operators/index.ts'
import type { CompiledTarget } from '../program/compiled.ts'
import type { Phase } from '../program/draft.ts'
import type { MaskedProgram } from '../program/masked-program.ts'
import { addRules, deleteRules, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { Side } from '../program/rule-search.ts'
import type { Meter } from '../transaction/meter.ts'
import { emptyBody } from '../variables/body-facts.ts'
import type { Entry } from '../variables/entry.ts'
import type { TransactionState } from '../variables/state.ts'
import type { CountPlan } from './count-plan.ts'
import type { Prefilter } from './prefilter.ts'
import type { Scanner } from './scanner.ts'
import { isSecret } from './secrets.ts'
import { isUsual } from './usual-values.ts'
import type { ValuePlan, VariablePlan } from './value-plan.ts'

/** Prefilters the values of one transaction, each once, as soon as a phase has them. */
export class ValueSearch {
  /** Rules whose first link matches some value so far, including some disabled ones; see also `Entry.hits`. */
  readonly hits: RuleBits
  /** Whether some value was so long that a rule may need more than a slice for it. */
  sawLong = false
  readonly #masked: MaskedProgram
  readonly #state: TransactionState
  readonly #view: View
  readonly #meter: Meter
  readonly #prefilterOf: (side: Side) => Prefilter
  /** The set that was last added to `hits`: many values, such as names of headers, have the same. */
  #added: RuleBits | undefined
  /** Rules that cannot match, regardless of the hits. */
  #excluded: RuleBits | undefined
  #stagesSeen = 0
  #side: Side = 'request'
  /** Taken for the first value of a stage without a known result. */
  #scanner: Scanner | undefined
  /** The plans of the stage, and the number of the current one. */
  #plans: readonly VariablePlan[] = []
  #planIndex = 0
  /** The values of its variable, and the number of the current one. */
  #entries: readonly Entry[] = []
  #entryIndex = 0
  /** Results for its values, if repetitions are likely. */
  #seen: Seen | undefined
  /** The rest of a long value. */
  #steps: Generator<void, void, void> | undefined
  /** The view's count before the current value. */
  #limitsBefore = 0

  constructor(
    masked: MaskedProgram,
    state: TransactionState,
    view: View,
    meter: Meter,
    prefilterOf: (side: Side) => Prefilter,
  ) {
    this.#masked = masked
    this.#state = state
    this.#view = view
    this.#meter = meter
    this.#prefilterOf = prefilterOf
    this.hits = newRuleBits(masked.ruleCount)
  }

  /**
   * Prefilters the values that are new in the phase. It is no generator, because most phases need no pause here.
   * @returns false if a slice is over: then it must be called again
   */
  look(phase: Phase): boolean {
    while (this.#planIndex < this.#plans.length || this.#beginStage(phase)) {
      if (!this.#lookOn()) return false
      if (this.#meter.isUsedUp) return true
      if (this.#scanner !== undefined) this.#prefilterOf(this.#side).giveBack(this.#scanner)
      this.#scanner = undefined
    }
    if (this.#excluded !== undefined) deleteRules(this.hits, this.#excluded)
    return true
  }

  /** @returns false if there are no more values up to that phase */
  #beginStage(phase: Phase): boolean {
    while (this.#stagesSeen < phase) {
      const stage = ++this.#stagesSeen as Phase
      const { variables, counts } = this.#masked.plans(stage)
      for (let i = 0; i < counts.length; i++) this.#count(counts[i]!)
      if (variables.length === 0) continue
      this.#plans = variables
      this.#planIndex = -1
      this.#nextPlan()
      this.#side = stage > 2 ? 'response' : 'request'
      return true
    }
    return false
  }

  /** Goes on to the next variable with values. */
  #nextPlan(): void {
    const hasNoBody = this.#state.body === emptyBody
    this.#entryIndex = 0
    while (++this.#planIndex < this.#plans.length) {
      const { variable, needsBody } = this.#plans[this.#planIndex]!
      if (hasNoBody && needsBody) continue
      this.#entries = this.#state.valuesOf(variable).all()
      if (this.#entries.length === 0) continue
      this.#seen = this.#entries.length > repeatsLikelyFrom ? new Map() : undefined
      return
    }
  }

  /** @returns false if a slice is over */
  #lookOn(): boolean {
    while (this.#planIndex < this.#plans.length) {
      const plan = this.#plans[this.#planIndex]!
      while (this.#entryIndex < this.#entries.length) {
        const entry = this.#entries[this.#entryIndex]!
        if (this.#steps === undefined && this.#answer(entry, plan)) {
          this.#entryIndex++
          continue
        }
        const scanner = this.#scanner!
        if (!this.#scan(entry, scanner)) return this.#meter.isUsedUp
        this.#finish(entry, plan, scanner.hits)
        this.#entryIndex++
        if (this.#meter.isUsedUp) return true
        if (this.#meter.isDue) return false
      }
      this.#nextPlan()
    }
    return true
  }

  /** @returns false if the work is used up, or a slice is over within a long value */
  #scan(entry: Entry, scanner: Scanner): boolean {
    if (entry.value.length < longFrom) scanner.run(this.#view)
    else {
      this.sawLong = true
      this.#steps ??= scanner.steps(this.#view)
      while (this.#steps.next().done !== true) {
        this.#meter.spend(scanner.takeWork())
        if (this.#meter.isUsedUp || this.#meter.isSliceOver) return false
      }
      this.#steps = undefined
    }
    this.#meter.spend(scanner.takeWork())
    return true
  }

  #count(plan: CountPlan): void {
    const { matching, excluded } = plan.factsOf(this.#view.count(plan.target), this.#view)
    if (matching !== undefined) addRules(this.hits, matching)
    if (excluded === undefined) return
    this.#excluded ??= newRuleBits(this.#masked.ruleCount)
    addRules(this.#excluded, excluded)
  }

  /**
   * Begins with a value.
   * @returns true if there is nothing to do, or the result is known
   */
  #answer(entry: Entry, variable: VariablePlan): boolean {
    const plan = variable.of(entry)
    if (plan === undefined) return true
    if (plan.excludes(entry.value)) {
      this.#meter.spend(entry.value.length)
      return true
    }
    const repeated = plan === variable.other ? this.#seen?.get(entry.value) : undefined
    const known = repeated ?? keptResult(entry, variable, plan)
    if (known === undefined) {
      this.#limitsBefore = this.#view.limitsReached
      this.#scanner ??= this.#prefilterOf(this.#side).take()
      this.#scanner.begin(entry, plan)
      return false
    }
    if (known !== null) this.#add(entry, known)
    return true
  }

  #finish(entry: Entry, variable: VariablePlan, hits: RuleBits | undefined): void {
    if (hits !== undefined) this.#add(entry, hits)
    const { value } = entry
    const plan = variable.of(entry)!
    if (plan === variable.other && this.#seen !== undefined) this.#keepSeen(value, hits)
    if (value.length > wafLimits.memoValueBytesMax) return
    // An open result must be reported in the next request, too.
    if (this.#view.limitsReached > this.#limitsBefore) return
    const { usual, memo } = plan
    if (usual !== undefined && isUsual(variable.variable, entry)) usual.set(value, hits ?? null)
    else if (memo?.rests(value) === false && !isSecret(variable.variable, entry))
      memo.set(value, hits ?? null)
  }

  #keepSeen(value: string, hits: RuleBits | undefined): void {
    const seen = this.#seen!
    seen.set(value, hits ?? null)
    if (seen.size === manyDistinct && this.#entryIndex < distinctAmong) this.#seen = undefined
  }

  /** Sets of rules are shared by equal values, so they are replaced, not changed. */
  #add(entry: Entry, hits: RuleBits): void {
    if (hits !== this.#added) addRules(this.hits, hits)
    this.#added = hits
    if (entry.hits === undefined) entry.hits = hits
    else {
      const both = entry.hits.slice()
      addRules(both, hits)
      entry.hits = both
    }
  }
}

/** The result that an earlier request left; undefined without one. */
function keptResult(entry: Entry, { variable }: VariablePlan, plan: ValuePlan): RuleBits | null | undefined {
  const { value } = entry
  if (value.length > wafLimits.memoValueBytesMax) return undefined
  const { usual, memo } = plan
  return usual !== undefined && isUsual(variable, entry) ? usual.get(value) : memo?.get(value)
}

/** The transaction's evaluation. */
interface View extends MacroView {
  /** How often a limit has left a result open. */
  readonly limitsReached: number
  /** Number of values that a target selects. */
  count(target: CompiledTarget): number
}

/** Results for values with keys that no rule names. */
type Seen = Map<string, RuleBits | null>

/** Values from this length on pause between steps when a slice is over. */
const longFrom = 4096

/** Variables with this many entries, such as the names in a list of objects, often repeat values. */
const repeatsLikelyFrom = 16

/** With so many different values among so many, further ones are not expected to repeat. */
const manyDistinct = 32
const distinctAmong = 40
