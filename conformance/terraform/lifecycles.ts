/** The stages after the steps of a configuration in `resources/`: import, an empty plan, destruction. */
export interface Lifecycle {
  /** The id for the import, with attributes of the resource: `{zone_id}/{id}`. Absent: the provider imports none. */
  readonly importId?: string
  /** Path of the resource in the API, with its attributes. */
  readonly path: string
  /** Members of the answer after the destruction of a resource that always exists. Absent: the answer is 404. */
  readonly left?: Readonly<Record<string, unknown>>
}

const ofZone = (part: string): Lifecycle => ({
  importId: '{zone_id}/{id}',
  path: `/zones/{zone_id}/${part}/{id}`,
})
const ofAccount = (part: string): Lifecycle => ({
  importId: '{account_id}/{id}',
  path: `/accounts/{account_id}/${part}/{id}`,
})
const rulesetAt = (scope: 'zones' | 'accounts', id: 'zone_id' | 'account_id'): Lifecycle => ({
  importId: `${scope}/{${id}}/{id}`,
  path: `/${scope}/{${id}}/rulesets/{id}`,
})

/** By the folder in `resources/`: the resource, or the resource and the configuration. */
export const lifecycles: Readonly<Record<string, Lifecycle>> = {
  'access_rule/all': { ...ofZone('firewall/access_rules/rules'), importId: 'zones/{zone_id}/{id}' },
  'access_rule/account': {
    ...ofAccount('firewall/access_rules/rules'),
    importId: 'accounts/{account_id}/{id}',
  },
  account_token: ofAccount('tokens'),
  api_token: { importId: '{id}', path: '/user/tokens/{id}' },
  bot_management: {
    importId: '{zone_id}',
    path: '/zones/{zone_id}/bot_management',
    left: { fight_mode: false },
  },
  custom_pages: {
    importId: 'zones/{zone_id}/{identifier}',
    path: '/zones/{zone_id}/custom_pages/{identifier}',
    left: { state: 'default' },
  },
  custom_ssl: ofZone('custom_certificates'),
  dns_record: ofZone('dns_records'),
  healthcheck: ofZone('healthchecks'),
  leaked_credential_check: {
    importId: '{zone_id}',
    path: '/zones/{zone_id}/leaked-credential-checks',
    left: { enabled: false },
  },
  list: ofAccount('rules/lists'),
  list_item: {
    importId: '{account_id}/{list_id}/{id}',
    path: '/accounts/{account_id}/rules/lists/{list_id}/items/{id}',
  },
  load_balancer: ofZone('load_balancers'),
  load_balancer_monitor: ofAccount('load_balancers/monitors'),
  load_balancer_pool: ofAccount('load_balancers/pools'),
  logpull_retention: {
    importId: '{zone_id}',
    path: '/zones/{zone_id}/logs/control/retention/flag',
    left: { flag: false },
  },
  logpush_job: { importId: 'zones/{zone_id}/{id}', path: '/zones/{zone_id}/logpush/jobs/{id}' },
  // A challenge is a file at the destination: the API keeps nothing.
  logpush_ownership_challenge: { path: '/zones/{zone_id}', left: {} },
  managed_transforms: {
    importId: '{zone_id}',
    path: '/zones/{zone_id}/managed_headers',
    left: {},
  },
  notification_policy: ofAccount('alerting/v3/policies'),
  notification_policy_webhooks: ofAccount('alerting/v3/destinations/webhooks'),
  page_rule: ofZone('pagerules'),
  ruleset: rulesetAt('zones', 'zone_id'),
  'ruleset/custom': rulesetAt('accounts', 'account_id'),
  'ruleset/http_request_redirect': rulesetAt('accounts', 'account_id'),
  'ruleset/root': rulesetAt('accounts', 'account_id'),
  universal_ssl_setting: {
    importId: '{zone_id}',
    path: '/zones/{zone_id}/ssl/universal/settings',
    left: { enabled: false },
  },
  url_normalization_settings: {
    importId: '{zone_id}',
    path: '/zones/{zone_id}/url_normalization',
    left: { scope: 'incoming', type: 'cloudflare' },
  },
  user_agent_blocking_rule: ofZone('firewall/ua_rules'),
  zone: { importId: '{id}', path: '/zones/{id}' },
  zone_lockdown: ofZone('firewall/lockdowns'),
  zone_setting: {
    importId: '{zone_id}/{setting_id}',
    path: '/zones/{zone_id}/settings/{setting_id}',
    left: {},
  },
}

/** Replaces `{attribute}` by the attribute's value. */
export function filledWith(attributes: Readonly<Record<string, unknown>>, text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(attributes[name]))
}
