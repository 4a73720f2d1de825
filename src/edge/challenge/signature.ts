import { createHmac, timingSafeEqual } from 'node:crypto'

/** The client that a challenge or clearance belongs to. It is invalid for every other client. */
export interface Holder {
  readonly zoneId: string
  readonly clientIp: string
  /** Empty when the client sends none. */
  readonly userAgent: string
}

/** HMAC-SHA-256 of a purpose, the holder and a text; base64url. */
export function sign(key: string, purpose: 'challenge' | 'clearance', holder: Holder, text: string): string {
  const { zoneId, clientIp, userAgent } = holder
  return macOf(key, purpose, zoneId, clientIp, userAgent, text).toString('base64url')
}

/** HMAC-SHA-256 of a purpose and texts. */
export function macOf(key: string, purpose: string, ...texts: readonly string[]): Buffer {
  return createHmac('sha256', key)
    .update([purpose, ...texts].join('\n'))
    .digest()
}

/** Compares in constant time. */
export function sameSignature(a: string, b: string): boolean {
  const left = Buffer.from(a, 'latin1')
  const right = Buffer.from(b, 'latin1')
  return left.length === right.length && timingSafeEqual(left, right)
}
