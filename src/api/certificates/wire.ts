import { Type } from '@fastify/type-provider-typebox'
import { bundleMethods, type ZoneCertificate } from '../../model/certificate.ts'
import { describedText, id, strict, text, time, type Wire } from '../http/schemas.ts'

const statuses = ['active', 'expired', 'deleted', 'pending', 'initializing'] as const

export const customCertificateSchema = Type.Object({
  id,
  zone_id: id,
  hosts: Type.Array(text),
  issuer: text,
  signature: describedText('`SHA256WithRSA`, `ECDSAWithSHA256`, …'),
  status: Type.Enum(['active', 'expired']),
  bundle_method: Type.Enum([...bundleMethods]),
  priority: Type.Integer(),
  uploaded_on: time,
  modified_on: time,
  expires_on: time,
})

/** Refused with the reason, because they have no meaning here. */
const unusable = {
  custom_csr_id: Type.Optional(Type.Unknown()),
  geo_restrictions: Type.Optional(Type.Unknown()),
  policy: Type.Optional(Type.Unknown()),
  deploy: Type.Optional(Type.Enum(['staging', 'production'])),
}
/** `checkedUpload` checks the lengths: a refusal by the schema would repeat the beginning of the value. */
const certificate = describedText('PEM: the certificate, then its chain')
const privateKey = describedText('PEM, not encrypted; never returned')
const bundleMethod = Type.Optional(Type.Enum([...bundleMethods]))

export const createBody = Type.Object(
  {
    certificate,
    private_key: privateKey,
    bundle_method: bundleMethod,
    type: Type.Optional(Type.Enum(['legacy_custom', 'sni_custom'])),
    ...unusable,
  },
  strict,
)

export const editBody = Type.Object(
  {
    certificate: Type.Optional(certificate),
    private_key: Type.Optional(privateKey),
    bundle_method: bundleMethod,
    ...unusable,
  },
  strict,
)

export const prioritizeBody = Type.Object(
  {
    certificates: Type.Array(
      Type.Object({ id, priority: Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }) }, strict),
      { minItems: 1, maxItems: 1000 },
    ),
  },
  strict,
)

export const listQuery = {
  status: Type.Optional(Type.Enum([...statuses])),
  match: Type.Optional(Type.Enum(['any', 'all'])),
  order: Type.Optional(Type.Enum(['status', 'issuer', 'priority', 'expires_on'])),
}

/** @source Cloudflare API, custom certificates: neither the certificate nor its key is returned */
export function certificateToWire(
  certificate: ZoneCertificate,
  nowMs: number,
): Wire<typeof customCertificateSchema> {
  return {
    id: certificate.id,
    zone_id: certificate.zoneId,
    hosts: certificate.hosts,
    issuer: certificate.issuer,
    signature: certificate.signature,
    status: Date.parse(certificate.expiresOn) > nowMs ? 'active' : 'expired',
    bundle_method: certificate.bundleMethod,
    priority: certificate.priority,
    uploaded_on: certificate.uploadedOn,
    modified_on: certificate.modifiedOn,
    expires_on: certificate.expiresOn,
  }
}
