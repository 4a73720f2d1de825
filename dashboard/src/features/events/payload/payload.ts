import { Chacha20Poly1305 } from '@hpke/chacha20poly1305'
import { CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'

/** Matched values, by rule. */
export interface PayloadRule {
  readonly id: string
  readonly ref: string
  readonly target: string
  readonly value: string
}

export interface Payload {
  /** The decrypted text. */
  readonly text: string
  /** Empty when the text is not in the edge's format. */
  readonly rules: readonly PayloadRule[]
}

const formatVersion = 3
const keyBytes = 32
const tagBytes = 16
const headBytes = 1 + keyBytes + 8

/**
 * Decrypts payload logs in the browser; docs/reference/zones.md has the format.
 * @param privateKey base64 of its 32 bytes, or the content of `keys.json`
 * @throws Error that explains the fault of the key or text, for display
 */
export async function decryptPayload(privateKey: string, encrypted: string): Promise<Payload> {
  const secret = readPrivateKey(privateKey)
  if (globalThis.crypto?.subtle === undefined) throw new Error('Decryption needs HTTPS or localhost.')
  const blob = readBlob(encrypted.trim())
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Chacha20Poly1305(),
  })
  try {
    const recipientKey = await suite.kem.deserializePrivateKey(secret.buffer)
    const enc = blob.slice(1, 1 + keyBytes).buffer
    const recipient = await suite.createRecipientContext({ recipientKey, enc })
    const text = new TextDecoder().decode(await recipient.open(blob.slice(headBytes).buffer))
    return { text, rules: rulesIn(text) }
  } catch {
    throw new Error('Wrong key, or the payload was modified.')
  }
}

function readPrivateKey(text: string): Uint8Array<ArrayBuffer> {
  const key = /"private_key"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? text.trim()
  if (/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(key)) return bytesOf(key)
  throw new Error('Not a private key: enter the base64 of 32 bytes, or the content of keys.json.')
}

function readBlob(text: string): Uint8Array<ArrayBuffer> {
  if (text === 'truncated') throw new Error('The payload was too large to log.')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw new Error('The event has no encrypted payload.')
  const blob = bytesOf(text)
  if (blob[0] !== formatVersion) throw new Error('Unknown payload format.')
  const length = blob.length < headBytes ? 0n : new DataView(blob.buffer).getBigUint64(1 + keyBytes, true)
  if (BigInt(blob.length) !== length + BigInt(headBytes + tagBytes))
    throw new Error('The payload is truncated.')
  return blob
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
}

function rulesIn(text: string): readonly PayloadRule[] {
  try {
    const { rules } = JSON.parse(text) as { readonly rules?: unknown }
    return Array.isArray(rules) ? rules.filter(isPayloadRule) : []
  } catch {
    return []
  }
}

function isPayloadRule(rule: unknown): rule is PayloadRule {
  if (typeof rule !== 'object' || rule === null) return false
  const { id, ref, target, value } = rule as Partial<PayloadRule>
  return [id, ref, target, value].every(member => typeof member === 'string')
}
