import { createHmac, timingSafeEqual } from 'node:crypto'

/** Who a challenge or clearance belongs to: it is worth nothing to anybody else. */
export interface Holder {
  readonly zoneId: string
  readonly clientIp: string
  /** Empty when there is none. */
  readonly userAgent: string
}

/** HMAC-SHA-256 over a purpose, the holder and a text; base64url. */
export function sign(key: string, purpose: 'challenge' | 'clearance', holder: Holder, text: string): string {
  return createHmac('sha256', key)
    .update([purpose, holder.zoneId, holder.clientIp, holder.userAgent, text].join('\n'))
    .digest('base64url')
}

/** Compares in a time that does not depend on where they differ. */
export function sameSignature(a: string, b: string): boolean {
  const left = Buffer.from(a, 'latin1')
  const right = Buffer.from(b, 'latin1')
  return left.length === right.length && timingSafeEqual(left, right)
}
