import { ByteSet } from '../../regex/index.ts'

/**
 * Classifies the bytes of a text into 64 kinds: one for each ASCII sign, and coarse ones for letters without their
 * case. Two words of 32 bits.
 */
export interface Kinds {
  readonly low: number
  readonly high: number
}

const signs = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/** Kinds of the high word, from bit 0. Bytes of no other kind come last. */
const others: readonly ByteSet[] = [
  ByteSet.of([0]),
  ByteSet.of([0x09]),
  ByteSet.of([0x0a]),
  ByteSet.of([0x0b, 0x0c]),
  ByteSet.of([0x0d]),
  ByteSet.of([0x20]),
  ByteSet.of([0x30]),
  ByteSet.range(0x31, 0x37),
  ByteSet.of([0x38, 0x39]),
  ByteSet.of([0x78]).folded(),
  ByteSet.of([0x75]).folded(),
  ByteSet.range(0x61, 0x66).folded(),
  ByteSet.range(0x61, 0x7a).folded(),
  ByteSet.of([0xa0]),
  ByteSet.range(0x80, 0xbf),
  ByteSet.range(0xc0, 0xff),
  ByteSet.range(0x00, 0x7f),
]

/** By byte. */
export const lowKind = new Int32Array(256)
export const highKind = new Int32Array(256)
for (let byte = 0; byte < 256; byte++) {
  const sign = signs.indexOf(String.fromCharCode(byte))
  if (sign >= 0) lowKind[byte] = 1 << sign
  else highKind[byte] = 1 << others.findIndex(kind => kind.has(byte))
}

/**
 * A scan collects these instead of `highKind`: the same kinds, and for an upper-case letter a bit that is no kind. A text
 * without it is in lower case.
 */
export const upperCase = 1 << 31
export const highFacts = highKind.map((kind, byte) =>
  byte >= 0x41 && byte <= 0x5a ? kind | upperCase : kind,
)

/** The kinds of the members: a text with a member has one of them. */
export function kindsOf(bytes: ByteSet): Kinds {
  let low = 0
  let high = 0
  for (let byte = 0; byte < 256; byte++) {
    if (!bytes.has(byte)) continue
    low |= lowKind[byte]!
    high |= highKind[byte]!
  }
  return { low, high }
}

/** Whether a text with no other kinds than these has no byte of one of the needed kinds. */
export function lacksKinds({ low, high }: Kinds, needs: readonly Kinds[]): boolean {
  for (let i = 0; i < needs.length; i++) {
    if (((low & needs[i]!.low) | (high & needs[i]!.high)) === 0) return true
  }
  return false
}

export const noKinds: Kinds = { low: 0, high: 0 }
