import { wafLimits } from '../limits.ts'
import type { MacroView } from '../operators/index.ts'
import type { Phase } from '../program/draft.ts'
import type { MaskedProgram } from '../program/masked-program.ts'
import { addRules, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { Side } from '../program/rule-search.ts'
import type { Meter } from '../transaction/meter.ts'
import type { Entry } from '../variables/entry.ts'
import type { TransactionState } from '../variables/state.ts'
import type { Prefilter } from './prefilter.ts'
import type { Scanner } from './scanner.ts'
import { isSecret } from './secrets.ts'
import type { VariablePlan } from './value-plan.ts'

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
  readonly #prefilter: (side: Side) => Prefilter
  #stagesSeen = 0
  /** The view's count before the current value. */
  #limitsBefore = 0

  constructor(
    masked: MaskedProgram,
    state: TransactionState,
    view: View,
    meter: Meter,
    prefilter: (side: Side) => Prefilter,
  ) {
    this.#masked = masked
    this.#state = state
    this.#view = view
    this.#meter = meter
    this.#prefilter = prefilter
    this.hits = newRuleBits(masked.ruleCount)
  }

  /** Prefilters the values that are new in the phase. Pauses when a slice is over. */
  *look(phase: Phase): Generator<void, void, void> {
    while (this.#stagesSeen < phase) {
      const stage = ++this.#stagesSeen as Phase
      const plans = this.#masked.plans(stage)
      if (plans.length === 0) continue
      const prefilter = this.#prefilter(stage > 2 ? 'response' : 'request')
      const scanner = prefilter.take()
      for (let i = 0; i < plans.length; i++) {
        const entries = this.#state.valuesOf(plans[i]!.variable).all()
        const seen: Seen | undefined = entries.length > repeatsLikelyFrom ? new Map() : undefined
        for (let at = 0; at < entries.length; at++) {
          if (this.#answer(entries[at]!, plans[i]!, scanner, seen)) continue
          if (entries[at]!.value.length < longFrom) scanner.run(this.#view)
          else {
            this.sawLong = true
            const steps = scanner.steps(this.#view)
            while (steps.next().done !== true) {
              this.#meter.spend(scanner.takeWork())
              if (this.#meter.isUsedUp) return
              if (this.#meter.isSliceOver) yield* this.#meter.rest()
            }
          }
          this.#meter.spend(scanner.takeWork())
          if (this.#meter.isDue) yield* this.#meter.rest()
          if (this.#meter.isUsedUp) return
          this.#finish(entries[at]!, plans[i]!, scanner.hits, seen)
        }
      }
      prefilter.giveBack(scanner)
    }
  }

  /**
   * Begins with a value.
   * @returns true if there is nothing to do, or the result is known
   */
  #answer(entry: Entry, variable: VariablePlan, scanner: Scanner, seen: Seen | undefined): boolean {
    const plan = variable.of(entry)
    if (plan === undefined) return true
    const { value } = entry
    const isShort = value.length <= wafLimits.memoValueBytesMax
    const repeated = plan === variable.other ? seen?.get(value) : undefined
    const known = repeated ?? (isShort ? plan.memo?.get(value) : undefined)
    if (known === undefined) {
      this.#limitsBefore = this.#view.limitsReached
      scanner.begin(entry, plan)
      return false
    }
    if (known !== null) this.#add(entry, known)
    return true
  }

  #finish(entry: Entry, variable: VariablePlan, hits: RuleBits | undefined, seen: Seen | undefined): void {
    if (hits !== undefined) this.#add(entry, hits)
    const { value } = entry
    const plan = variable.of(entry)!
    if (plan === variable.other) seen?.set(value, hits ?? null)
    if (value.length > wafLimits.memoValueBytesMax) return
    // An open result must be reported in the next request, too.
    if (this.#view.limitsReached > this.#limitsBefore) return
    if (plan.memo !== undefined && !isSecret(variable.variable, entry)) plan.memo.set(value, hits ?? null)
  }

  /** Sets of rules are shared by equal values, so they are replaced, not changed. */
  #add(entry: Entry, hits: RuleBits): void {
    addRules(this.hits, hits)
    if (entry.hits === undefined) entry.hits = hits
    else {
      const both = entry.hits.slice()
      addRules(both, hits)
      entry.hits = both
    }
  }
}

/** Counts how often a limit has left a result open. */
type View = MacroView & { readonly limitsReached: number }

/** Results for values with keys that no rule names. */
type Seen = Map<string, RuleBits | null>

/** Values from this length on pause between steps when a slice is over. */
const longFrom = 4096

/** Variables with this many entries, such as the names in a list of objects, often repeat values. */
const repeatsLikelyFrom = 16
