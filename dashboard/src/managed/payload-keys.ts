/** The keys of payload logging: base64 of the 32 bytes of each, as `sluice keys generate` prints them. */
export interface PayloadKeys {
  readonly private_key: string
  readonly public_key: string
}

/**
 * Makes an X25519 key pair in this browser. The private key goes nowhere.
 * @throws Error saying what to do where the browser cannot
 */
export async function makePayloadKeys(): Promise<PayloadKeys> {
  const { isSecureContext } = globalThis as { readonly isSecureContext?: boolean }
  if (!isSecureContext || crypto.subtle === undefined)
    throw new Error('Browsers make keys only on pages that come over HTTPS or from this machine.')
  const pair = await crypto.subtle.generateKey({ name: 'X25519' }, true, ['deriveBits']).catch(() => {
    throw new Error('This browser does not know X25519 keys yet.')
  })
  const { d, x } = await crypto.subtle.exportKey(
    'jwk',
    (pair as unknown as { readonly privateKey: CryptoKey }).privateKey,
  )
  return { private_key: base64Of(d!), public_key: base64Of(x!) }
}

/** Is this the standard base64, padding included, of a key's 32 bytes? */
export function isPayloadKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text)
}

/** JWKs are in base64url without padding. */
function base64Of(text: string): string {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')
}
