import { holdsAt } from './context.ts'
import type { Automaton, Instruction } from './program.ts'

/** One way through the automaton: where it stands and what it captured. */
interface Thread {
  readonly at: number
  readonly slots: Int32Array
}

/**
 * Finds the leftmost match with Perl's priorities by running all ways in step, best first.
 * O(input · instructions) time. Regular automata only.
 * @returns slots of the captures, or null
 */
export function pikeMatch(automaton: Automaton, input: string, from: number): Int32Array | null {
  return new Pike(automaton, input).run(from)
}

class Pike {
  readonly #code: readonly Instruction[]
  readonly #slotCount: number
  readonly #input: string
  /** Position (from 1) at which an instruction was last added. */
  readonly #added: Int32Array

  constructor(automaton: Automaton, input: string) {
    this.#code = automaton.code
    this.#slotCount = 2 * (automaton.groups + 1)
    this.#input = input
    this.#added = new Int32Array(automaton.code.length)
  }

  run(from: number): Int32Array | null {
    if (from > this.#input.length) return null
    let threads: Thread[] = []
    let best: Int32Array | null = null
    for (let position = from; ; position++) {
      // Ways that began further left go first; none begins once there is a match.
      const ready: Thread[] = []
      for (const thread of threads) this.#add(ready, thread, position)
      if (best === null)
        this.#add(ready, { at: 0, slots: new Int32Array(this.#slotCount).fill(-1) }, position)
      if (ready.length === 0 && best !== null) return best
      threads = []
      const byte = position < this.#input.length ? this.#input.charCodeAt(position) : -1
      for (const { at, slots } of ready) {
        const instruction = this.#code[at]!
        if (instruction.op === 'match') {
          best = slots
          break
        }
        if (instruction.op === 'set' && byte >= 0 && instruction.set.has(byte))
          threads.push({ at: at + 1, slots })
      }
      if (byte < 0) return best
    }
  }

  /** Follows what consumes nothing, in order of priority. */
  #add(ready: Thread[], start: Thread, position: number): void {
    const pending: Thread[] = [start]
    while (pending.length > 0) {
      const { at, slots } = pending.pop()!
      if (this.#added[at] === position + 1) continue
      this.#added[at] = position + 1
      const instruction = this.#code[at]!
      switch (instruction.op) {
        case 'split':
          pending.push({ at: instruction.second, slots }, { at: instruction.first, slots })
          break
        case 'jump':
          pending.push({ at: instruction.to, slots })
          break
        case 'save': {
          const saved = slots.slice()
          saved[instruction.slot] = position
          pending.push({ at: at + 1, slots: saved })
          break
        }
        case 'assertion':
          if (holdsAt(instruction.what, this.#input, position)) pending.push({ at: at + 1, slots })
          break
        default:
          ready.push({ at, slots })
      }
    }
  }
}
