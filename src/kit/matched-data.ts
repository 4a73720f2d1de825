import { Chacha20Poly1305 } from '@hpke/chacha20poly1305'
import { CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'

/**
 * Payload logging: encrypts matched parts of a request so that only the holder of the private key can read them. One
 * message of HPKE (RFC 9180): base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305, empty `info` and
 * `aad`. The result is base64 of: version 3
 * encapsulated key, 32 bytes
 * length of the ciphertext without its tag, 8 bytes little-endian
 * ciphertext
 * tag, 16 bytes.
 * @source cloudflare/matched-data-cli
 */
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Chacha20Poly1305(),
})

const formatVersion = 3
const keyBytes = 32
const tagBytes = 16
const headBytes = 1 + keyBytes + 8

/** Replaces the encrypted text when there is too much to encrypt. */
export const truncatedMatchedData = 'truncated'

/** The encrypted text or the key is malformed. */
export class MatchedDataError extends Error {
  override readonly name = 'MatchedDataError'
}

/** Base64 of the raw keys. */
export interface MatchedDataKeys {
  readonly privateKey: string
  readonly publicKey: string
}

export async function newMatchedDataKeys(): Promise<MatchedDataKeys> {
  const pair = await suite.kem.generateKeyPair()
  return {
    privateKey: base64(await suite.kem.serializePrivateKey(pair.privateKey)),
    publicKey: base64(await suite.kem.serializePublicKey(pair.publicKey)),
  }
}

/** Whether this is standard base64, with padding, of a 32-byte key. */
export function isMatchedDataKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text)
}

/** @throws (rejects) MatchedDataError when the key is malformed */
export async function encryptMatchedData(publicKey: string, text: string): Promise<string> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOfKey(publicKey, 'public'))
  const sender = await suite.createSenderContext({ recipientPublicKey })
  const sealed = Buffer.from(await sender.seal(Buffer.from(text)))
  const blob = Buffer.allocUnsafe(headBytes + sealed.length)
  blob[0] = formatVersion
  blob.set(new Uint8Array(sender.enc), 1)
  blob.writeBigUInt64LE(BigInt(sealed.length - tagBytes), 1 + keyBytes)
  blob.set(sealed, headBytes)
  return base64(blob)
}

/**
 * @param encrypted surrounding white space is ignored
 * @returns the text; invalid UTF-8 becomes U+FFFD
 * @throws (rejects) MatchedDataError that names the defect of the key or the encrypted text
 */
export async function decryptMatchedData(privateKey: string, encrypted: string): Promise<string> {
  const keyText = bytesOfKey(privateKey.trim(), 'private')
  const blob = bytesOfBlob(encrypted.trim())
  const recipientKey = await suite.kem.deserializePrivateKey(keyText)
  try {
    const enc = blob.subarray(1, 1 + keyBytes)
    const recipient = await suite.createRecipientContext({ recipientKey, enc: arrayBufferOf(enc) })
    return new TextDecoder().decode(await recipient.open(arrayBufferOf(blob.subarray(headBytes))))
  } catch (error) {
    throw new MatchedDataError('it cannot be decrypted: it was changed, or encrypted for another key', {
      cause: error,
    })
  }
}

function bytesOfBlob(text: string): Buffer {
  if (text === truncatedMatchedData)
    throw new MatchedDataError('it was too large to be encrypted, and nothing of it was kept')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw new MatchedDataError('the encrypted text is no base64')
  const blob = Buffer.from(text, 'base64')
  if (blob.length === 0) throw new MatchedDataError('the encrypted text is empty')
  if (blob[0] !== formatVersion)
    throw new MatchedDataError(`its format has version ${blob[0]}, and only ${formatVersion} is known`)
  if (blob.length < headBytes + tagBytes) throw tooShort(blob.length, headBytes + tagBytes)
  const wanted = blob.readBigUInt64LE(1 + keyBytes) + BigInt(headBytes + tagBytes)
  if (wanted > BigInt(blob.length)) throw tooShort(blob.length, wanted)
  if (wanted < BigInt(blob.length))
    throw new MatchedDataError(`the encrypted text is too long: ${blob.length} bytes instead of ${wanted}`)
  return blob
}

function tooShort(bytes: number, wanted: number | bigint): MatchedDataError {
  return new MatchedDataError(`the encrypted text is cut off: ${bytes} bytes instead of ${wanted}`)
}

function bytesOfKey(text: string, which: 'public' | 'private'): ArrayBuffer {
  if (!isMatchedDataKey(text))
    throw new MatchedDataError(`the ${which} key is not the base64 of ${keyBytes} bytes`)
  return arrayBufferOf(Buffer.from(text, 'base64'))
}

function base64(bytes: ArrayBuffer | Uint8Array): string {
  return Buffer.from(bytes as Uint8Array).toString('base64')
}

/** A copy: the bytes may share their memory with others. */
function arrayBufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
