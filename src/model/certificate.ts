/**
 * A certificate of a zone, without its key. The key never leaves the store again, except to edges
 * (`CertificateStore.served`).
 */
export interface ZoneCertificate {
  readonly id: string
  readonly zoneId: string
  readonly source: CertificateSource
  /** PEM: the certificate itself, then its chain. */
  readonly certificate: string
  /** Its names, in lower case; `*.example.com` for one label. */
  readonly hosts: readonly string[]
  readonly issuer: string
  /** `SHA256WithRSA`, `ECDSAWithSHA256` */
  readonly signature: string
  /** Hex. */
  readonly serial: string
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** The certificate with the higher number goes first, among those of one zone, source and name. */
  readonly priority: number
  readonly bundleMethod: BundleMethod
  readonly expiresOn: string
  readonly uploadedOn: string
  readonly modifiedOn: string
}

/** `custom`: uploaded through the API. `acme`: obtained by the edge. */
export type CertificateSource = 'custom' | 'acme'

/** A certificate that clients of an edge get. */
export interface CertificateReport {
  /** The names that it serves, at least one. */
  readonly hosts: readonly string[]
  /** `file`: named in the settings. */
  readonly source: CertificateSource | 'file'
  /** As in ZoneCertificate. */
  readonly issuer: string
  /** Milliseconds since the Unix epoch. */
  readonly expiresMs: number
  readonly status: CertificateStatus
}

/** `expiring`: less than 14 days and less than a quarter of its time are left. */
export type CertificateStatus = 'active' | 'expiring' | 'expired'

/** @source Cloudflare API. An edge sends the chain as it was uploaded, with every method. */
export const bundleMethods = ['ubiquitous', 'optimal', 'force'] as const
export type BundleMethod = (typeof bundleMethods)[number]
