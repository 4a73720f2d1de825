import type { TransformNode } from '../program/transform-trie.ts'
import { lowercase } from '../transformations/case.ts'
import type { Transformation, TransformationRow } from '../transformations/index.ts'
import { highKind, lowKind } from './byte-kinds.ts'
import type { GatedRule } from './gated-rule.ts'
import { columns, type LiteralAutomaton, rowShift } from './literal-automaton.ts'
import { nodeFacts, type ValuePlan } from './value-plan.ts'

/**
 * The different texts that transformations make of one value, the value first, and what each holds: kinds of bytes, and
 * literals. Made once and used for many values.
 */
export class Texts {
  readonly #automaton: LiteralAutomaton
  #plan!: ValuePlan
  readonly #texts: string[] = []
  /** Texts in lower case, once they were asked for. */
  readonly #lowered: (string | undefined)[] = []
  #count = 0
  readonly #lows: Int32Array
  readonly #highs: Int32Array
  /** Two words a text: bits of the alternatives whose literals it holds. */
  readonly #bits: Int32Array
  /** By node: the number of its text, and whether that in lower case is meant. */
  readonly #textOf: Int16Array
  readonly #folds: Uint8Array
  /** The value stands for all texts, but for case and for what can match nothing. */
  single = true
  /** Steps taken, and where they led. */
  readonly #taken: TakenStep[] = []
  #takenCount = 0
  /** Rules that have met all their literals, each with the text that holds them. */
  readonly #foundRules: number[] = []
  readonly #foundTexts: number[] = []
  foundCount = 0
  /** By end state: the scan that last came there. */
  readonly #endSeen: Int32Array
  /** Groups met in the scan of that number. */
  readonly #groupSeen: Int32Array
  /** Groups that a rule still waits for in the scan of that number. */
  readonly #waiting: Int32Array
  readonly #waitingScan: Int32Array
  #scan = 0
  #work = 0

  constructor(automaton: LiteralAutomaton, groupCount: number, ruleCount: number, nodeCount: number) {
    this.#automaton = automaton
    // Each node makes one text at most, and the value is one more.
    this.#lows = new Int32Array(nodeCount + 1)
    this.#highs = new Int32Array(nodeCount + 1)
    this.#bits = new Int32Array((nodeCount + 1) * 2)
    this.#textOf = new Int16Array(nodeCount)
    this.#folds = new Uint8Array(nodeCount)
    this.#endSeen = new Int32Array(automaton.endsFrom.length)
    this.#groupSeen = new Int32Array(groupCount)
    this.#waiting = new Int32Array(ruleCount)
    this.#waitingScan = new Int32Array(ruleCount)
  }

  begin(value: string, plan: ValuePlan): void {
    this.#plan = plan
    this.#count = 0
    this.#takenCount = 0
    this.foundCount = 0
    this.#add(value)
    this.single = this.#isSingle()
  }

  /** Of rules that no literal finds, those that the value alone does not rule out. */
  plausible(): readonly GatedRule[] {
    return this.#plan.plausible(this.#lows[0]!, this.#highs[0]!, this.#bits[0]!, this.#bits[1]!)
  }

  /** Has nothing changed the value so far? */
  get isAlone(): boolean {
    return this.#count === 1
  }

  foundRule(number: number): number {
    return this.#foundRules[number]!
  }

  foundText(number: number): number {
    return this.#foundTexts[number]!
  }

  /** The number of the text that stands for a node; below 0 for none that could match any rule. */
  of(node: TransformNode): number {
    if (this.single) return node.changesAny ? nowhere : 0
    return node.id === 0 ? 0 : this.#textOf[node.id]!
  }

  /** @param number `of(node)` */
  textAt(node: TransformNode, number: number): string {
    if (node.id === 0) return this.#texts[0]!
    const folds = this.single ? node.foldsCase : this.#folds[node.id] === 1
    return folds ? this.#loweredText(number) : this.#texts[number]!
  }

