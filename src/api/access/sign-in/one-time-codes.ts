import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { hashSecret } from '../../../kit/secrets.ts'
import type { Totp } from '../../../model/resource.ts'

const periodS = 30

/** A new device for one-time codes, which counts once the user has shown a code of it. */
export function newTotp(): Totp {
  return { secret: new Secret({ size: 20 }).base32, confirmed: false }
}

/** `otpauth://totp/…`, which authenticator apps read as a QR code. */
export function totpUri({ secret }: Totp, email: string): string {
  return totpOf(secret, email).toString()
}

/**
 * The number of the period that the code belongs to, the present one or a neighbour; undefined for a wrong code. Each
 * period's code is used once.
 * @source RFC 6238, with 6 digits, SHA-1 and 30 s, which every authenticator app supports
 */
export function stepOf({ secret }: Totp, code: string, nowMs: number): number | undefined {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: nowMs, window: 1 })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / periodS) + delta
}

export function isOneTimeCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** Ten codes of 80 bits that each stand for a one-time code, once: `ABCD-EFGH-JKLM-NPQR`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: 10 }, () => {
    const text = Secret.fromHex(randomBytes(10).toString('hex')).base32
    return text.match(/.{4}/g)!.join('-')
  })
}

/** The stored form. Spaces, dashes and letter case do not matter. */
export function recoveryCodeHash(code: string): string {
  return hashSecret(code.replace(/[\s-]/g, '').toUpperCase())
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Sluice', label, secret: Secret.fromBase32(secret), period: periodS })
}
