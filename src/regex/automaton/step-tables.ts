import type { Assertion } from '../syntax/ast.ts'
import { byteClasses } from './byte-classes.ts'
import { holds, neighbourOf } from './context.ts'
import { type Nfa, op, type StepTables } from './nfa.ts'

export function stepTables(nfa: Nfa): StepTables {
  const { sets, assertions } = nfa
  const landing = landings(nfa)
  const tellsNeighbours = assertions.some(assertion => assertion !== 'text-start' && assertion !== 'text-end')
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
    ...beginnings(nfa, landing),
  }
}

/** Skips instructions that decide nothing. */
function landings({ size, ops, xs }: Nfa): Uint16Array {
  const landing = new Uint16Array(size + 1)
  for (let start = 0; start < size; start++) {
    let at = start
    while (ops[at] === op.jump || ops[at] === op.save) at = ops[at] === op.jump ? xs[at]! : at + 1
    landing[start] = at
  }
  return landing
}

/** One bit for each pair of neighbours between which an assertion holds. */
function contextsOf(assertion: Assertion): number {
  let bits = 0
  for (let before = 0; before < 4; before++)
    for (let after = 0; after < 4; after++)
      if (holds(assertion, before, after, false)) bits |= 1 << (4 * before + after)
  return bits
}

/** Follows all threads from the start and ignores neighbours, except for the start of the text. */
function beginnings(
  { ops, xs, ys, sets, assertions }: Nfa,
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
      // A thread that begins at the start of the text is never fresh later.
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
