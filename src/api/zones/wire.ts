import { Type } from '@fastify/type-provider-typebox'
import { type Account, type Zone, zoneTypes } from '../../model/resource.ts'
import { describedText, id, nullable, text, time, type Wire } from '../http/schemas.ts'

export const zoneSchema = Type.Object({
  id,
  name: text,
  status: Type.Literal('active'),
  paused: Type.Boolean(),
  type: Type.Enum([...zoneTypes]),
  origin: Type.Object({
    url: nullable(describedText('the origin of the zone, null without one; Sluice’s own')),
  }),
  account: Type.Object({ id, name: text }),
  owner: Type.Object({ id, name: text, type: text }),
  permissions: Type.Array(text),
  plan: Type.Object({}),
  meta: Type.Object({}),
  development_mode: Type.Integer(),
  name_servers: Type.Array(text),
  original_name_servers: nullable(Type.Array(text)),
  original_registrar: nullable(text),
  original_dnshost: nullable(text),
  created_on: time,
  modified_on: time,
  activated_on: nullable(time),
})

/** Id of Cloudflare's Enterprise plan, the only one here. */
const enterprisePlanId = '94f3b7b768b0458b56d2cac4fe5ec0f9'

/** `origin` is Sluice's own; everything that DNS hosting would fill in is empty. */
export function zoneToWire(zone: Zone, account: Pick<Account, 'id' | 'name'>): Wire<typeof zoneSchema> {
  return {
    id: zone.id,
    name: zone.name,
    status: 'active',
    paused: zone.paused,
    type: zone.type,
    origin: { url: zone.originUrl ?? null },
    development_mode: 0,
    name_servers: [],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: zone.createdOn,
    modified_on: zone.modifiedOn,
    activated_on: zone.createdOn,
    account: { id: account.id, name: account.name },
    owner: { id: account.id, name: account.name, type: 'organization' },
    permissions: ['#zone:read', '#zone:edit', '#waf:read', '#waf:edit', '#logs:read', '#logs:edit'],
    plan: {
      id: enterprisePlanId,
      name: 'Enterprise Website',
      price: 0,
      currency: 'USD',
      frequency: '',
      is_subscribed: true,
      can_subscribe: false,
      legacy_id: 'enterprise',
      legacy_discount: false,
      externally_managed: true,
    },
    meta: {
      cdn_only: false,
      custom_certificate_quota: 0,
      dns_only: false,
      foundation_dns: false,
      page_rule_quota: 0,
      phishing_detected: false,
      step: 4,
    },
  }
}
