import { KeyObject, webcrypto } from 'node:crypto'
import type { CertificatePair } from './certificate-table.ts'

/**
 * Loads its library only here: each edge worker would keep it in memory.
 * @param names host names and addresses. @returns a certificate that no client trusts, for ten years
 */
export async function selfSignedCertificate(names: readonly string[], now: Date): Promise<CertificatePair> {
  await import('reflect-metadata')
  const { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } =
    await import('@peculiar/x509')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const alternatives = names.map(value => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value }) as const)
  const until = new Date(now)
  until.setUTCFullYear(now.getUTCFullYear() + 10)
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['Sluice self-signed'] }],
    notBefore: now,
    notAfter: until,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new SubjectAlternativeNameExtension(alternatives),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { certificate: certificate.toString('pem'), key: key as string }
}
