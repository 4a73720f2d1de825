import type { Matcher } from '../../regex/index.ts'
import type { Groups, MacroView } from '../operators/index.ts'
import { Entry } from './entry.ts'
import { VariableMap } from './variable-map.ts'

/** Values of TX that are known without running the rules that set them; see `CleanRun`. */
export interface KnownVariables {
  /** @param before what rules at this place and behind it set is not there yet */
  named(folded: string, before: number): readonly Entry[]
  all(before: number): readonly Entry[]
  /** Those whose name the pattern finds something in. */
  matching(pattern: Matcher, before: number): readonly Entry[]
}

/**
 * The collection TX of one transaction: known values below, what rules set themselves above. Captures (TX:0–TX:9) are
 * worked out when somebody reads them; they live on until the next match of a rule with `capture`.
 */
export class TxVariables extends VariableMap {
  /** Of the rule that is being evaluated. */
  place = 0
  #known: KnownVariables | undefined
  #captures: PendingCaptures | undefined

  override all(): readonly Entry[] {
    this.#nameCaptures()
    const own = super.all()
    const known = this.#known?.all(this.place) ?? none
    return known.length === 0 ? own : [...known, ...own]
  }

  /** Those whose name the pattern finds something in. */
  matching(pattern: Matcher): readonly Entry[] {
    if (findsCaptures(pattern)) this.#nameCaptures()
    const own = super.all().filter(entry => pattern.test(entry.key))
    const known = this.#known?.matching(pattern, this.place) ?? none
    return known.length === 0 ? own : [...known, ...own]
  }

  override named(folded: string): readonly Entry[] {
    if (this.#captures !== undefined && isCaptureName(folded)) {
      const value = this.#captures.groups[Number(folded)]
      return value === undefined ? none : [new Entry(folded, value, folded)]
    }
    const own = super.named(folded)
    return own.length > 0 || this.#known === undefined ? own : this.#known.named(folded, this.place)
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

  /** From now on values that nobody has set here are looked up there. */
  know(known: KnownVariables): void {
    this.#known = known
  }

  /** Makes what is known at this place values of its own. */
  takeOver(): void {
    if (this.#known === undefined) return
    const known = this.#known.all(this.place)
    this.#known = undefined
    for (const entry of known) super.set(entry.key, entry.value, entry.folded)
  }

  /** TX:0–TX:9 are those of this match, and only those. */
  capture(captures: PendingCaptures): void {
    this.#captures = captures
  }

  /** Captures of the last match with `capture`. */
  get captures(): PendingCaptures | undefined {
    return this.#captures
  }

  /** Makes captures variables like others. */
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

/** By pattern: does it find something in the name of a capture? */
const capturesFound = new WeakMap<Matcher, boolean>()

function findsCaptures(pattern: Matcher): boolean {
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
  readonly #find: GroupsOf
  readonly #value: string
  readonly #view: MacroView
  #groups: Groups | undefined

  constructor(find: GroupsOf, value: string, view: MacroView) {
    this.#find = find
    this.#value = value
    this.#view = view
  }

  get groups(): Groups {
    this.#groups ??= this.#find(this.#value, this.#view)
    return this.#groups
  }
}

type GroupsOf = (value: string, view: MacroView) => Groups

export function isCaptureName(name: string): boolean {
  if (name.length !== 1) return false
  const code = name.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}
