import { Type } from 'typebox'
import type { Json } from '../../model/resource.ts'
import { closed, type KeptCollection, oneOf, text } from './kind.ts'

const why = 'certificates are uploaded, or come by ACME'

/** @source Cloudflare API, certificate packs */
export const certificatePacks: KeptCollection = {
  kind: 'certificate_pack',
  terraform: 'cloudflare_certificate_pack',
  noun: 'a certificate pack',
  scope: 'zone',
  path: '/ssl/certificate_packs',
  isOrdered: true,
  body: Type.Object(
    {
      certificate_authority: oneOf('google', 'lets_encrypt', 'ssl_com'),
      hosts: Type.Array(text({ minLength: 1 }), { minItems: 1, maxItems: 50 }),
      type: oneOf('advanced'),
      validation_method: oneOf('txt', 'http', 'email'),
      validity_days: Type.Union([14, 30, 90, 365].map(days => Type.Literal(days))),
      cloudflare_branding: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  defaults: {},
  computed: () => ({
    certificates: [],
    primary_certificate: null,
    status: 'initializing',
    validation_errors: [],
    validation_records: [],
  }),
  paged: true,
  withoutMeaning: () => [{ pointer: '', what: 'a certificate pack', why }],
  nameOf: ({ hosts }) => (hosts as readonly Json[]).join(', '),
  why,
}
