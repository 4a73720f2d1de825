import { wafLimits } from '../limits.ts'
import type { TransformNode } from '../program/transform-trie.ts'
import { lowercase } from '../transformations/case.ts'
import { appliedInSlices, transformations } from '../transformations/index.ts'
import { highKind, lowKind } from './byte-kinds.ts'
import { columns, type LiteralAutomaton, rowShift } from './literal-automaton.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'
import { TakenSteps } from './taken-steps.ts'
import { nodeFacts, type ValuePlan } from './value-plan.ts'

/**
 * The distinct results of the transformations of one value, the value itself first, with the kinds of bytes and the
 * literals in each. One object serves many values.
 */
export class TransformedValues {
  readonly #automaton: LiteralAutomaton
  readonly #open: LiteralBits
  #plan!: ValuePlan
  readonly #values: string[] = []
  /** Values in lower case, once needed. */
  readonly #lowered: (string | undefined)[] = []
  #count = 0
  readonly #lows: Int32Array
  readonly #highs: Int32Array
  /** Two words for each value: bits of the alternatives whose literals it holds. */
  readonly #bits: Int32Array
  /** By node: the number of its value, and whether its lower case is meant. */
  readonly #valueNumbers: Int16Array
  readonly #folds: Uint8Array
  /** The original stands for all values, except for case and for values that cannot match. */
  single = true
  readonly #takenSteps = new TakenSteps()
  /** Rules with all their literals found, each with the number of the value that holds them. */
  readonly #foundRules: number[] = []
  readonly #foundValues: number[] = []
  foundCount = 0
  /** By end state: the scan that last reached it. */
  readonly #endSeen: Int32Array
  /** By group: the scan that last found it. */
  readonly #groupSeen: Int32Array
  /** By rule: groups that it still needs in the current scan. */
  readonly #waiting: Int32Array
  readonly #waitingScan: Int32Array
  #scan = 0
  #scanState = 0
  /** A long value that is not scanned to its end, and the scanned length; -1 for none. */
  #unscanned = -1
  #scannedTo = 0
  #work = 0

  /** @param open bits that are always set */
  constructor(
    automaton: LiteralAutomaton,
    open: LiteralBits,
    groupCount: number,
    ruleCount: number,
    nodeCount: number,
  ) {
    this.#automaton = automaton
    this.#open = open
    // Each node makes at most one value, plus the original.
    this.#lows = new Int32Array(nodeCount + 1)
    this.#highs = new Int32Array(nodeCount + 1)
    this.#bits = new Int32Array((nodeCount + 1) * 2)
    this.#valueNumbers = new Int16Array(nodeCount)
    this.#folds = new Uint8Array(nodeCount)
    this.#endSeen = new Int32Array(automaton.endsFrom.length)
    this.#groupSeen = new Int32Array(groupCount)
    this.#waiting = new Int32Array(ruleCount)
    this.#waitingScan = new Int32Array(ruleCount)
  }

