import { finish, scratchOf } from './scratch.ts'

/** Sets the eighth bit so that the number of ones is even. */
export function parityEven7bit(value: string): string {
  return mapped(value, even)
}

/** Sets the eighth bit so that the number of ones is odd. */
export function parityOdd7bit(value: string): string {
  return mapped(value, odd)
}

/** Drops the eighth bit. */
export function parityZero7bit(value: string): string {
  return mapped(value, zero)
}

function mapped(value: string, bytes: Uint8Array): string {
  const out = scratchOf(value.length)
  for (let i = 0; i < value.length; i++) out[i] = bytes[value.charCodeAt(i)]!
  return finish(out, value.length, value)
}

/** The replacement of each byte. */
const zero = Uint8Array.from({ length: 256 }, (_, code) => code & 0x7f)
const even = zero.map(low => low | (parityOf(low) << 7))
const odd = zero.map(low => low | ((parityOf(low) ^ 1) << 7))

function parityOf(code: number): number {
  let parity = 0
  for (let rest = code; rest > 0; rest >>= 1) parity ^= rest & 1
  return parity
}
