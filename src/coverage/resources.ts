import type { DataSources } from '../rulesets/index.ts'
import { recordPart } from './dns-record.ts'
import { type Coverage, enforced, notEnforced, partly } from './enforcement.ts'
import { keptKinds } from './kept/table.ts'

/** A type of resource of Cloudflare's Terraform provider that Sluice knows. */
export interface ResourceCoverage {
  /** Of all that the type can ask for. A single resource may have another one: see `coverPlan`. */
  readonly coverage: Coverage
  /** Path in the OpenAPI document; absent if the API does not serve the resource. */
  readonly path?: string
}

const zone = (path: string) => `/zones/{zone_id}${path}`
const account = (path: string) => `/accounts/{account_id}${path}`
const acts = (path: string): ResourceCoverage => ({ coverage: enforced, path })
const actsPartly = (path: string, how: string): ResourceCoverage => ({ coverage: partly(how), path })
const without = (why: string): ResourceCoverage => ({ coverage: notEnforced(why) })

const someRules = 'as far as its phase, actions and settings have a meaning here'
const removed = (successor: string) =>
  `an apply fails: Cloudflare has removed this resource; ${successor} replaces it`

const perHostName =
  'an apply fails: certificates for origins hold for a whole zone; cloudflare_authenticated_origin_pulls_settings turns them on'

/** Resources that have an effect, and resources that clients ask for and that have no API here. */
const others: Readonly<Record<string, ResourceCoverage>> = {
  cloudflare_account: without('an apply fails: the API only reads accounts'),
  cloudflare_access_rule: actsPartly(
    zone('/firewall/access_rules/rules'),
    'AS numbers need a database in SLUICE_GEO_DATABASES; exit nodes of Tor are not known',
  ),
  cloudflare_account_token: acts(account('/tokens')),
  cloudflare_api_token: actsPartly('/user/tokens', 'permission groups of other products grant nothing'),
  cloudflare_authenticated_origin_pulls: without(perHostName),
  cloudflare_authenticated_origin_pulls_certificate: acts(zone('/origin_tls_client_auth')),
  cloudflare_authenticated_origin_pulls_hostname_certificate: without(perHostName),
  cloudflare_authenticated_origin_pulls_settings: acts(zone('/origin_tls_client_auth/settings')),
  cloudflare_custom_page_asset: acts(zone('/custom_pages/assets')),
  cloudflare_custom_pages: acts(zone('/custom_pages/{identifier}')),
  cloudflare_custom_ssl: actsPartly(
    zone('/custom_certificates'),
    'geo restrictions and keyless servers are refused',
  ),
  cloudflare_dns_record: actsPartly(zone('/dns_records'), recordPart),
  cloudflare_filter: without(removed('cloudflare_ruleset')),
  cloudflare_firewall_rule: without(removed('cloudflare_ruleset')),
  cloudflare_leaked_credential_check: actsPartly(
    zone('/leaked-credential-checks'),
    'passwords are compared with your list in SLUICE_LEAKED_PASSWORDS; user names and pairs are not known',
  ),
  cloudflare_leaked_credential_check_rule: acts(zone('/leaked-credential-checks/detections')),
  cloudflare_list: acts(account('/rules/lists')),
  cloudflare_list_item: acts(account('/rules/lists/{list_id}/items')),
  cloudflare_load_balancer: actsPartly(
    zone('/load_balancers'),
    'steering by location or latency is refused; ttl and networks have no effect',
  ),
  cloudflare_load_balancer_monitor: acts(account('/load_balancers/monitors')),
  cloudflare_load_balancer_pool: actsPartly(
    account('/load_balancers/pools'),
    'check_regions, load_shedding and notifications have no effect',
  ),
  cloudflare_logpull_retention: acts(zone('/logs/control/retention/flag')),
  cloudflare_logpush_job: acts(zone('/logpush/jobs')),
  cloudflare_logpush_ownership_challenge: acts(zone('/logpush/ownership')),
  cloudflare_managed_transforms: actsPartly(
    zone('/managed_headers'),
    'transforms that need data of Cloudflare have no effect',
  ),
  cloudflare_notification_policy: actsPartly(
    account('/alerting/v3/policies'),
    'alerts that Sluice does not raise, PagerDuty and alert_interval have no effect',
  ),
  cloudflare_notification_policy_webhooks: acts(account('/alerting/v3/destinations/webhooks')),
  cloudflare_rate_limit: without(removed('cloudflare_ruleset with the phase http_ratelimit')),
  cloudflare_ruleset: actsPartly(zone('/rulesets'), someRules),
  cloudflare_user: without('an apply fails: the API only reads the user'),
  cloudflare_url_normalization_settings: acts(zone('/url_normalization')),
  cloudflare_user_agent_blocking_rule: acts(zone('/firewall/ua_rules')),
  cloudflare_zone: actsPartly('/zones', recordPart),
  cloudflare_zone_lockdown: acts(zone('/firewall/lockdowns')),
  cloudflare_zone_setting: actsPartly(zone('/settings/{setting_id}'), 'the table of settings says how'),
}

/** Names of version 4 of the provider that version 5 has changed. */
export const formerNames: Readonly<Record<string, string>> = {
  cloudflare_managed_headers: 'cloudflare_managed_transforms',
  cloudflare_record: 'cloudflare_dns_record',
  cloudflare_zone_settings_override: 'cloudflare_zone_setting',
}

/** By the type of the resource, in the order of names. */
export const resourceTable: ReadonlyMap<string, ResourceCoverage> = new Map(
  [
    ...Object.entries(others),
    ...keptKinds.map(({ terraform, why, scope, path }): [string, ResourceCoverage] => [
      terraform,
      { coverage: notEnforced(why), path: scope === 'zone' ? zone(path) : account(path) },
    ]),
  ].sort(([a], [b]) => (a < b ? -1 : 1)),
)

/** Without a list, leaked credential checks only find sign-ins. */
export function coverLeakedCheck({ knowsLeakedPasswords }: DataSources): Coverage {
  if (knowsLeakedPasswords) return resourceTable.get('cloudflare_leaked_credential_check')!.coverage
  return partly(
    'sign-ins are found (cf.waf.auth_detected), but no leaked password is known: SLUICE_LEAKED_PASSWORDS names no list',
  )
}
