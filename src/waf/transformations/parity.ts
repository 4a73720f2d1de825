import { finish, scratchOf } from './scratch.ts'

/** The eighth bit so that the number of ones is even. */
export function parityEven7bit(value: string): string {
  return withEighthBit(value, code => (ones(code) & 1) << 7)
}

/** The eighth bit so that the number of ones is odd. */
export function parityOdd7bit(value: string): string {
  return withEighthBit(value, code => (~ones(code) & 1) << 7)
}

/** Drops the eighth bit. */
export function parityZero7bit(value: string): string {
  return withEighthBit(value, () => 0)
}

function withEighthBit(value: string, bitOf: (low: number) => number): string {
  const out = scratchOf(value.length)
  for (let i = 0; i < value.length; i++) {
    const low = value.charCodeAt(i) & 0x7f
    out[i] = low | bitOf(low)
  }
  return finish(out, value.length, value)
}

function ones(code: number): number {
  let count = 0
  for (let rest = code; rest > 0; rest >>= 1) count += rest & 1
  return count
}
