import { CrsError } from '../crs-error.ts'

/** The proof that bytes come from the holder of the key. */
export interface Proof {
  /** ASCII-armoured OpenPGP public keys, from any source. */
  readonly armoredKeys: string
  /** ASCII-armoured detached signature. */
  readonly armoredSignature: string
  /** Of the only key that is trusted: 40 hex digits. */
  readonly fingerprint: string
}

/** @throws CrsError `not-authentic` unless the trusted key is among the keys and signed exactly these bytes */
export async function verifySignature(bytes: Uint8Array, what: string, proof: Proof): Promise<void> {
  // Loaded only when something is verified: most starts never need it.
  const { createMessage, readKeys, readSignature, verify } = await import('openpgp')
  try {
    const keys = await readKeys({ armoredKeys: proof.armoredKeys })
    const key = keys.find(k => k.getFingerprint().toLowerCase() === proof.fingerprint.toLowerCase())
    if (key === undefined) {
      throw new CrsError('not-authentic', `the key for ${what} is not the pinned one (${proof.fingerprint})`)
    }
    const { signatures } = await verify({
      message: await createMessage({ binary: bytes }),
      signature: await readSignature({ armoredSignature: proof.armoredSignature }),
      verificationKeys: key,
      format: 'binary',
    })
    if (signatures.length === 0) throw new Error('it holds no signature')
    await Promise.any(signatures.map(signature => signature.verified))
  } catch (error) {
    if (error instanceof CrsError) throw error
    const reason = error instanceof AggregateError ? error.errors[0] : error
    const message = `the signature of ${what} is not valid: ${(reason as Error).message}`
    throw new CrsError('not-authentic', message, { cause: error })
  }
}
