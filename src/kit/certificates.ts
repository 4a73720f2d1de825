import { X509Certificate } from 'node:crypto'

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
const keyBlock = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[\s\S]+?-----END (?:[A-Z]+ )?PRIVATE KEY-----/

/** The facts of a certificate that people ask for. */
export interface CertificateFacts {
  /** As `certificateNames`. */
  readonly hosts: readonly string[]
  /** The organisation, else the common name, else the whole name of the issuer. */
  readonly issuer: string
  /** `SHA256WithRSA`, `ECDSAWithSHA256`, `Ed25519` */
  readonly signature: string
  /** Hex. */
  readonly serial: string
  /** SHA-256, hex. */
  readonly fingerprint: string
  /** Milliseconds since the Unix epoch, as `expiresMs`. */
  readonly beginsMs: number
  readonly expiresMs: number
}

/** The certificates of a PEM text as texts, in order. Other blocks are skipped. */
export function certificateBlocks(pem: string): readonly string[] {
  return pem.match(certificateBlock) ?? []
}

/** The first private key of a PEM text. */
export function privateKeyBlock(pem: string): string | undefined {
  return keyBlock.exec(pem)?.[0]
}

/** The DNS names and addresses that a certificate is for, in lower case (RFC 9525: the common name does not count). */
export function certificateNames({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string[] {
  return subjectAltName
    .split(', ')
    .flatMap(entry => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1]?.toLowerCase() ?? [])
}

export function certificateFacts(certificate: X509Certificate): CertificateFacts {
  const { issuer, serialNumber, fingerprint256, validFromDate, validToDate } = certificate
  return {
    hosts: certificateNames(certificate),
    issuer: partOf(issuer, 'O') ?? partOf(issuer, 'CN') ?? issuer.replaceAll('\n', ', '),
    signature: signatureOf(certificate),
    serial: serialNumber.toLowerCase(),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    beginsMs: validFromDate.getTime(),
    expiresMs: validToDate.getTime(),
  }
}

/** Facts of the first certificate of a PEM text. @throws Error when it cannot be read */
export function pemFacts(pem: string): CertificateFacts {
  return certificateFacts(new X509Certificate(pem))
}

function partOf(name: string, attribute: string): string | undefined {
  return name
    .split('\n')
    .find(part => part.startsWith(`${attribute}=`))
    ?.slice(attribute.length + 1)
}

/** OpenSSL's names in the form of Cloudflare's API. */
function signatureOf({ signatureAlgorithm = '' }: X509Certificate): string {
  const rsa = /^sha(\d+)WithRSAEncryption$/.exec(signatureAlgorithm)
  if (rsa !== null) return `SHA${rsa[1]}WithRSA`
  const ecdsa = /^ecdsa-with-SHA(\d+)$/.exec(signatureAlgorithm)
  if (ecdsa !== null) return `ECDSAWithSHA${ecdsa[1]}`
  return signatureAlgorithm === 'ED25519' ? 'Ed25519' : signatureAlgorithm
}
