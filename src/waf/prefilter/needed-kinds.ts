import { ByteSet, type Clause, type Requirements } from '../../regex/index.ts'
import { type Kinds, kindsOf } from './byte-kinds.ts'

/**
 * The kinds of bytes without which a text cannot meet the requirements. For each clause, the number of its options, then
 * two words (low, high) for each option: the text has all kinds of one of them. Kinds are `coarse`.
 */
export type NeededKinds = Int32Array

export function neededKinds(requirements: Requirements): NeededKinds {
  return Int32Array.from(
    requirements.flatMap(clause => {
      const options = smallest(optionsOf(clause))
      return [options.length, ...options.flatMap(({ low, high }) => [low, high])]
    }),
  )
}

/** All kinds of letters if there is one, and all kinds of digits: so most words look alike, and most numbers. */
export function coarseHigh(high: number): number {
  return high | ((high & letters) === 0 ? 0 : letters) | ((high & digits) === 0 ? 0 : digits)
}

const letters = kindsOf(ByteSet.range(0x61, 0x7a)).high
const digits = kindsOf(ByteSet.range(0x30, 0x39)).high

/** @param kinds coarse ones that the text may have; it has no others */
export function mayHaveKinds(needed: NeededKinds, { low, high }: Kinds): boolean {
  let i = 0
  while (i < needed.length) {
    const end = i + 1 + 2 * needed[i]!
    let isMet = false
    for (i++; i < end && !isMet; i += 2) isMet = (needed[i]! & ~low) === 0 && (needed[i + 1]! & ~high) === 0
    if (!isMet) return false
    i = end
  }
  return true
}

function optionsOf(clause: Clause): Kinds[] {
  if (clause.kind === 'literals') return clause.literals.map(kindsOfText)
  const kinds: Kinds[] = []
  clause.bytes.members.forEach((member, byte) => {
    if (member === 1) kinds.push(coarse(ByteSet.of([byte])))
  })
  return kinds
}

function kindsOfText(text: string): Kinds {
  return coarse(ByteSet.of(Array.from(text, sign => sign.charCodeAt(0))))
}

function coarse(bytes: ByteSet): Kinds {
  const { low, high } = kindsOf(bytes)
  return { low, high: coarseHigh(high) }
}

/** Without options that contain another one. */
function smallest(options: readonly Kinds[]): Kinds[] {
  const kept: Kinds[] = []
  for (const option of options) {
    if (kept.some(other => isWithin(other, option))) continue
    for (let i = kept.length - 1; i >= 0; i--) if (isWithin(option, kept[i]!)) kept.splice(i, 1)
    kept.push(option)
  }
  return kept
}

function isWithin(inner: Kinds, outer: Kinds): boolean {
  return (inner.low & ~outer.low) === 0 && (inner.high & ~outer.high) === 0
}
