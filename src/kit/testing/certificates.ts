import 'reflect-metadata'
import { KeyObject, webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

export interface MadeCertificate {
  /** PEM. */
  readonly certificate: string
  /** PEM. */
  readonly key: string
}

const algorithms = {
  p256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  p521: { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
  ed25519: { name: 'Ed25519' },
  rsa1024: rsa(1024),
  rsa2048: rsa(2048),
}

/** Makes a certificate that its own key signs. */
export async function madeCertificate(
  names: readonly string[],
  {
    algorithm = 'p256',
    begins = new Date(Date.now() - 60_000),
    expires = new Date(Date.now() + 90 * 86_400_000),
  }: { algorithm?: keyof typeof algorithms; begins?: Date; expires?: Date } = {},
): Promise<MadeCertificate> {
  const signingAlgorithm = algorithms[algorithm]
  const keys = (await webcrypto.subtle.generateKey(signingAlgorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair
  const alternatives = names.map(value => ({ type: 'dns', value }) as const)
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['Makers of tests'] }, { CN: ['Test'] }],
    notBefore: begins,
    notAfter: expires,
    signingAlgorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension(alternatives)]),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string
  return { certificate: `${certificate.toString('pem')}\n`, key }
}

function rsa(modulusLength: number) {
  return {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  }
}
