import { type KeptKind, keptKinds } from '../../coverage/index.ts'
import type { Scope } from '../../model/resource.ts'
import type { Area } from '../access/permissions/groups.ts'

const keptAreas: Readonly<Record<string, Area>> = {
  page_rule: 'pageRules',
  healthcheck: 'healthchecks',
  bot_management: 'botManagement',
  universal_ssl: 'zoneCertificates',
  certificate_pack: 'zoneCertificates',
  hostname_tls_setting: 'zoneCertificates',
  dnssec: 'dns',
}

/** The area that a kind of resource belongs to. */
export function areaOfKept({ kind }: KeptKind): Area {
  return keptAreas[kind] ?? 'zoneSettings'
}

/** By the type of the Terraform resource, without rulesets: their phase decides. */
export const itemAreas: Readonly<Record<Scope['kind'], ReadonlyMap<string, Area>>> = {
  zone: areasWithKept('zone', {
    cloudflare_access_rule: 'zoneFirewall',
    cloudflare_authenticated_origin_pulls_settings: 'zoneCertificates',
    cloudflare_custom_page_asset: 'zonePages',
    cloudflare_custom_pages: 'zonePages',
    cloudflare_custom_ssl: 'zoneCertificates',
    cloudflare_dns_record: 'dns',
    cloudflare_leaked_credential_check: 'zoneWaf',
    cloudflare_leaked_credential_check_rule: 'zoneWaf',
    cloudflare_load_balancer: 'loadBalancers',
    cloudflare_logpush_job: 'zoneLogs',
    cloudflare_managed_transforms: 'zoneTransform',
    cloudflare_url_normalization_settings: 'zoneSanitize',
    cloudflare_user_agent_blocking_rule: 'zoneFirewall',
    cloudflare_zone_lockdown: 'zoneFirewall',
    cloudflare_zone_setting: 'zoneSettings',
  }),
  account: areasWithKept('account', {
    cloudflare_access_rule: 'accountFirewall',
    cloudflare_custom_page_asset: 'accountPages',
    cloudflare_custom_pages: 'accountPages',
    cloudflare_list: 'accountLists',
    cloudflare_load_balancer_monitor: 'loadBalancingPools',
    cloudflare_load_balancer_pool: 'loadBalancingPools',
    cloudflare_logpush_job: 'accountLogs',
    cloudflare_notification_policy: 'notifications',
    cloudflare_notification_policy_webhooks: 'notifications',
  }),
}

function areasWithKept(
  scope: Scope['kind'],
  others: Readonly<Record<string, Area>>,
): ReadonlyMap<string, Area> {
  const kept = keptKinds.filter(kind => kind.scope === scope)
  return new Map([
    ...Object.entries(others),
    ...kept.map(kind => [kind.terraform, areaOfKept(kind)] as const),
  ])
}
