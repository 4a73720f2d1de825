import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import type { CertificateReport } from '../../model/certificate.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { type Message, success } from '../http/envelope.ts'
import { text, time, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

export const certificateInUseSchema = Type.Object({
  hosts: Type.Array(text),
  issuer: text,
  source: Type.Enum(['custom', 'acme', 'file']),
  status: Type.Enum(['active', 'expiring', 'expired']),
  expires_on: time,
})

const described = operationsOf('Certificates')(
  'listCertificatesInUse',
  'List the certificates that clients of the zone get',
  ['zoneCertificates', 'read'],
  { result: Type.Array(certificateInUseSchema) },
)

/** Sluice's own: Cloudflare lists certificates by product. */
export function certificatesInUseRoutes(app: Api, { certificates }: Pick<ApiDeps, 'certificates'>): void {
  app.get('/certificates_in_use', { config: described }, async request =>
    success((await certificates(zoneOf(request))).map(toWire)),
  )
}

function toWire({
  hosts,
  issuer,
  source,
  status,
  expiresMs,
}: CertificateReport): Wire<typeof certificateInUseSchema> {
  return { hosts, issuer, source, status, expires_on: timestampOf(expiresMs) }
}

const expiryCode = 10505

/** A message for probes if certificates expire soon or have expired. Without names, because probes need no credentials. */
export function expiryMessages(certificates: readonly CertificateReport[]): readonly Message[] {
  const concerned = certificates.filter(({ status }) => status !== 'active')
  if (concerned.length === 0) return []
  const first = timestampOf(Math.min(...concerned.map(({ expiresMs }) => expiresMs)))
  const message = `certificates that expire soon or have expired: ${concerned.length}, the first at ${first}; the log names them`
  return [{ code: expiryCode, message, type: null }]
}
