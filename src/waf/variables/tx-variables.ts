import { type Matcher, MatchLimitError } from '../../regex/index.ts'
import { wafLimits } from '../limits.ts'
import type { Groups, MacroView, Operator } from '../operators/index.ts'
import { Entry } from './entry.ts'
import { VariableMap } from './variable-map.ts'

/** Values of TX that are known without running the rules that set them; see `FoldedRun`. */
export interface KnownVariables {
  /** @param before index of the current rule: variables of this and later rules are not set yet */
  named(folded: string, before: number): readonly Entry[]
  all(before: number): readonly Entry[]
  /** Variables with a name that the pattern finds something in. */
  matching(pattern: Matcher, before: number): readonly Entry[]
}

/**
 * The collection TX of one transaction: known values, and variables that rules set on top. Captures (TX:0–TX:9) are
 * computed when needed; they stay until the next match of a rule with `capture`.
 */
export class TxVariables extends VariableMap {
  /** Index of the current rule. */
  ruleIndex = 0
  #known: KnownVariables | undefined
  #captures: PendingCaptures | undefined

  override all(): readonly Entry[] {
    this.#nameCaptures()
    const own = super.all()
    const known = this.#known?.all(this.ruleIndex) ?? none
    return known.length === 0 ? own : [...known, ...own]
  }

  /** Variables with a name that the pattern finds something in. */
  matching(pattern: Matcher): readonly Entry[] {
    if (findsCaptures(pattern)) this.#nameCaptures()
    const own = this.isEmpty ? none : super.all().filter(entry => pattern.test(entry.key))
    const known = this.#known?.matching(pattern, this.ruleIndex) ?? none
    return known.length === 0 ? own : [...known, ...own]
  }

  override named(folded: string): readonly Entry[] {
    if (this.#captures !== undefined && isCaptureName(folded)) {
      const value = this.#captures.groups[Number(folded)]
      return value === undefined ? none : [new Entry(folded, value, folded)]
    }
    const own = super.named(folded)
    return own.length > 0 || this.#known === undefined ? own : this.#known.named(folded, this.ruleIndex)
  }

  override get(folded: string): string | undefined {
    if (this.#captures !== undefined && isCaptureName(folded)) return this.#captures.groups[Number(folded)]
    return this.named(folded)[0]?.value
  }

  override set(name: string, value: string, folded?: string): void {
    if (isCaptureName(name)) this.#nameCaptures()
    super.set(name, value, folded)
  }

  override delete(name: string, folded?: string): void {
    if (isCaptureName(name)) this.#nameCaptures()
    super.delete(name, folded)
  }

  /** Looks up unset values in `known` from now on. */
  know(known: KnownVariables): void {
    this.#known = known
  }

  /** Makes these variables values of the transaction at the current rule; all others are known from there. */
  own(names: readonly string[], others: KnownVariables): void {
    for (const name of names) {
      const entry = this.#known?.named(name, this.ruleIndex)[0]
      if (entry !== undefined) super.set(entry.key, entry.value, name)
    }
    this.#known = others
  }

  /** Makes the known variables at the current rule values of the transaction. */
  takeOver(): void {
    if (this.#known === undefined) return
    const known = this.#known.all(this.ruleIndex)
    this.#known = undefined
    for (const entry of known) super.set(entry.key, entry.value, entry.folded)
  }

  /** Sets TX:0–TX:9 to the captures of this match. */
  capture(captures: PendingCaptures): void {
    this.#captures = captures
  }

  /** Captures of the last match with `capture`. */
  get captures(): PendingCaptures | undefined {
    return this.#captures
  }

  /** Turns captures into ordinary variables. */
  #nameCaptures(): void {
    if (this.#captures === undefined) return
    const { groups } = this.#captures
    this.#captures = undefined
    for (let i = 0; i < captureNames.length; i++) {
      const name = captureNames[i]!
      const value = groups[i]
      if (value === undefined) super.delete(name, name)
      else super.set(name, value, name)
    }
  }
}

/** By pattern: whether it finds something in the name of a capture. */
const capturesFound = new WeakMap<Matcher, boolean>()

/** Whether a pattern for names selects captures. */
export function findsCaptures(pattern: Matcher): boolean {
  let finds = capturesFound.get(pattern)
  if (finds === undefined) {
    finds = captureNames.some(name => pattern.test(name))
    capturesFound.set(pattern, finds)
  }
  return finds
}

const captureNames = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
const none: readonly Entry[] = []

/** The captures of one match. */
export class PendingCaptures {
  readonly #operator: Capturing
  readonly #value: string
  readonly #view: MacroView
  #groups: Groups | undefined

  constructor(operator: Capturing, value: string, view: MacroView) {
    this.#operator = operator
    this.#value = value
    this.#view = view
  }

  get groups(): Groups {
    this.#groups ??= this.#found()
    return this.#groups
  }

  /** Whether they take long to compute. */
  get areLong(): boolean {
    return (
      this.#groups === undefined &&
      this.#value.length >= wafLimits.sliceBytes &&
      this.#operator.groupsInSlices !== undefined
    )
  }

  /** Computes slow captures ahead, with pauses. */
  *workOut(): Generator<void, void, void> {
    if (!this.areLong) return
    try {
      this.#groups = yield* this.#operator.groupsInSlices!(this.#value, this.#view)
    } catch (error) {
      this.#groups = this.#notKnown(error)
    }
  }

  /** Makes them empty, if they are not computed yet. */
  giveUp(): void {
    this.#groups ??= []
  }

  #found(): Groups {
    try {
      return this.#operator.groups!(this.#value, this.#view)
    } catch (error) {
      return this.#notKnown(error)
    }
  }

  #notKnown(error: unknown): Groups {
    if (!(error instanceof MatchLimitError)) throw error
    this.#view.limitReached()
    return []
  }
}

/** An operator with captures. */
type Capturing = Pick<Operator, 'groups' | 'groupsInSlices'>

export function isCaptureName(name: string): boolean {
  if (name.length !== 1) return false
  const code = name.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}
