import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** SHA-256 of a secret, 64 lower-case hex digits: the only stored form of tokens and keys. */
export function hashSecret(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Compares two hashes made by `hashSecret` in constant time. */
export function sameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a.padEnd(64).slice(0, 64)), Buffer.from(b.padEnd(64).slice(0, 64)))
}

/** A new API token: `sluice_`, which secret scanners recognise, and 40 letters and digits with 236 bits of entropy. */
export function newToken(): string {
  // Without `-`, so that a double click selects all of it and no command line reads it as a flag.
  return `sluice_${randomBytes(30).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y')}`
}

/** A new key for `X-Auth-Key`: 40 lower-case hex digits. */
export function newKey(): string {
  return randomBytes(20).toString('hex')
}
