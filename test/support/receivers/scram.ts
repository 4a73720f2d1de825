import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'

export type ScramMechanism = 'SCRAM-SHA-256' | 'SCRAM-SHA-512'

const iterations = 4096

/** The server's side of one SCRAM exchange without channel binding. */
export interface ScramExchange {
  /** @returns the server-first message */
  first(clientFirst: string): string
  /** @returns the server-final message; undefined when the proof is wrong */
  final(clientFinal: string): string | undefined
}

/**
 * Salted Challenge Response: names, nonces, channel binding and proof are checked.
 * @source RFC 5802, 5; RFC 7677
 */
export function startScram(
  mechanism: ScramMechanism,
  { username, password }: { readonly username: string; readonly password: string },
): ScramExchange {
  const hash = mechanism === 'SCRAM-SHA-256' ? 'sha256' : 'sha512'
  const bytes = hash === 'sha256' ? 32 : 64
  const mac = (secret: Buffer, text: string) => createHmac(hash, secret).update(text).digest()
  const salt = randomBytes(16)
  let bare = ''
  let nonce = ''
  let serverFirst = ''
  return {
    first(clientFirst) {
      const match = /^n,,(n=([^,]*),r=([^,]+))$/.exec(clientFirst)
      if (match === null) throw new Error(`client-first message ${clientFirst}`)
      bare = match[1]!
      // A name that is not the account's goes on to the proof, as with real servers.
      if (match[2] !== username.replaceAll('=', '=3D').replaceAll(',', '=2C')) bare = 'n=,r='
      nonce = `${match[3]}${randomBytes(12).toString('base64url')}`
      serverFirst = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`
      return serverFirst
    },
    final(clientFinal) {
      const match = /^(c=([^,]+),r=([^,]+)),p=([A-Za-z0-9+/=]+)$/.exec(clientFinal)
      if (match === null || match[2] !== 'biws' || match[3] !== nonce)
        throw new Error(`client-final message ${clientFinal}`)
      const salted = pbkdf2Sync(password, salt, iterations, bytes, hash)
      const storedKey = createHash(hash).update(mac(salted, 'Client Key')).digest()
      const authMessage = `${bare},${serverFirst},${match[1]}`
      const signature = mac(storedKey, authMessage)
      const proof = Buffer.from(match[4]!, 'base64')
      if (proof.length !== bytes) return undefined
      const clientKey = Buffer.from(proof.map((byte, n) => byte ^ signature[n]!))
      if (!timingSafeEqual(createHash(hash).update(clientKey).digest(), storedKey)) return undefined
      return `v=${mac(mac(salted, 'Server Key'), authMessage).toString('base64')}`
    },
  }
}
