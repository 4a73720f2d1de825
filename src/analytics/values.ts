/** Mitigating actions, in lower case. */
export const holding: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'jschallenge',
  'managedchallenge',
  'connectionclose',
])

/** 16 hex digits as a signed 64-bit number, for SQLite; undefined for any other text. */
export function rayNumber(text: string): bigint | undefined {
  return /^[0-9a-f]{16}$/.test(text) ? BigInt.asIntN(64, BigInt(`0x${text}`)) : undefined
}
