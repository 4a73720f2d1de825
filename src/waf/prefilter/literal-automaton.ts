import { wafLimits } from '../limits.ts'

/**
 * Aho–Corasick over many literals, ASCII letters in either case: one table look-up per byte for any number of literals.
 * States that end a literal have the highest numbers. Otherwise, the nearer to the start, the lower the number: texts
 * mostly stay near the start, so most look-ups share the same few cache lines.
 */
export interface LiteralAutomaton {
  /** The state after a byte: `next[(state << rowShift) + columns[byte]]`; the start is 0. */
  readonly next: Uint16Array
  /** The first state that ends a literal. */
  readonly firstEnd: number
  /** Groups of state `firstEnd + i`: from `ends[endsFrom[i]]` up to, not including, `ends[endsFrom[i + 1]]`. */
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
 * Byte → column of the table. Letters have no case. Signs that are rare in texts share a column with a similar one, and
 * so do the digits from 7 on and all control characters. Of the first bytes of characters in UTF-8, those of
 * punctuation are apart, because rules look for it. That finds a few literals too many, for a table that fits a cache.
 */
export const columns = new Uint8Array(256)
/** A row has 2^6 columns. */
export const rowShift = 6
const width = 1 << rowShift

let column = 0
for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
  columns[letter.charCodeAt(0)] = column
  columns[letter.charCodeAt(0) - 0x20] = column++
}

columns.fill(column++, 0, 0x20)
columns[0x7f] = columns[0]!
const alone = " $%&'()+,-./:;<=>?\\_0123456"
const sharing = ['789', '[{', ']}', '"`', '*@', '!~', '#^|']
for (const signs of [...alone, ...sharing]) {
  for (const sign of signs) columns[sign.charCodeAt(0)] = column
  column++
}
columns.fill(column++, 0x80, 0xc0)
columns.fill(column++, 0xc0)
// U+0080 to U+00BF, U+2000 to U+3FFF, U+D000 to U+DFFF, U+F000 to U+FFFF.
for (const lead of [0xc2, 0xe2, 0xe3, 0xed, 0xef]) columns[lead] = column

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

  /** Adds the transitions for mismatches, level by level. */
  finish(): Omit<LiteralAutomaton, 'left'> {
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
    return this.#renumbered(order)
  }

  /** @param levels all states, level by level */
  #renumbered(levels: readonly number[]): Omit<LiteralAutomaton, 'left'> {
    const endless = levels.filter(state => !this.#groups[state])
    const order = [...endless, ...levels.filter(state => this.#groups[state])]
    const numbers = new Uint16Array(this.states)
    for (const [number, state] of order.entries()) numbers[state] = number
    const next = new Uint16Array(this.states * width)
    for (const [number, state] of order.entries()) {
      for (let column = 0; column < width; column++) {
        next[number * width + column] = numbers[this.#next[state * width + column]!]!
      }
    }
    const endGroups = order.slice(endless.length).map(state => this.#groups[state]!)
    const endsFrom = new Int32Array(endGroups.length + 1)
    for (const [i, groups] of endGroups.entries()) endsFrom[i + 1] = endsFrom[i]! + groups.length
    return { next, firstEnd: endless.length, endsFrom, ends: Int32Array.from(endGroups.flat()) }
  }
}

function union(own: number[] | undefined, more: number[] | undefined): number[] | undefined {
  if (own === undefined || more === undefined) return own ?? more
  return [...new Set([...own, ...more])]
}
