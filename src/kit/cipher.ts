import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts texts for storage. */
export interface Cipher {
  /** Encrypts; the same text gives a different result each time. */
  seal(text: string): string
  /** @throws CipherError when the text was sealed with another key, or altered */
  open(sealed: string): string
}

/** A sealed text cannot be opened with this key. */
export class CipherError extends Error {
  override readonly name = 'CipherError'
}

/** Bytes of a key. */
export const cipherKeyBytes = 32

const nonceBytes = 12
const tagBytes = 16
/** Version of the sealing method. */
const version = 'v1:'

/**
 * AES-256-GCM with a random nonce for each text (safe for some 2^32 texts with one key, NIST SP 800-38D section 8.3).
 * Sealed texts are `v1:` and base64url of nonce, ciphertext and tag. Texts are encoded as UTF-16, so that unpaired
 * surrogates survive.
 * @param key 32 bytes
 */
export function newCipher(key: Uint8Array): Cipher {
  if (key.length !== cipherKeyBytes)
    throw new CipherError(`the key has ${key.length} bytes, not ${cipherKeyBytes}`)
  const secret = Buffer.from(key)
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce)
      const sealed = [nonce, cipher.update(text, 'utf16le'), cipher.final(), cipher.getAuthTag()]
      return version + Buffer.concat(sealed).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
      if (!sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes)
        throw new CipherError('this is not a sealed text')
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf16le')
      } catch (error) {
        throw new CipherError('it was sealed with another key, or altered', { cause: error })
      }
    },
  }
}
