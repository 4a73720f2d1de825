import { wafLimits } from '../limits.ts'
import { lowercase } from '../transformations/case.ts'
import { appliedInSlices, transformations } from '../transformations/index.ts'
import { highFacts, lowKind, upperCase } from './byte-kinds.ts'
import { columns, type LiteralAutomaton, rowShift } from './literal-automaton.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'
import type { ValuePlan } from './value-plan.ts'

/**
 * Distinct texts by number, from 0, with the kinds of bytes and the literals in each. One object serves many values.
 */
export class ScannedTexts {
  readonly #automaton: LiteralAutomaton
  readonly #alternatives: AlternativeBits
  #plan!: ValuePlan
  readonly #texts: string[] = []
  /** Texts in lower case, once needed. */
  readonly #lowered: (string | undefined)[] = []
  #count = 0
  readonly #lows: Int32Array
  readonly #highs: Int32Array
  /** Two words for each text: bits of the alternatives whose literals it holds. All, before literals are searched. */
  readonly #bits: Int32Array
  /** By text: 1 if its literals are searched. */
  readonly #isSearched: Uint8Array
  /** Rules with all their literals found, each with the number of the text that holds them. */
  readonly #foundRules: number[] = []
  readonly #foundTexts: number[] = []
  foundCount = 0
  /** End states that the current part of a text has reached. */
  readonly #reached = new Uint16Array(partBytesMax)
  /** By end state: the scan that last reached it. */
  readonly #endSeen: Int32Array
  /** By group: the scan that last found it. */
  readonly #groupSeen: Int32Array
  /** By rule: groups that it still needs in the current scan. */
  readonly #waiting: Int32Array
  readonly #waitingScan: Int32Array
  #scan = 0
  #scanState = 0
  /** A long text that is not scanned to its end, and the scanned length; -1 for none. */
  #unscanned = -1
  #scannedTo = 0
  #work = 0

  constructor(
    automaton: LiteralAutomaton,
    alternatives: AlternativeBits,
    groupCount: number,
    ruleCount: number,
    textsMax: number,
  ) {
    this.#automaton = automaton
    this.#alternatives = alternatives
    this.#lows = new Int32Array(textsMax)
    this.#highs = new Int32Array(textsMax)
    this.#bits = new Int32Array(textsMax * 2)
    this.#isSearched = new Uint8Array(textsMax)
    this.#endSeen = new Int32Array(alternatives.ofEnds.length / 2)
    this.#groupSeen = new Int32Array(groupCount)
    this.#waiting = new Int32Array(ruleCount)
    this.#waitingScan = new Int32Array(ruleCount)
  }

  /** Forgets all texts. */
  begin(plan: ValuePlan): void {
    this.#plan = plan
    this.#count = 0
    this.foundCount = 0
    this.#unscanned = -1
  }

  get count(): number {
    return this.#count
  }

  /** Whether all texts are scanned to their ends. */
  get isScanned(): boolean {
    return this.#unscanned < 0
  }

