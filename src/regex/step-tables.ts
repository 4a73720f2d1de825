import type { Assertion } from './ast.ts'
import { byteClasses } from './byte-classes.ts'
import { holds, neighbourOf } from './context.ts'
import { type Automaton, op } from './program.ts'

/** What follows from a regular automaton and makes its steps quick. */
export interface StepTables {
  /** Byte → class; bytes of one class are alike to every instruction. */
  readonly classes: Uint8Array
  /** Class → what its bytes are to assertions. As long as there are classes. */
  readonly kinds: Uint8Array
  /** Set · number of classes + class → 1 when the set holds the class. */
  readonly holds: Uint8Array
  /** Instruction → the next one that decides something: jumps and saves are passed. */
  readonly landing: Uint16Array
  /** Assertion → bit 4 · (what stands before) + (what stands after) when it holds. */
  readonly contexts: Int32Array
  /** Does every way begin with the start of the text? Else a fresh one begins before every byte. */
  readonly anchored: boolean
  /** Does it matter of what kind the byte before a position is, besides that there is one? */
  readonly tellsNeighbours: boolean
  /** 1 for bytes that a match may begin with; all of them when a match may be empty. */
  readonly begins: Uint8Array
}

export function stepTables(automaton: Automaton): StepTables {
  const { sets, assertions } = automaton
  const landing = landings(automaton)
  const tellsNeighbours = assertions.some(what => what !== 'text-start' && what !== 'text-end')
  const { classes, samples } = byteClasses(sets, tellsNeighbours)
  const width = samples.length
  const held = new Uint8Array(sets.length * width)
  for (const [number, { members }] of sets.entries())
    for (let cls = 0; cls < width; cls++) held[number * width + cls] = members[samples[cls]!]!
  return {
    classes,
    kinds: Uint8Array.from(samples, byte => neighbourOf[byte]!),
    holds: held,
    landing,
    contexts: Int32Array.from(assertions, contextsOf),
    tellsNeighbours,
    ...beginnings(automaton, landing),
  }
}

/** Passes what decides nothing. */
function landings({ size, ops, xs }: Automaton): Uint16Array {
  const landing = new Uint16Array(size + 1)
  for (let start = 0; start < size; start++) {
    let at = start
    while (ops[at] === op.jump || ops[at] === op.save) at = ops[at] === op.jump ? xs[at]! : at + 1
    landing[start] = at
  }
  return landing
}

/** One bit for each pair of neighbours between which an assertion holds. */
function contextsOf(what: Assertion): number {
  let bits = 0
  for (let before = 0; before < 4; before++)
    for (let after = 0; after < 4; after++)
      if (holds(what, before, after, false)) bits |= 1 << (4 * before + after)
  return bits
}

/** Follows all ways from the start without looking at what stands around, but for the start of the text. */
function beginnings(
  { ops, xs, ys, sets, assertions }: Automaton,
  landing: Uint16Array,
): Pick<StepTables, 'anchored' | 'begins'> {
  const begins = new Uint8Array(256)
  const seen = new Set<number>()
  const pending = [landing[0]!]
  let anchored = true
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    if (ops[at] === op.split) pending.push(landing[xs[at]!]!, landing[ys[at]!]!)
    else if (ops[at] === op.next) pending.push(landing[at + 1]!)
    else if (ops[at] === op.assertion) {
      // A way that begins with the start of the text is never fresh further on.
      if (assertions[xs[at]!] !== 'text-start') pending.push(landing[at + 1]!)
    } else {
      anchored = false
      if (ops[at] === op.match) begins.fill(1)
      else
        sets[xs[at]!]!.members.forEach((member, byte) => {
          if (member === 1) begins[byte] = 1
        })
    }
  }
  return { anchored, begins }
}
