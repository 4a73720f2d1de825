import type { Account, Zone } from '../model/resource.ts'

/** Id of Cloudflare's Enterprise plan, the only one here. */
const enterprisePlanId = '94f3b7b768b0458b56d2cac4fe5ec0f9'

/** `origin` is Sluice's own; everything that DNS hosting would fill in is empty. */
export function zoneToWire(zone: Zone, account: Pick<Account, 'id' | 'name'>): object {
  return {
    id: zone.id,
    name: zone.name,
    status: 'active',
    paused: zone.paused,
    type: 'full',
    origin: { url: zone.originUrl },
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