  /** Begins with a value. A long one is complete once `scanOn` returns false. */
  begin(value: string, plan: ValuePlan): void {
    this.#plan = plan
    this.#count = 0
    this.#takenSteps.begin()
    this.foundCount = 0
    this.#unscanned = -1
    this.#add(value)
    if (this.#unscanned < 0) this.single = this.#isSingle()
  }

  /**
   * Scans the next part of a long value, the last one that was made.
   * @returns false if there was none
   */
  scanOn(): boolean {
    const number = this.#unscanned
    if (number < 0) return false
    const value = this.#values[number]!
    const to = Math.min(this.#scannedTo + scanBytes, value.length)
    this.#scanPart(value, number, this.#scannedTo, to)
    this.#scannedTo = to
    if (to === value.length) {
      this.#unscanned = -1
      if (number === 0) this.single = this.#isSingle()
    }
    return true
  }

  /** Rules that no literal finds and that the original value does not exclude. */
  plausible(): readonly PrefilteredRule[] {
    return this.#plan.plausible(this.#lows[0]!, this.#highs[0]!, this.#bits[0]!, this.#bits[1]!)
  }

  /** Whether nothing has changed the value so far. */
  get isAlone(): boolean {
    return this.#count === 1
  }

  foundRule(number: number): number {
    return this.#foundRules[number]!
  }

  foundValue(number: number): number {
    return this.#foundValues[number]!
  }

  /** The number of a node's value; below 0 for a value that cannot match any rule. */
  of(node: TransformNode): number {
    if (this.single) return node.changesAny ? nowhere : 0
    return node.id === 0 ? 0 : this.#valueNumbers[node.id]!
  }

  /** @param number `of(node)` */
  valueAt(node: TransformNode, number: number): string {
    return this.isFolded(node) ? this.#loweredValue(number) : this.#values[number]!
  }

  /** Whether the value is meant in lower case. */
  isFolded(node: TransformNode): boolean {
    if (node.id === 0) return false
    return this.single ? node.foldsCase : this.#folds[node.id] === 1
  }

  /** Whether the value holds some byte or literal of each alternative of the rule. */
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

  /** Finds the value of the node at an index of the plan; its parent's is known. */
  apply(index: number): void {
    if (this.#isUntouched(index)) return
    const node = this.#plan.nodes[index]!
    const before = this.#valueBefore(node)
    const to = this.#taken(node, before)
    this.#settle(node, to === notTaken ? this.#take(node, before, node.step.apply(before)) : to)
  }

  /** The same for a long value, with pauses, including the scan of the result. */
  *applyInSlices(index: number): Generator<void, void, void> {
    if (this.#isUntouched(index)) return
    const node = this.#plan.nodes[index]!
    const { id } = node.parent!
    if (id !== 0 && this.#folds[id] === 1) yield* this.foldInSlices(this.#valueNumbers[id]!)
    const before = this.#valueBefore(node)
    const to = this.#taken(node, before)
    if (to !== notTaken) this.#settle(node, to)
    else {
      const after = yield* appliedInSlices(node.step, before)
      this.#settle(node, this.#take(node, before, after))
      while (this.scanOn()) yield
    }
  }

  /** Converts a value to lower case, with pauses. @param number of a value */
  *foldInSlices(number: number): Generator<void, void, void> {
    this.#lowered[number] ??= yield* appliedInSlices(folding, this.#values[number]!)
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

  /** Releases all values. */
  rest(): void {
    this.#values.length = 0
    this.#lowered.length = 0
    this.#takenSteps.rest()
  }

  #isSingle(): boolean {
    const { triggersLow, triggersHigh, always, lengthMin } = this.#plan
    if ((this.#lows[0]! & triggersLow) !== 0 || (this.#highs[0]! & triggersHigh) !== 0) return false
    for (let i = 0; i < always.length; i++) {
      const { id, step } = always[i]!
      if (step.reaches === undefined || step.reaches(this.#values[0]!, lengthMin[id]!)) return false
    }
    return true
  }

  /** Whether the step does not change the parent's value, or the parent has none. */
  #isUntouched(index: number): boolean {
    const facts = this.#plan.nodeFacts
    const fact = index * nodeFacts.count
    const id = facts[fact + nodeFacts.id]!
    const parent = facts[fact + nodeFacts.parent]!
    const from = parent === 0 ? 0 : this.#valueNumbers[parent]!
    const flags = facts[fact + nodeFacts.flags]!
    if (from < 0) this.#valueNumbers[id] = nowhere
    else if (
      (flags & 2) === 0 &&
      (this.#lows[from]! & facts[fact + nodeFacts.low]!) === 0 &&
      (this.#highs[from]! & facts[fact + nodeFacts.high]!) === 0
    ) {
      this.#valueNumbers[id] = from
      this.#folds[id] = (parent === 0 ? 0 : this.#folds[parent]!) | (flags & 1)
    } else return false
    return true
  }

  /** The input of the node's step. */
  #valueBefore({ parent }: TransformNode): string {
    const { id } = parent!
    if (id === 0) return this.#values[0]!
    const number = this.#valueNumbers[id]!
    return this.#folds[id] === 1 ? this.#loweredValue(number) : this.#values[number]!
  }

  /** Many lists apply the same step to the same value: it is run once. */
  #taken({ step, id }: TransformNode, before: string): number {
    const known = this.#takenSteps.find(step.apply, before)
    if (known !== undefined) return known
    const { reaches } = step
    return reaches === undefined || reaches(before, this.#plan.lengthMin[id]!) ? notTaken : nowhere
  }

  /** The number of the step's result. */
  #take({ step }: TransformNode, before: string, after: string): number {
    this.#work += before.length
    const to = after === before ? unchanged : this.#numberOf(after)
    this.#takenSteps.add(step.apply, before, to)
    return to
  }

  #settle({ id, parent }: TransformNode, to: number): void {
    const { id: from } = parent!
    this.#valueNumbers[id] = to === unchanged ? (from === 0 ? 0 : this.#valueNumbers[from]!) : to
    this.#folds[id] = to === unchanged && from !== 0 ? this.#folds[from]! : 0
  }

  #numberOf(value: string): number {
    for (let i = this.#count - 1; i > 0; i--) if (this.#values[i] === value) return i
    return this.#add(value)
  }

  #loweredValue(number: number): string {
    this.#lowered[number] ??= lowercase(this.#values[number]!)
    return this.#lowered[number]
  }

  #add(value: string): number {
    const number = this.#count++
    this.#values[number] = value
    this.#lowered[number] = undefined
    this.#work += value.length + valueCost
    this.#lows[number] = 0
    this.#highs[number] = 0
    const { first, second } = this.#plan.scansLiterals ? this.#open : allOpen
    this.#bits[number * 2] = first
    this.#bits[number * 2 + 1] = second
    if (this.#plan.scansLiterals) this.#newScan()
    if (value.length <= scanBytes) this.#scanPart(value, number, 0, value.length)
    else {
      this.#unscanned = number
      this.#scannedTo = 0
    }
    return number
  }

  #scanPart(value: string, number: number, from: number, to: number): void {
    if (this.#plan.scansLiterals) this.#scanLiterals(value, number, from, to)
    else this.#scanKinds(value, number, from, to)
  }

  #scanKinds(value: string, number: number, from: number, to: number): void {
    let low = 0
    let high = 0
    for (let i = from; i < to; i++) {
      const code = value.charCodeAt(i)
      low |= lowKind[code]!
      high |= highKind[code]!
    }
    this.#lows[number]! |= low
    this.#highs[number]! |= high
  }

  #newScan(): void {
    if (this.#scan === lastScan) this.#forgetScans()
    this.#scan++
    this.#scanState = 0
  }

  #scanLiterals(value: string, number: number, from: number, to: number): void {
    const { next, firstEnd } = this.#automaton
    const scan = this.#scan
    const endSeen = this.#endSeen
    let state = this.#scanState
    let low = 0
    let high = 0
    for (let i = from; i < to; i++) {
      const code = value.charCodeAt(i)
      low |= lowKind[code]!
      high |= highKind[code]!
      state = next[state + columns[code]!]!
      if (state < firstEnd) continue
      const end = (state - firstEnd) >> rowShift
      if (endSeen[end] === scan) continue
      endSeen[end] = scan
      this.#meet(end, number)
    }
    this.#scanState = state
    this.#lows[number]! |= low
    this.#highs[number]! |= high
  }

  /** Numbers of scans must fit their arrays. */
  #forgetScans(): void {
    this.#scan = 0
    for (const seen of [this.#endSeen, this.#groupSeen, this.#waitingScan]) seen.fill(0)
  }

  /** Handles an end state: rules with all their literals found may match. */
  #meet(end: number, number: number): void {
    const { first, second, rules } = this.#plan.endOf(end)
    this.#bits[number * 2]! |= first
    this.#bits[number * 2 + 1]! |= second
    for (let i = 0; i < rules.length; i += 2) this.#meetGroup(rules[i]!, rules[i + 1]!, number)
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
    this.#foundValues[this.foundCount++] = number
  }
}

/** Bits of alternatives (`Alternative.bit`), 32 each. */
export interface LiteralBits {
  readonly first: number
  readonly second: number
}

const allOpen: LiteralBits = { first: -1, second: -1 }

/** Cost of a value besides its bytes, in bytes. */
const valueCost = 32
const lastScan = 0x7fffffff
/** Bytes of a value that are scanned without a pause. */
const scanBytes = wafLimits.sliceBytes

/** No value: none that could match any rule. */
const nowhere = -1
/** The parent's value. */
const unchanged = -2
/** The step has not run yet. */
const notTaken = -3

const folding = transformations.get('lowercase')!