  /**
   * The text's number. A long one is complete once `scanOn` returns false.
   * @param isTested whether some rule may match it; else its kinds of bytes suffice
   */
  numberOf(text: string, isTested: boolean): number {
    for (let i = this.#count - 1; i > 0; i--) if (this.#texts[i] === text) return i
    return this.#add(text, isTested)
  }

  /** For a text that some rule may match after all. */
  searchLiterals(number: number): void {
    if (this.#isSearched[number] === 1) return
    this.#beginSearch(number)
    this.#scanPart(this.#texts[number]!, number)
  }

  /**
   * Scans the next part of a long text, the last one that was added.
   * @returns false if there was none
   */
  scanOn(): boolean {
    const number = this.#unscanned
    if (number < 0) return false
    const text = this.#texts[number]!
    const to = Math.min(this.#scannedTo + partBytesMax, text.length)
    this.#scanPart(text.slice(this.#scannedTo, to), number)
    this.#scannedTo = to
    if (to === text.length) this.#unscanned = -1
    return true
  }

  text(number: number): string {
    return this.#texts[number]!
  }

  low(number: number): number {
    return this.#lows[number]!
  }

  /** With bits beside the kinds: see `highFacts`. */
  high(number: number): number {
    return this.#highs[number]!
  }

  isLowerCase(number: number): boolean {
    return (this.#highs[number]! & upperCase) === 0
  }

  /** In lower case. */
  lowered(number: number): string {
    if (this.isLowerCase(number)) return this.#texts[number]!
    this.#lowered[number] ??= lowercase(this.#texts[number]!)
    return this.#lowered[number]
  }

  /** Makes `lowered(number)`, with pauses. */
  *lowerInSlices(number: number): Generator<void, void, void> {
    if (this.isLowerCase(number)) return
    this.#lowered[number] ??= yield* appliedInSlices(folding, this.#texts[number]!)
  }

  /** Whether the text holds some byte or literal of each alternative of the rule. */
  mayHold({ masks }: PrefilteredRule, number: number): boolean {
    for (let i = 0; i < masks.length; i += 4) {
      const common =
        (this.#lows[number]! & masks[i]!) |
        (this.#highs[number]! & masks[i + 1]!) |
        (this.#bits[number * 2]! & masks[i + 2]!) |
        (this.#bits[number * 2 + 1]! & masks[i + 3]!)
      if (common === 0) return false
    }
    return true
  }

  /** Rules that no literal finds and that text 0 does not exclude. */
  plausible(): readonly PrefilteredRule[] {
    const high = this.#highs[0]! & ~upperCase
    return this.#plan.plausible(this.#lows[0]!, high, this.#bits[0]!, this.#bits[1]!)
  }

  foundRule(index: number): number {
    return this.#foundRules[index]!
  }

  foundText(index: number): number {
    return this.#foundTexts[index]!
  }

  spend(bytes: number): void {
    this.#work += bytes
  }

  /** Bytes read since the last call. */
  takeWork(): number {
    const work = this.#work
    this.#work = 0
    return work
  }

  /** Releases all texts. */
  rest(): void {
    this.#texts.length = 0
    this.#lowered.length = 0
  }

  #add(text: string, isTested: boolean): number {
    const number = this.#count++
    this.#texts[number] = text
    this.#lowered[number] = undefined
    this.#work += text.length + textCost
    this.#lows[number] = 0
    this.#highs[number] = 0
    const isLong = text.length > partBytesMax
    if (isTested || isLong) this.#beginSearch(number)
    else {
      this.#isSearched[number] = 0
      this.#openBits(number, allOpen)
    }
    if (!isLong) this.#scanPart(text, number)
    else {
      this.#unscanned = number
      this.#scannedTo = 0
    }
    return number
  }

  #beginSearch(number: number): void {
    this.#isSearched[number] = 1
    this.#openBits(number, this.#plan.scansLiterals ? this.#alternatives.open : allOpen)
    if (this.#plan.scansLiterals) this.#newScan()
  }

  #openBits(number: number, { first, second }: LiteralBits): void {
    this.#bits[number * 2] = first
    this.#bits[number * 2 + 1] = second
  }

  #scanPart(part: string, number: number): void {
    if (this.#plan.scansLiterals && this.#isSearched[number] === 1) this.#scanLiterals(part, number)
    else this.#scanKinds(part, number)
  }

  #scanKinds(part: string, number: number): void {
    let low = 0
    let high = 0
    for (let i = 0; i < part.length; i++) {
      const code = part.charCodeAt(i)
      low |= lowKind[code]!
      high |= highFacts[code]!
    }
    this.#lows[number]! |= low
    this.#highs[number]! |= high
  }

  #newScan(): void {
    if (this.#scan === lastScan) this.#forgetScans()
    this.#scan++
    this.#scanState = 0
  }

  #scanLiterals(part: string, number: number): void {
    const { next, firstEnd } = this.#automaton
    const reached = this.#reached
    let count = 0
    let state = this.#scanState
    let low = 0
    let high = 0
    // Neither calls nor branches: end states are kept for later. A branch would often be mispredicted.
    for (let i = 0; i < part.length; i++) {
      const code = part.charCodeAt(i)
      low |= lowKind[code]!
      high |= highFacts[code]!
      state = next[(state << rowShift) + columns[code]!]!
      reached[count] = state - firstEnd
      count += (firstEnd - 1 - state) >>> 31
    }
    this.#scanState = state
    this.#lows[number]! |= low
    this.#highs[number]! |= high
    for (let i = 0; i < count; i++) this.#meet(reached[i]!, number)
  }

  /** Numbers of scans must fit their arrays. */
  #forgetScans(): void {
    this.#scan = 0
    for (const seen of [this.#endSeen, this.#groupSeen, this.#waitingScan]) seen.fill(0)
  }

  /** Handles an end state: rules with all their literals found may match. */
  #meet(end: number, number: number): void {
    if (this.#endSeen[end] === this.#scan) return
    this.#endSeen[end] = this.#scan
    const { ofEnds } = this.#alternatives
    this.#bits[number * 2]! |= ofEnds[end * 2]!
    this.#bits[number * 2 + 1]! |= ofEnds[end * 2 + 1]!
    const waiting = this.#plan.endOf(end)
    for (let i = 0; i < waiting.length; i += 2) this.#meetGroup(waiting[i]!, waiting[i + 1]!, number)
  }

  #meetGroup(group: number, rule: number, number: number): void {
    if (this.#groupSeen[group] === this.#scan) return
    this.#groupSeen[group] = this.#scan
    if (this.#waitingScan[rule] !== this.#scan) {
      this.#waitingScan[rule] = this.#scan
      this.#waiting[rule] = this.#plan.rules[rule]!.literalLists
    }
    if (--this.#waiting[rule]! > 0) return
    this.#foundRules[this.foundCount] = rule
    this.#foundTexts[this.foundCount++] = number
  }
}

/** Bits of alternatives (`Alternative.bit`), 32 each. */
export interface LiteralBits {
  readonly first: number
  readonly second: number
}

export interface AlternativeBits {
  /** Alternatives with a literal that is not searched: every text may hold it. */
  readonly open: LiteralBits
  /** By end state, two words: alternatives whose literals end there. */
  readonly ofEnds: Int32Array
}

const allOpen: LiteralBits = { first: -1, second: -1 }

/** Cost of a text besides its bytes, in bytes. */
const textCost = 32
const lastScan = 0x7fffffff
/** Bytes of a text that are scanned without a pause. */
const partBytesMax = wafLimits.sliceBytes

const folding = transformations.get('lowercase')!
