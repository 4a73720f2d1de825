import { maskedDestination } from '../../../logpush/index.ts'
import { mayHoldCredential } from '../../../model/load-balancing.ts'
import type { Json, JsonObject } from '../../../model/resource.ts'
import { defaultZoneSettings } from '../../../model/zone-settings.ts'
import { Encoded, type Members } from './hcl.ts'
import { keptTypes } from './kept-types.ts'
import type { ResourceType, Scope } from './resource-type.ts'

const withKind = ({ kind, id }: Scope, key: string) => `${kind}s/${id}/${key}`
const keyAlone = (_scope: Scope, key: string) => key

const tokenMembers = ['name', 'status', 'condition', 'expires_on', 'not_before']

/** Every resource of an export, in the order of the files. */
export const resourceTypes: readonly ResourceType[] = [
  {
    type: 'zone',
    scopes: ['zone'],
    path: '',
    isSingle: true,
    importId: keyAlone,
    members: ['name', 'paused', 'type'],
    more: ({ account }) => ({ account: { id: (account as JsonObject)['id']! } }),
    isOfNoScope: true,
    isReferred: true,
    lost: ({ origin }) => {
      const { url = null } = origin as JsonObject
      return url === null ? [] : [`origin = ${JSON.stringify(url)}`]
    },
  },
  {
    type: 'zone_setting',
    scopes: ['zone'],
    path: 'settings',
    wanted: ({ modified_on }) => modified_on !== null,
    label: ({ id }) => String(id),
    members: ['value'],
    more: ({ id }) => ({ setting_id: id! }),
  },
  {
    type: 'url_normalization_settings',
    scopes: ['zone'],
    path: 'url_normalization',
    isSingle: true,
    wanted: ({ type, scope }) => {
      const { urlNormalization } = defaultZoneSettings
      return type !== urlNormalization.type || scope !== urlNormalization.scope
    },
    label: () => '',
    importId: ({ id }) => id,
    members: ['type', 'scope'],
  },
  {
    type: 'managed_transforms',
    scopes: ['zone'],
    path: 'managed_headers',
    isSingle: true,
    wanted: object => Object.values(enabledTransforms(object)).some(list => list.length > 0),
    label: () => '',
    importId: ({ id }) => id,
    members: [],
    more: enabledTransforms,
  },
  {
    type: 'dns_record',
    scopes: ['zone'],
    path: 'dns_records',
    label: ({ name, type }) => `${name}_${type}`,
    members: ['name', 'type', 'ttl', 'proxied', 'priority', 'comment', 'tags', 'settings'],
    // The provider takes the parts of a record or its text, and not both.
    more: ({ data = null, content = null }) => (data === null ? { content } : { data }),
  },
  {
    type: 'list',
    scopes: ['account'],
    path: 'rules/lists',
    members: ['name', 'kind', 'description'],
    more: async ({ id }, scope, api) => {
      const items = await api.list(`/accounts/${scope.id}/rules/lists/${id}/items`)
      const kept = items.map(({ id: _id, created_on: _created, modified_on: _modified, ...item }) => item)
      return items.length === 0 ? {} : { items: kept.toSorted(byText) }
    },
  },
  {
    type: 'ruleset',
    scopes: ['account', 'zone'],
    path: 'rulesets',
    isListedInPart: true,
    wanted: ({ kind }) => kind !== 'managed',
    label: ({ kind, name, phase }) => (kind === 'custom' ? String(name) : String(phase)),
    importId: withKind,
    members: ['name', 'kind', 'phase', 'description'],
    more: ({ rules = [] }) => ({ rules: (rules as readonly JsonObject[]).map(ruleMembers) }),
    lost: ({ rules = [] }) =>
      (rules as readonly JsonObject[]).flatMap((rule, at) =>
        ownParameters(rule).map(name => `rules[${at}].action_parameters.${name}`),
      ),
  },
  {
    type: 'logpush_job',
    scopes: ['account', 'zone'],
    path: 'logpush/jobs',
    label: ({ name, dataset }) => String(name || dataset),
    importId: withKind,
    members: [
      ...['name', 'dataset', 'destination_conf', 'enabled', 'kind', 'filter', 'frequency', 'logpull_options'],
      ...['max_upload_bytes', 'max_upload_interval_seconds', 'max_upload_records', 'output_options'],
    ],
    secrets: ({ destination_conf: text }) => (hasCredentials(String(text)) ? [['destination_conf']] : []),
  },
  {
    type: 'custom_pages',
    scopes: ['account', 'zone'],
    path: 'custom_pages',
    wanted: ({ state }) => state === 'customized',
    label: ({ id }) => String(id),
    importId: withKind,
    members: ['state', 'url'],
    more: ({ id }) => ({ identifier: id! }),
  },
  {
    type: 'access_rule',
    scopes: ['account', 'zone'],
    path: 'firewall/access_rules/rules',
    label: ({ configuration }) => String((configuration as JsonObject)['value']),
    importId: withKind,
    members: ['mode', 'configuration'],
    more: ({ notes = '' }) => (notes === '' ? {} : { notes }),
  },
  {
    type: 'zone_lockdown',
    scopes: ['zone'],
    path: 'firewall/lockdowns',
    label: ({ description, id }) => String(description ?? id),
    members: ['description', 'urls', 'configurations', 'paused'],
    // The provider writes the priority and never reads it.
    lost: ({ priority }) => (priority === undefined ? [] : [`priority = ${String(priority)}`]),
  },
  {
    type: 'user_agent_blocking_rule',
    scopes: ['zone'],
    path: 'firewall/ua_rules',
    label: ({ configuration }) => String((configuration as JsonObject)['value']),
    members: ['mode', 'configuration', 'description', 'paused'],
  },
  {
    type: 'load_balancer_monitor',
    scopes: ['account'],
    path: 'load_balancers/monitors',
    label: ({ description, type }) => String(description || type),
    members: [
      ...['type', 'description', 'method', 'path', 'port', 'header', 'expected_codes', 'expected_body'],
      ...['interval', 'timeout', 'retries', 'consecutive_up', 'consecutive_down', 'follow_redirects'],
      ...['allow_insecure', 'probe_zone'],
    ],
    secrets: ({ header }) => headerSecrets(header),
    isReferred: true,
  },
  {
    type: 'load_balancer_pool',
    scopes: ['account'],
    path: 'load_balancers/pools',
    members: [
      ...['name', 'description', 'enabled', 'monitor', 'minimum_origins', 'origin_steering', 'load_shedding'],
      ...['latitude', 'longitude', 'check_regions', 'notification_email', 'notification_filter'],
    ],
    more: ({ origins }) => ({ origins: (origins as readonly JsonObject[]).map(originMembers) }),
    isReferred: true,
  },
  {
    type: 'load_balancer',
    scopes: ['zone'],
    path: 'load_balancers',
    members: [
      ...[
        'name',
        'description',
        'enabled',
        'proxied',
        'ttl',
        'default_pools',
        'fallback_pool',
        'country_pools',
      ],
      ...['region_pools', 'pop_pools', 'steering_policy', 'random_steering', 'location_strategy', 'rules'],
      ...['adaptive_routing', 'session_affinity', 'session_affinity_ttl', 'session_affinity_attributes'],
      'networks',
    ],
  },
  {
    type: 'leaked_credential_check',
    scopes: ['zone'],
    path: 'leaked-credential-checks',
    isSingle: true,
    wanted: ({ enabled }) => enabled === true,
    label: () => '',
    importId: ({ id }) => id,
    members: ['enabled'],
  },
  {
    type: 'logpull_retention',
    scopes: ['zone'],
    path: 'logs/control/retention/flag',
    isSingle: true,
    wanted: ({ flag }) => flag === true,
    label: () => '',
    importId: ({ id }) => id,
    members: ['flag'],
  },
  ...keptTypes,
  {
    type: 'notification_policy',
    scopes: ['account'],
    path: 'alerting/v3/policies',
    members: ['alert_type', 'enabled', 'mechanisms', 'name', 'alert_interval', 'description', 'filters'],
  },
  {
    type: 'notification_policy_webhooks',
    scopes: ['account'],
    path: 'alerting/v3/destinations/webhooks',
    members: ['name', 'url'],
    isReferred: true,
    // Most receivers have their credential in the URL.
    secrets: () => [['url']],
  },
  {
    type: 'api_token',
    scopes: ['account'],
    path: '/user/tokens',
    importId: keyAlone,
    isOfNoScope: true,
    members: tokenMembers,
    more: policiesOf,
  },
  { type: 'account_token', scopes: ['account'], path: 'tokens', members: tokenMembers, more: policiesOf },
]

