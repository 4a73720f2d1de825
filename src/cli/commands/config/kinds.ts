import { isDeepStrictEqual } from 'node:util'
import { maskedDestination } from '../../../logpush/index.ts'
import { areExclusive, type DnsRecordType } from '../../../model/dns-record.ts'
import { mayHoldCredential } from '../../../model/load-balancing.ts'
import type { Json, JsonObject } from '../../../model/resource.ts'
import { zoneSettingTable } from '../../../model/zone-setting-table/index.ts'
import { defaultZoneSettings } from '../../../model/zone-settings.ts'
import { keptKindsOfFiles } from './kept-kinds.ts'
import { collection, type Kind, single, withoutDefaults } from './kind.ts'
import { escaped } from './references.ts'
import { rulesetKinds } from './ruleset-kinds.ts'

const account = ['account'] as const
const zone = ['zone'] as const
const both = ['account', 'zone'] as const

/** Every kind of the files, in the order in which objects are written: a pool comes before the load balancer that names it. */
export const kinds: readonly Kind[] = [
  collection('rules/lists', {
    name: 'lists',
    noun: 'list',
    scopes: account,
    keys: ['name'],
    members: ['name', 'kind', 'description', 'items'],
    more: async ({ id }, api, base) => {
      const items = await api.list(`${base}/rules/lists/${id}/items?per_page=500`)
      const kept = items.map(({ id: _id, created_on: _created, modified_on: _modified, ...item }) => item)
      return { items: kept.toSorted(byText) }
    },
    normal: ({ items = [], ...document }) => ({ ...document, items: (items as Json[]).toSorted(byText) }),
    create: ({ items: _items, ...body }) => ({ method: 'POST', path: 'rules/lists', body }),
    change: (id, { name, kind, description = '' }) => ({
      method: 'PUT',
      path: `rules/lists/${id}`,
      body: { name: name!, kind: kind!, description },
    }),
    fill: (id, { items = [] }) => ({ method: 'PUT', path: `rules/lists/${id}/items`, body: items }),
  }),
  collection('load_balancers/monitors', {
    name: 'load_balancer_monitors',
    noun: 'monitor',
    scopes: account,
    keys: ['description', 'type'],
    members: [
      ...['description', 'type', 'method', 'path', 'port', 'header', 'expected_codes', 'expected_body'],
      ...['interval', 'timeout', 'retries', 'consecutive_up', 'consecutive_down', 'follow_redirects'],
      ...['allow_insecure', 'probe_zone'],
    ],
    defaults: { interval: 60, timeout: 5, retries: 2, follow_redirects: false, allow_insecure: false },
    concealed: concealedHeaders,
  }),
  collection('load_balancers/pools', {
    name: 'load_balancer_pools',
    noun: 'pool',
    scopes: account,
    keys: ['name'],
    members: [
      ...['name', 'description', 'enabled', 'monitor', 'origins', 'minimum_origins', 'origin_steering'],
      ...['load_shedding', 'latitude', 'longitude', 'check_regions', 'notification_email'],
      'notification_filter',
    ],
    defaults: {
      enabled: true,
      minimum_origins: 1,
      origin_steering: { policy: 'random' },
      load_shedding: {
        default_percent: 0,
        default_policy: 'random',
        session_percent: 0,
        session_policy: 'hash',
      },
    },
    normal: ({ origins, ...document }) => ({
      ...document,
      origins: withoutDefaults(origins, originDefaults),
    }),
    more: ({ origins }) => ({
      origins: (origins as readonly JsonObject[]).map(({ disabled_at: _disabled, ...origin }) => origin),
    }),
  }),
  {
    ...single('', 'PATCH', {
      name: 'zone',
      noun: 'zone',
      scopes: zone,
      members: ['type', 'paused', 'origin'],
      defaults: { type: 'full', paused: false, origin: { url: null } },
    }),
    create: (document, { name, accountId }) => ({
      method: 'POST',
      path: '/zones',
      body: { name, account: { id: accountId }, ...document },
    }),
  },
  collection('settings', {
    name: 'settings',
    noun: 'setting',
    scopes: zone,
    keys: ['id'],
    members: ['id', 'value', 'enabled'],
    // The development mode ends by itself.
    isUnlisted: ({ id, value, modified_on: modified }) =>
      modified === null ||
      id === 'development_mode' ||
      (id !== sslMode && isDeepStrictEqual(value, defaultSetting(id as string))),
    stays: ({ id }) => id === sslMode,
    create: setting,
    change: (_id, document) => setting(document),
    remove: id => setting({ id, value: defaultSetting(id) }),
  }),
  collection('custom_pages/assets', {
    name: 'custom_page_assets',
    noun: 'custom page asset',
    scopes: both,
    keys: ['name'],
    members: ['name', 'description', 'url'],
    idMember: 'name',
    change: (id, { description = '', url }) => ({
      method: 'PUT',
      path: `custom_pages/assets/${encodeURIComponent(id)}`,
      body: { description, url: url! },
    }),
  }),
  collection('custom_pages', {
    name: 'custom_pages',
    noun: 'custom page',
    scopes: both,
    keys: ['id'],
    members: ['id', 'url'],
    wanted: ({ state }) => state === 'customized',
    create: customPage,
    change: (_id, document) => customPage(document),
    remove: id => ({ method: 'PUT', path: `custom_pages/${id}`, body: { state: 'default', url: null } }),
  }),
  single('url_normalization', 'PUT', {
    name: 'url_normalization',
    noun: 'URL normalization',
    scopes: zone,
    members: ['type', 'scope'],
    defaults: { ...defaultZoneSettings.urlNormalization },
  }),
  single('managed_headers', 'PATCH', {
    name: 'managed_transforms',
    noun: 'managed transforms',
    scopes: zone,
    members: ['managed_request_headers', 'managed_response_headers'],
    more: transforms,
    normal: transforms,
    change: (_id, document, present) => ({
      method: 'PATCH',
      path: 'managed_headers',
      body: changedTransforms(document, present),
    }),
  }),
  single('leaked-credential-checks', 'POST', {
    name: 'leaked_credential_checks',
    noun: 'leaked credential checks',
    scopes: zone,
    members: ['enabled'],
    defaults: { enabled: false },
  }),
  collection('leaked-credential-checks/detections', {
    name: 'credential_detections',
    noun: 'custom detection location',
    scopes: zone,
    keys: ['username', 'password'],
    members: ['username', 'password'],
  }),
  collection('dns_records', {
    name: 'dns_records',
    perPage: 1000,
    noun: 'DNS record',
    scopes: zone,
    keys: ['name', 'type'],
    members: ['name', 'type', 'content', 'data', 'priority', 'ttl', 'proxied', 'comment', 'tags', 'settings'],
    defaults: { ttl: 1, proxied: false },
    // A record takes its parts or its text, and not both.
    more: ({ data = null, content = null }) => (data === null ? { content } : { content: null, data }),
    exchange: {
      excludes: (record, other) =>
        record['name'] === other['name'] &&
        areExclusive(record['type'] as DnsRecordType, other['type'] as DnsRecordType),
      write: (deleted, created) => ({
        method: 'POST',
        path: 'dns_records/batch',
        body: { deletes: deleted.map(id => ({ id })), posts: created },
      }),
      createdIn: ({ posts }) => posts as readonly JsonObject[],
    },
  }),
  collection('load_balancers', {
    name: 'load_balancers',
    noun: 'load balancer',
    scopes: zone,
    keys: ['name'],
    members: [
      ...['name', 'description', 'enabled', 'proxied', 'ttl', 'default_pools', 'fallback_pool'],
      ...['country_pools', 'region_pools', 'pop_pools', 'steering_policy', 'random_steering'],
      ...['location_strategy', 'rules', 'adaptive_routing', 'session_affinity', 'session_affinity_ttl'],
      ...['session_affinity_attributes', 'networks'],
    ],
    defaults: { enabled: true, proxied: false },
  }),
  ...rulesetKinds,
  collection(
    'firewall/access_rules/rules',
    {
      name: 'access_rules',
      perPage: 1000,
      noun: 'access rule',
      scopes: both,
      keys: ['configuration'],
      members: ['configuration', 'mode', 'notes'],
      defaults: { notes: '' },
    },
    'PATCH',
  ),
  collection('firewall/lockdowns', {
    name: 'lockdowns',
    noun: 'zone lockdown',
    scopes: zone,
    keys: ['description', 'urls'],
    members: ['description', 'urls', 'configurations', 'priority', 'paused'],
    defaults: { paused: false },
  }),
  collection('firewall/ua_rules', {
    name: 'user_agent_rules',
    noun: 'User Agent rule',
    scopes: zone,
    keys: ['configuration'],
    members: ['configuration', 'mode', 'description', 'paused'],
    defaults: { paused: false },
  }),
  single('logs/control/retention/flag', 'POST', {
    name: 'logpull_retention',
    noun: 'Logpull retention',
    scopes: zone,
    members: ['flag'],
    defaults: { flag: false },
  }),
  single('logs/control/redaction', 'PUT', {
    name: 'log_redaction',
    noun: 'redaction of logs',
    scopes: zone,
    members: ['authorization', 'cookies', 'query_credentials', 'card_numbers', 'query_parameters'],
    defaults: {
      authorization: true,
      cookies: true,
      query_credentials: true,
      card_numbers: true,
      query_parameters: [],
    },
  }),
  collection(
    'alerting/v3/destinations/webhooks',
    {
      name: 'notification_webhooks',
      noun: 'webhook for notifications',
      scopes: account,
      keys: ['name'],
      members: ['name', 'url'],
      unread: ['secret'],
      // Most receivers have their credential in the URL.
      concealed: (document, _object, variable) => ({ ...document, url: `\${${variable('URL')}}` }),
    },
    'PUT',
  ),
  // After the webhooks that it names.
  collection('alerting/v3/policies', {
    name: 'notification_policies',
    noun: 'notification policy',
    scopes: account,
    keys: ['name'],
    members: ['name', 'description', 'enabled', 'alert_type', 'alert_interval', 'filters', 'mechanisms'],
    // Members that a change leaves out would stay.
    change: (id, document) => ({
      method: 'PUT',
      path: `alerting/v3/policies/${id}`,
      body: { description: null, alert_interval: null, filters: null, ...document },
    }),
  }),
  ...keptKindsOfFiles,
  collection('logpush/jobs', {
    name: 'logpush_jobs',
    noun: 'Logpush job',
    scopes: both,
    keys: ['name', 'dataset'],
    members: [
      ...['name', 'dataset', 'enabled', 'destination_conf', 'kind', 'filter', 'filter_attack_traffic'],
      ...['frequency', 'logpull_options', 'output_options', 'max_upload_bytes'],
      ...['max_upload_interval_seconds', 'max_upload_records'],
    ],
    unread: ['ownership_challenge'],
    defaults: { enabled: false, kind: '', frequency: 'high', filter: null },
    concealed: concealedDestination,
  }),
]

