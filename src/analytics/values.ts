/** Actions that held a request up, in lower case. */
export const holding: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'jschallenge',
  'managedchallenge',
  'connectionclose',
])

/** 16 hex digits as a number of 64 bits with a sign, as SQLite has them; undefined for any other text. */
export function rayNumber(text: string): bigint | undefined {
  return /^[0-9a-f]{16}$/.test(text) ? BigInt.asIntN(64, BigInt(`0x${text}`)) : undefined
}
