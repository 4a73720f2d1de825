/** A certificate for the connections of a zone to its origins. The key never leaves the store again, except to edges. */
export interface OriginCertificate {
  readonly id: string
  readonly zoneId: string
  readonly kind: OriginCertificateKind
  /** PEM: one certificate, or for a client the certificate and its chain. */
  readonly certificate: string
  readonly issuer: string
  /** `SHA256WithRSA`, `ECDSAWithSHA256` */
  readonly signature: string
  readonly expiresOn: string
  readonly uploadedOn: string
}

/** `client`: the edge shows it to origins. `authority`: the edge trusts origins whose certificates it has signed. */
export type OriginCertificateKind = 'client' | 'authority'

/** A certificate as edges use it. */
export interface KeyedOriginCertificate extends OriginCertificate {
  /** PEM; undefined for an authority, or when it cannot be decrypted. */
  readonly key: string | undefined
}
