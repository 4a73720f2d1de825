/** Key pair for payload logging: base64 of 32 bytes each, as `sluice keys generate` prints them. */
export interface PayloadKeys {
  readonly private_key: string
  readonly public_key: string
}

/**
 * Creates an X25519 key pair in the browser, which the private key never leaves.
 * @throws Error with a remedy when the browser cannot
 */
export async function makePayloadKeys(): Promise<PayloadKeys> {
  const { isSecureContext } = globalThis as { readonly isSecureContext?: boolean }
  if (!isSecureContext || crypto.subtle === undefined)
    throw new Error('Key creation needs HTTPS or localhost.')
  const pair = await crypto.subtle.generateKey({ name: 'X25519' }, true, ['deriveBits']).catch(() => {
    throw new Error('This browser does not support X25519 keys.')
  })
  const { d, x } = await crypto.subtle.exportKey(
    'jwk',
    (pair as unknown as { readonly privateKey: CryptoKey }).privateKey,
  )
  return { private_key: base64Of(d!), public_key: base64Of(x!) }
}

/** True for the standard base64, with padding, of a 32-byte key. */
export function isPayloadKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text)
}

/** JWKs use base64url without padding. */
function base64Of(text: string): string {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')
}
