import { wafLimits } from '../limits.ts'

/**
 * Aho–Corasick over many literals, ASCII letters in either case: one table look-up per byte for any number of literals.
 * States that end a literal have the highest numbers.
 */
export interface LiteralAutomaton {
  /** A state is the offset of its row: `next[state + columns[byte]]`; the start is 0. */
  readonly next: Int32Array
  readonly firstEnd: number
  /** Groups of the state in row r ≥ that of `firstEnd`: from `ends[endsFrom[r]]` up to, not including, the next row's. */
  readonly endsFrom: Int32Array
  readonly ends: Int32Array
  /** Literals of these groups did not fit; the automaton does not find them. */
  readonly left: ReadonlySet<number>
}

/** @param groups literals in lower case, none empty; the end of a literal shows its group */
export function buildLiteralAutomaton(groups: readonly (readonly string[])[]): LiteralAutomaton {
  const trie = new Trie()
  const left = new Set<number>()
  for (const [group, literals] of groups.entries()) {
    const fits = literals.every(literal => trie.add(literal, group))
    if (!fits) left.add(group)
  }
  return { ...trie.finish(), left }
}

/**
 * Byte → column of the table. Letters have no case; the digits from 2 on share a column, and so do all control
 * characters and all bytes above ASCII. That finds a few literals too many, for a table that fits a cache.
 */
export const columns = new Int32Array(256)
/** A row has 2^6 columns. */
export const rowShift = 6
const width = 1 << rowShift

let column = 0
for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
  columns[letter.charCodeAt(0)] = column
  columns[letter.charCodeAt(0) - 0x20] = column++
}
columns[0x30] = column++
columns[0x31] = column++
columns.fill(column++, 0x32, 0x3a)
for (const sign of ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~') columns[sign.charCodeAt(0)] = column++
columns.fill(column, 0, 0x20)
columns.fill(column, 0x7f)

class Trie {
  #next = new Uint16Array(1024 * width)
  #groups: (number[] | undefined)[] = [undefined]
  states = 1

  /** @returns false if it does not fit */
  add(literal: string, group: number): boolean {
    if (this.states + literal.length > wafLimits.literalStatesMax) return false
    let state = 0
    for (let i = 0; i < literal.length; i++) {
      const at = state * width + columns[literal.charCodeAt(i)]!
      if (this.#next[at] === 0) {
        const added = this.#newState()
        this.#next[at] = added
      }
      state = this.#next[at]!
    }
    const groups = this.#groups[state]
    if (groups === undefined) this.#groups[state] = [group]
    else if (!groups.includes(group)) groups.push(group)
    return true
  }

  #newState(): number {
    const state = this.states++
    this.#groups.push(undefined)
    if (this.states * width > this.#next.length) {
      const larger = new Uint16Array(this.#next.length * 2)
      larger.set(this.#next)
      this.#next = larger
    }
    return state
  }

  /** Adds the transitions for mismatches, level by level, then moves states that end something to the end. */
  finish(): Pick<LiteralAutomaton, 'next' | 'firstEnd' | 'endsFrom' | 'ends'> {
    const next = this.#next
    const fallback = new Uint16Array(this.states)
    const order: number[] = [0]
    for (let i = 0; i < order.length; i++) {
      const state = order[i]!
      const from = fallback[state]!
      if (state !== 0) this.#groups[state] = union(this.#groups[state], this.#groups[from])
      for (let column = 0; column < width; column++) {
        const at = state * width + column
        const elsewhere = state === 0 ? 0 : next[from * width + column]!
        if (next[at] === 0) next[at] = elsewhere
        else {
          fallback[next[at]!] = elsewhere
          order.push(next[at]!)
        }
      }
    }
    return this.#renumbered()
  }

  #renumbered(): Pick<LiteralAutomaton, 'next' | 'firstEnd' | 'endsFrom' | 'ends'> {
    const all = [...this.#groups.keys()]
    const order = [...all.filter(state => !this.#groups[state]), ...all.filter(state => this.#groups[state])]
    const numbers = new Uint16Array(this.states)
    for (const [number, state] of order.entries()) numbers[state] = number
    const next = new Int32Array(this.states * width)
    for (const [number, state] of order.entries()) {
      for (let column = 0; column < width; column++) {
        next[number * width + column] = numbers[this.#next[state * width + column]!]! * width
      }
    }
    const endGroups = order.map(state => this.#groups[state]).filter(groups => groups !== undefined)
    const endsFrom = new Int32Array(endGroups.length + 1)
    for (const [i, groups] of endGroups.entries()) endsFrom[i + 1] = endsFrom[i]! + groups.length
    return {
      next,
      firstEnd: (this.states - endGroups.length) * width,
      endsFrom,
      ends: Int32Array.from(endGroups.flat()),
    }
  }
}

function union(own: number[] | undefined, more: number[] | undefined): number[] | undefined {
  if (own === undefined || more === undefined) return own ?? more
  return [...new Set([...own, ...more])]
}
