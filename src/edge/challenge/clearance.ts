import { type Holder, sameSignature, sign } from './signature.ts'

/** Cloudflare's name for the cookie, which clients and their tools know. */
export const clearanceCookie = 'cf_clearance'

/** `EXPIRES.SIGNATURE`, EXPIRES in seconds since the epoch. */
export function issueClearance(key: string, holder: Holder, expiresSec: number): string {
  return `${expiresSec}.${sign(key, 'clearance', holder, String(expiresSec))}`
}

/** @returns whether the cookie value is a valid, unexpired clearance for this client */
export function checkClearance(key: string, holder: Holder, value: string, nowSec: number): boolean {
  const match = /^(\d{1,15})\.([\w-]{43})$/.exec(value)
  if (match === null || Number(match[1]) <= nowSec) return false
  return sameSignature(match[2]!, sign(key, 'clearance', holder, match[1]!))
}

/** A Set-Cookie line that page scripts cannot read. */
export function clearanceHeader(value: string, seconds: number, secure: boolean): string {
  return `${clearanceCookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