const originDefaults = { enabled: true, weight: 1, port: 0, flatten_cname: true }

/** Its default depends on the origin: a zone that has chosen it keeps it. */
const sslMode = 'ssl'

function customPage({ id, url }: JsonObject) {
  return { method: 'PUT', path: `custom_pages/${id}`, body: { state: 'customized', url: url! } } as const
}

function setting({ id, ...body }: JsonObject) {
  // An empty value is left out of documents.
  const whole = 'enabled' in body ? body : { value: defaultSetting(id as string), ...body }
  return { method: 'PATCH', path: `settings/${id}`, body: whole } as const
}

function defaultSetting(id: string): Json {
  return zoneSettingTable.get(id)?.default ?? null
}

const transformLists = ['managed_request_headers', 'managed_response_headers'] as const

/** The transforms that are on. */
function transforms(object: JsonObject): JsonObject {
  return Object.fromEntries(
    transformLists.map(name => [
      name,
      ((object[name] ?? []) as readonly JsonObject[])
        .filter(({ enabled }) => enabled === true)
        .map(({ id }) => ({ id: id!, enabled: true }))
        .toSorted(byText),
    ]),
  )
}

/** With the transforms to switch off: the API leaves those as they are that a change does not name. */
function changedTransforms(document: JsonObject, present: JsonObject): JsonObject {
  const [on, former] = [document, present].map(transforms) as [JsonObject, JsonObject]
  return Object.fromEntries(
    transformLists.map(name => {
      const wanted = on[name] as readonly JsonObject[]
      const off = (former[name] as readonly JsonObject[]).filter(
        one => !wanted.some(({ id }) => id === one['id']),
      )
      return [name, [...wanted, ...off.map(({ id }) => ({ id: id!, enabled: false }))]]
    }),
  )
}