  /** Does the text hold some byte or literal of each alternative of the rule? */
  mayHold({ masks }: GatedRule, number: number): boolean {
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

  /** Finds the text that stands for the node at that place of the plan; its parent's is known. */
  apply(place: number): void {
    const facts = this.#plan.nodeFacts
    const fact = place * nodeFacts.count
    const id = facts[fact + nodeFacts.id]!
    const parent = facts[fact + nodeFacts.parent]!
    const from = parent === 0 ? 0 : this.#textOf[parent]!
    const folds = parent === 0 ? 0 : this.#folds[parent]!
    const flags = facts[fact + nodeFacts.flags]!
    if (from < 0) this.#textOf[id] = nowhere
    else if (
      (flags & 2) === 0 &&
      (this.#lows[from]! & facts[fact + nodeFacts.low]!) === 0 &&
      (this.#highs[from]! & facts[fact + nodeFacts.high]!) === 0
    ) {
      this.#textOf[id] = from
      this.#folds[id] = folds | (flags & 1)
    } else {
      const before = folds === 1 ? this.#loweredText(from) : this.#texts[from]!
      const to = this.#take(this.#plan.nodes[place]!.step, before, id)
      this.#textOf[id] = to === unchanged ? from : to
      this.#folds[id] = to === unchanged ? folds : 0
    }
  }

  spend(bytes: number): void {
    this.#work += bytes
  }

  /** Bytes looked at since the last call. */
  takeWork(): number {
    const work = this.#work
    this.#work = 0
    return work
  }

  /** Lets go of all texts. */
  rest(): void {
    this.#texts.length = 0
    this.#lowered.length = 0
    this.#taken.length = 0
  }

  #isSingle(): boolean {
    const { triggersLow, triggersHigh, always, lengthMin } = this.#plan
    if ((this.#lows[0]! & triggersLow) !== 0 || (this.#highs[0]! & triggersHigh) !== 0) return false
    for (let i = 0; i < always.length; i++) {
      const { id, step } = always[i]!
      if (step.reaches === undefined || step.reaches(this.#texts[0]!, lengthMin[id]!)) return false
    }
    return true
  }

  /** The number of what the step makes of a text. Many lists take the same step from the same text: it is taken once. */
  #take({ apply, reaches }: TransformationRow, before: string, node: number): number {
    for (let i = 0; i < this.#takenCount; i++) {
      const taken = this.#taken[i]!
      if (taken.apply === apply && taken.before === before) return taken.to
    }
    if (reaches !== undefined && !reaches(before, this.#plan.lengthMin[node]!)) return nowhere
    const after = apply(before)
    this.#work += before.length
    const to = after === before ? unchanged : this.#numberOf(after)
    this.#remember(apply, before, to)
    return to
  }

  #remember(apply: Transformation, before: string, to: number): void {
    const step = this.#taken[this.#takenCount]
    if (step === undefined) this.#taken.push({ apply, before, to })
    else {
      step.apply = apply
      step.before = before
      step.to = to
    }
    this.#takenCount++
  }

  #numberOf(text: string): number {
    for (let i = this.#count - 1; i > 0; i--) if (this.#texts[i] === text) return i
    return this.#add(text)
  }

  #loweredText(number: number): string {
    this.#lowered[number] ??= lowercase(this.#texts[number]!)
    return this.#lowered[number]
  }

  #add(text: string): number {
    const number = this.#count++
    this.#texts[number] = text
    this.#lowered[number] = undefined
    this.#work += text.length + textCost
    if (this.#plan.scansLiterals) {
      this.#bits[number * 2] = 0
      this.#bits[number * 2 + 1] = 0
      this.#scanLiterals(text, number)
    } else {
      this.#bits[number * 2] = -1
      this.#bits[number * 2 + 1] = -1
      this.#scanKinds(text, number)
    }
    return number
  }

  #scanKinds(text: string, number: number): void {
    let low = 0
    let high = 0
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      low |= lowKind[code]!
      high |= highKind[code]!
    }
    this.#lows[number] = low
    this.#highs[number] = high
  }

  #scanLiterals(text: string, number: number): void {
    const { next, firstEnd } = this.#automaton
    if (this.#scan === lastScan) this.#forgetScans()
    const scan = ++this.#scan
    const endSeen = this.#endSeen
    let state = 0
    let low = 0
    let high = 0
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      low |= lowKind[code]!
      high |= highKind[code]!
      state = next[state + columns[code]!]!
      if (state < firstEnd) continue
      const end = (state - firstEnd) >> rowShift
      if (endSeen[end] === scan) continue
      endSeen[end] = scan
      this.#meet(end, number)
    }
    this.#lows[number] = low
    this.#highs[number] = high
  }

  /** Numbers of scans must fit the arrays that hold them. */
  #forgetScans(): void {
    this.#scan = 0
    for (const seen of [this.#endSeen, this.#groupSeen, this.#waitingScan]) seen.fill(0)
  }

  /** Literals end here: rules that have met all theirs may match. */
  #meet(end: number, text: number): void {
    const { first, second, rules } = this.#plan.endOf(end)
    this.#bits[text * 2]! |= first
    this.#bits[text * 2 + 1]! |= second
    for (let i = 0; i < rules.length; i += 2) this.#meetGroup(rules[i]!, rules[i + 1]!, text)
  }

  #meetGroup(group: number, rule: number, text: number): void {
    if (this.#groupSeen[group] === this.#scan) return
    this.#groupSeen[group] = this.#scan
    if (this.#waitingScan[rule] !== this.#scan) {
      this.#waitingScan[rule] = this.#scan
      this.#waiting[rule] = this.#plan.rules[rule]!.literalLists
    }
    if (--this.#waiting[rule]! > 0) return
    this.#foundRules[this.foundCount] = rule
    this.#foundTexts[this.foundCount++] = text
  }
}

/** What a text costs besides its bytes, in bytes. */
const textCost = 32
const lastScan = 0x7fffffff

interface TakenStep {
  apply: Transformation
  before: string
  to: number
}

/** No text: none that could match any rule. */
const nowhere = -1
/** The text that was there. */
const unchanged = -2
