import { X509Certificate } from 'node:crypto'
import { certificateBlocks } from '../../../kit/certificates.ts'

/** A certificate whose status an OCSP responder knows. */
export interface OcspSubject {
  readonly certificate: X509Certificate
  readonly issuer: X509Certificate
  readonly responder: URL
  /** Clients refuse the certificate without a staple: TLS feature `status_request` (RFC 7633). */
  readonly mustStaple: boolean
}

/** DER of the object identifier of TLS features, 1.3.6.1.5.5.7.1.24. */
const tlsFeature = Buffer.from('06082b06010505070118', 'hex')

/**
 * @param pem the certificate, then its chain
 * @returns undefined when it names no responder, or when its issuer is not in the chain
 * @throws Error when it cannot be read
 */
export function ocspSubject(pem: string): OcspSubject | undefined {
  const [certificate, issuer] = certificateBlocks(pem)
    .slice(0, 2)
    .map(block => new X509Certificate(block))
  const url = /^OCSP - URI:(https?:\/\/\S+)$/m.exec(certificate?.infoAccess ?? '')?.[1]
  if (certificate === undefined || issuer === undefined || url === undefined || !URL.canParse(url))
    return undefined
  if (!certificate.checkIssued(issuer)) return undefined
  return {
    certificate,
    issuer,
    responder: new URL(url),
    mustStaple: certificate.raw.includes(tlsFeature),
  }
}
