import type { PackReader, PackWriter } from '../../kit/packing.ts'
import { ByteSet } from '../byte-set.ts'
import type { Assertion } from '../syntax/ast.ts'
import type { LookAround, Nfa, StepTables } from './nfa.ts'
import { stepTables } from './step-tables.ts'

/** Writes an NFA, with its tables if it is to be stepped. */
export function packNfa(nfa: Nfa, isStepped: boolean, pack: PackWriter): void {
  const { size, ops, xs, ys, sets, assertions, looks, groups, backreferences } = nfa
  pack.number(size)
  pack.number(groups)
  pack.number(backreferences ? 1 : 0)
  pack.bytes(ops)
  pack.shorts(xs)
  pack.shorts(ys)
  pack.bytes(bitsOf(sets))
  pack.bytes(Uint8Array.from(assertions, assertion => assertionNames.indexOf(assertion)))
  pack.numbers(Int32Array.from(looks.flatMap(numbersOf)))
  pack.number(isStepped ? 1 : 0)
  if (isStepped) packTables(nfa.tables ?? stepTables(nfa), pack)
}

/** Reads an NFA that `packNfa` has written; it keeps using the packed bytes. */
export function unpackNfa(pack: PackReader): Nfa {
  return new PackedNfa(pack)
}

class PackedNfa implements Nfa {
  readonly size: number
  readonly groups: number
  readonly backreferences: boolean
  readonly ops: Uint8Array
  readonly xs: Uint16Array
  readonly ys: Uint16Array
  readonly assertions: readonly Assertion[]
  readonly looks: readonly LookAround[]
  readonly tables: StepTables | undefined
  readonly #setBits: Uint8Array
  #sets: readonly ByteSet[] | undefined

  constructor(pack: PackReader) {
    this.size = pack.number()
    this.groups = pack.number()
    this.backreferences = pack.number() === 1
    this.ops = pack.bytes()
    this.xs = pack.shorts()
    this.ys = pack.shorts()
    this.#setBits = pack.bytes()
    this.assertions = Array.from(pack.bytes(), number => assertionNames[number]!)
    this.looks = looksOf(pack.numbers())
    this.tables = pack.number() === 1 ? unpackTables(pack) : undefined
  }

  /** Only searches for captures need them. */
  get sets(): readonly ByteSet[] {
    this.#sets ??= setsOf(this.#setBits)
    return this.#sets
  }
}

/** By number. */
const assertionNames: readonly Assertion[] = [
  'text-start',
  'text-end',
  'text-end-or-last-line-feed',
  'line-start',
  'line-start-inside',
  'line-end',
  'word-boundary',
  'no-word-boundary',
  'word-start',
  'word-end',
]

const setBytes = 32

function bitsOf(sets: readonly ByteSet[]): Uint8Array {
  const bits = new Uint8Array(sets.length * setBytes)
  for (const [number, { members }] of sets.entries())
    for (let byte = 0; byte < 256; byte++)
      bits[number * setBytes + (byte >> 3)]! |= members[byte]! << (byte & 7)
  return bits
}

function setsOf(bits: Uint8Array): readonly ByteSet[] {
  return Array.from({ length: bits.length / setBytes }, (_, number) => {
    const set = new ByteSet()
    for (let byte = 0; byte < 256; byte++)
      set.members[byte] = (bits[number * setBytes + (byte >> 3)]! >> (byte & 7)) & 1
    return set
  })
}

/** Whether it is negative, the number of branches, and the branches. */
function numbersOf({ negative, branches }: LookAround): number[] {
  return [negative ? 1 : 0, branches.length, ...branches.flatMap(({ at, back }) => [at, back])]
}

function looksOf(numbers: Int32Array): LookAround[] {
  const looks: LookAround[] = []
  for (let at = 0; at < numbers.length; ) {
    const negative = numbers[at]! === 1
    const length = numbers[at + 1]!
    const first = at + 2
    const branches = Array.from({ length }, (_, number) => ({
      at: numbers[first + 2 * number]!,
      back: numbers[first + 2 * number + 1]!,
    }))
    looks.push({ negative, branches })
    at = first + 2 * length
  }
  return looks
}

function packTables(tables: StepTables, pack: PackWriter): void {
  pack.number(tables.anchored ? 1 : 0)
  pack.number(tables.tellsNeighbours ? 1 : 0)
  pack.bytes(tables.classes)
  pack.bytes(tables.kinds)
  pack.bytes(tables.holds)
  pack.shorts(tables.landing)
  pack.numbers(tables.contexts)
  pack.bytes(tables.begins)
}

function unpackTables(pack: PackReader): StepTables {
  return {
    anchored: pack.number() === 1,
    tellsNeighbours: pack.number() === 1,
    classes: pack.bytes(),
    kinds: pack.bytes(),
    holds: pack.bytes(),
    landing: pack.shorts(),
    contexts: pack.numbers(),
    begins: pack.bytes(),
  }
}
