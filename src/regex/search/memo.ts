import { type Nfa, op } from '../automaton/nfa.ts'

/** Captures that were set on the path to an end: a list that shares its tail with paths that join it. */
export interface Saves {
  readonly slot: number
  readonly position: number
  readonly next: Saves | undefined
}

/**
 * The instructions that a memo must track so that none runs twice at one position: those with several predecessors. All
 * others run at most once for each run of their only predecessor.
 */
export interface MemoPlan {
  /** Instruction → row of the memo, -1 for untracked ones. Rows inside atomic groups and look-around come last. */
  readonly rows: Int32Array
  readonly outerRows: number
  readonly innerRows: number
}

export function planMemo(nfa: Nfa): MemoPlan {
  const { size, ops, ys } = nfa
  const entries = new Uint32Array(size + 1)
  const inner = new Uint8Array(size)
  for (let at = 0; at < size; at++) {
    for (const next of successors(nfa, at)) entries[next] = entries[next]! + 1
    if (ops[at] === op.atomic || ops[at] === op.look) inner.fill(1, at + 1, ys[at])
  }
  const rows = new Int32Array(size).fill(-1)
  let count = 0
  const number = (kind: number) => {
    for (let at = 0; at < size; at++) if (entries[at]! > 1 && inner[at] === kind) rows[at] = count++
  }
  number(0)
  const outerRows = count
  number(1)
  return { rows, outerRows, innerRows: count - outerRows }
}

function successors({ ops, xs, ys, looks }: Nfa, at: number): readonly number[] {
  switch (ops[at]) {
    case op.split:
      return [xs[at]!, ys[at]!]
    case op.jump:
      return [xs[at]!]
    case op.match:
      return []
    case op.atomic:
      return [at + 1, ys[at]!]
    case op.look:
      return [...looks[xs[at]!]!.branches.map(branch => branch.at), ys[at]!]
    default:
      return [at + 1]
  }
}

const untried = 0
const failed = -1

/** Results for cells (an instruction at a position) in one input. */
export class Memo {
  readonly #plan: MemoPlan
  readonly #positions: number
  /** Outside atomic groups and look-around the search ends with the first success: one bit, "tried before". */
  readonly #tried: Uint32Array
  /** Inside: `untried`, `failed`, or the reached end plus one. */
  readonly #ends: Int32Array
  readonly #saves = new Map<number, Saves>()

  static bits(plan: MemoPlan, inputLength: number): number {
    return (plan.outerRows + 32 * plan.innerRows) * (inputLength + 1)
  }

  constructor(plan: MemoPlan, inputLength: number) {
    this.#plan = plan
    this.#positions = inputLength + 1
    this.#tried = new Uint32Array(Math.ceil((plan.outerRows * this.#positions) / 32))
    this.#ends = new Int32Array(plan.innerRows * this.#positions)
  }

  /** The number of a cell; -1 if it is not tracked. */
  cell(at: number, position: number): number {
    const row = this.#plan.rows[at]!
    return row < 0 ? -1 : row * this.#positions + position
  }

  /** Marks a cell as tried and, until a success is reported, failed. @returns whether it was tried before */
  visit(cell: number): boolean {
    const index = cell - this.#plan.outerRows * this.#positions
    if (index >= 0) {
      if (this.#ends[index] !== untried) return true
      this.#ends[index] = failed
      return false
    }
    const word = this.#tried[cell >>> 5]!
    const mask = 1 << (cell & 31)
    this.#tried[cell >>> 5] = word | mask
    return (word & mask) !== 0
  }

  succeed(cell: number, end: number, saves: Saves | undefined): void {
    const index = cell - this.#plan.outerRows * this.#positions
    if (index < 0) return
    this.#ends[index] = end + 1
    if (saves !== undefined) this.#saves.set(index, saves)
  }

  /** The end that was reached from a cell tried before, -1 for none. */
  endFrom(cell: number): number {
    const index = cell - this.#plan.outerRows * this.#positions
    return index < 0 ? -1 : Math.max(this.#ends[index]! - 1, -1)
  }

  savesFrom(cell: number): Saves | undefined {
    return this.#saves.get(cell - this.#plan.outerRows * this.#positions)
  }
}
