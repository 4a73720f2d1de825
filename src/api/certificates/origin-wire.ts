import { Type } from '@fastify/type-provider-typebox'
import type { OriginCertificate } from '../../model/origin-certificate.ts'
import { describedText, id, strict, text, time, type Wire } from '../http/schemas.ts'

const shared = {
  id,
  certificate: describedText('PEM'),
  issuer: text,
  signature: describedText('`SHA256WithRSA`, `ECDSAWithSHA256`, …'),
  status: Type.Enum(['active', 'expired']),
  uploaded_on: time,
  expires_on: time,
}

export const originClientCertificateSchema = Type.Object({
  ...shared,
  enabled: Type.Boolean({ description: 'The zone shows origins its client certificate' }),
})

export const trustStoreCertificateSchema = Type.Object({ ...shared, updated_at: time })

/** `checkedUpload` checks the lengths: a refusal by the schema would repeat the beginning of the value. */
const certificate = describedText('PEM')

export const clientBody = Type.Object(
  { certificate, private_key: describedText('PEM, not encrypted; never returned') },
  strict,
)
export const authorityBody = Type.Object({ certificate }, strict)
export const clientAuthSettings = Type.Object({ enabled: Type.Boolean() }, strict)

function sharedOf(
  { id, certificate, issuer, signature, expiresOn, uploadedOn }: OriginCertificate,
  nowMs: number,
) {
  return {
    id,
    certificate,
    issuer,
    signature,
    status: Date.parse(expiresOn) > nowMs ? ('active' as const) : ('expired' as const),
    uploaded_on: uploadedOn,
    expires_on: expiresOn,
  }
}

/** @source Cloudflare API, zone-level authenticated origin pulls; the key is never returned */
export function clientToWire(
  one: OriginCertificate,
  enabled: boolean,
  nowMs: number,
): Wire<typeof originClientCertificateSchema> {
  return { ...sharedOf(one, nowMs), enabled }
}

/** @source Cloudflare API, custom origin trust store */
export function authorityToWire(
  one: OriginCertificate,
  nowMs: number,
): Wire<typeof trustStoreCertificateSchema> {
  return { ...sharedOf(one, nowMs), updated_at: one.uploadedOn }
}