/** A destination has its secrets masked with `***`. */
function concealedDestination(
  document: JsonObject,
  { destination_conf: conf }: JsonObject,
  variable: (suffix: string) => string,
): JsonObject {
  const masked = escaped(maskedDestination(String(conf))) as string
  let number = 0
  return {
    ...document,
    destination_conf: masked.replace(/\*\*\*/g, () => `\${${variable(`SECRET_${++number}`)}}`),
  }
}

function concealedHeaders(
  document: JsonObject,
  { header }: JsonObject,
  variable: (suffix: string) => string,
): JsonObject {
  if (document['header'] === undefined) return document
  const shown = Object.entries(header as Readonly<Record<string, readonly string[]>>).map(
    ([name, values]) => [
      name,
      mayHoldCredential(name)
        ? values.map((_, at) => `\${${variable(`${name}_${at + 1}`)}}`)
        : values.map(value => escaped(value)),
    ],
  )
  return { ...document, header: Object.fromEntries(shown) }
}

function byText(a: Json, b: Json): number {
  const [one, other] = [sortedText(a), sortedText(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

/** As JSON, with the members of objects in the order of their names. */
function sortedText(value: Json): string {
  return JSON.stringify(value, (_name, part: Json) =>
    part === null || typeof part !== 'object' || Array.isArray(part)
      ? part
      : Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
}