function hasCredentials(destinationConf: string): boolean {
  return maskedDestination(destinationConf) !== destinationConf || destinationConf.includes('***')
}

/** Where headers have credentials: `['header', 'Authorization', '0']`. */
function headerSecrets(headers: Json | undefined): readonly (readonly string[])[] {
  return Object.entries((headers ?? {}) as Record<string, readonly string[]>)
    .filter(([name]) => mayHoldCredential(name))
    .flatMap(([name, values]) => values.map((_, at) => ['header', name, String(at)]))
}

/** A rule as the provider takes it. */
function ruleMembers(rule: JsonObject): JsonObject {
  const { id: _id, version: _version, last_updated: _updated, categories: _categories, ...members } = rule
  const own = ownParameters(rule)
  const { action_parameters: parameters } = rule
  if (parameters === undefined || own.length + Object.keys(parameters as JsonObject).length === 0)
    return members
  const known = Object.entries(parameters as JsonObject).filter(
    ([name]) => !own.includes(name) && name !== 'version',
  )
  return { ...members, action_parameters: Object.fromEntries(known) }
}

/** Names of parameters that are Sluice's own: the targets of an exception, and a release that is not the newest. */
function ownParameters({ action_parameters: parameters = {} }: JsonObject): readonly string[] {
  const { targets, version = 'latest' } = parameters as JsonObject
  return [...(targets === undefined ? [] : ['targets']), ...(version === 'latest' ? [] : ['version'])]
}

function enabledTransforms(object: JsonObject): Readonly<Record<string, readonly JsonObject[]>> {
  return Object.fromEntries(
    ['managed_request_headers', 'managed_response_headers'].map(name => [
      name,
      (object[name] as readonly JsonObject[])
        .filter(({ enabled }) => enabled === true)
        .map(({ id }) => ({ id: id!, enabled: true })),
    ]),
  )
}

/** The API has `Host` where the provider has `host`. */
function originMembers({ disabled_at: _disabled, header = null, ...origin }: JsonObject): JsonObject {
  return header === null ? origin : { ...origin, header: { host: (header as JsonObject)['Host']! } }
}

function policiesOf({ policies }: JsonObject): Members {
  return {
    policies: (policies as readonly JsonObject[]).map(({ effect, permission_groups: groups, resources }) => ({
      effect: effect!,
      permission_groups: (groups as readonly JsonObject[]).map(({ id }) => ({ id: id! })),
      resources: new Encoded(resources!),
    })),
  }
}

function byText(a: Json, b: Json): number {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)]
  return one < other ? -1 : one > other ? 1 : 0
}
