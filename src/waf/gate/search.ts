import { wafLimits } from '../../kit/limits.ts'
import type { Meter } from '../meter.ts'
import type { MacroView } from '../operators/index.ts'
import type { Phase } from '../program/draft.ts'
import type { MaskedProgram } from '../program/masked-program.ts'
import { addRules, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { Side } from '../program/rule-search.ts'
import type { Entry } from '../variables/entry.ts'
import type { TransactionState } from '../variables/state.ts'
import type { Gate } from './gate.ts'
import type { Scanner } from './scanner.ts'
import { isSecret } from './secrets.ts'
import type { VariablePlan } from './value-plan.ts'

/** Asks the gate about the values of one transaction, each once, as soon as a phase has them. */
export class ValueSearch {
  /** Rules whose first link matches some value seen so far, some that are off among them; see also `Entry.hits`. */
  readonly hits: RuleBits
  readonly #masked: MaskedProgram
  readonly #state: TransactionState
  readonly #view: MacroView
  readonly #meter: Meter
  readonly #gate: (side: Side) => Gate
  #stagesSeen = 0

  constructor(
    masked: MaskedProgram,
    state: TransactionState,
    view: MacroView,
    meter: Meter,
    gate: (side: Side) => Gate,
  ) {
    this.#masked = masked
    this.#state = state
    this.#view = view
    this.#meter = meter
    this.#gate = gate
    this.hits = newRuleBits(masked.ruleCount)
  }

  /** Looks at the values that are new since the phase before. Pauses when a slice is over. */
  *look(phase: Phase): Generator<void, void, void> {
    while (this.#stagesSeen < phase) {
      const stage = ++this.#stagesSeen as Phase
      const plans = this.#masked.plans(stage)
      if (plans.length === 0) continue
      const gate = this.#gate(stage > 2 ? 'response' : 'request')
      const scanner = gate.take()
      for (let i = 0; i < plans.length; i++) {
        const entries = this.#state.valuesOf(plans[i]!.variable).all()
        const seen: Seen | undefined = entries.length > repeatsLikelyFrom ? new Map() : undefined
        for (let at = 0; at < entries.length; at++) {
          if (this.#answer(entries[at]!, plans[i]!, scanner, seen)) continue
          if (entries[at]!.value.length < longFrom) scanner.run(this.#view)
          else {
            while (scanner.step(this.#view)) {
              this.#meter.spend(scanner.takeWork())
              if (this.#meter.isDue) yield* this.#pause()
              if (this.#meter.isUsedUp) return
            }
          }
          this.#meter.spend(scanner.takeWork())
          if (this.#meter.isDue) yield* this.#pause()
          if (this.#meter.isUsedUp) return
          this.#finish(entries[at]!, plans[i]!, scanner.hits, seen)
        }
      }
      gate.giveBack(scanner)
    }
  }

  *#pause(): Generator<void, void, void> {
    yield
    this.#meter.resume()
  }

  /**
   * Begins to look at a value.
   * @returns true when there is nothing to do, or the answer is known already
   */
  #answer(entry: Entry, variable: VariablePlan, scanner: Scanner, seen: Seen | undefined): boolean {
    const plan = variable.of(entry)
    if (plan === undefined) return true
    const { value } = entry
    const isShort = value.length <= wafLimits.memoValueBytesMax
    const repeated = plan === variable.other ? seen?.get(value) : undefined
    const known = repeated ?? (isShort ? plan.memo?.get(value) : undefined)
    if (known === undefined) {
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
    if (plan.memo !== undefined && !isSecret(variable.variable, entry)) plan.memo.set(value, hits ?? null)
  }

  /** Bits of rules are shared by values that are alike, so they are not changed but replaced. */
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

/** Values with keys that no rule names, and what they match. */
type Seen = Map<string, RuleBits | null>

/** From this length on a value is left between two steps when a slice is over. */
const longFrom = 4096

/** Values of so many entries, such as the names in a list of objects, are often the same. */
const repeatsLikelyFrom = 16
