import { Type } from 'typebox'
import type { Json, JsonObject } from '../../model/resource.ts'
import { closed, dates, type KeptCollection, oneOf, text, type WithoutMeaning, whole } from './kind.ts'

const noCache = 'the edge keeps no cache'
const asMade = 'pages and images go through as the origin made them'
const configure = (name: string) =>
  `a rule with the action set_config and ${name} in http_config_settings does this`
const route = (name: string) => `a rule with the action route and ${name} in http_request_origin does this`
const zoneSetting = (name: string) => `the zone setting ${name} does this for the whole zone`

/** The actions of page rules, and what replaces them here. @source Cloudflare API, page rules */
const actions: Readonly<Record<string, string>> = {
  always_online: noCache,
  always_use_https: `${zoneSetting('always_use_https')}; for some URLs, a rule with the action redirect in http_request_dynamic_redirect`,
  automatic_https_rewrites: asMade,
  browser_cache_ttl: 'a rule with the action rewrite in http_response_headers_transform sets Cache-Control',
  browser_check: configure('bic'),
  bypass_cache_on_cookie: noCache,
  cache_by_device_type: noCache,
  cache_deception_armor: noCache,
  cache_key_fields: noCache,
  cache_level: noCache,
  cache_on_cookie: noCache,
  cache_ttl_by_status: noCache,
  disable_apps: 'nothing is added to pages',
  disable_performance: asMade,
  disable_railgun: 'there is no Railgun',
  disable_security: 'a rule with the action skip in http_request_firewall_custom does this',
  disable_zaraz: 'nothing is added to pages',
  edge_cache_ttl: noCache,
  email_obfuscation: asMade,
  explicit_cache_control: noCache,
  forwarding_url: 'a rule with the action redirect in http_request_dynamic_redirect does this',
  host_header_override: route('host_header'),
  ip_geolocation: zoneSetting('ip_geolocation'),
  minify: asMade,
  mirage: asMade,
  opportunistic_encryption: 'HTTPS is not announced to clients that use HTTP',
  origin_error_page_pass_thru: 'error pages of the origin always go through',
  polish: asMade,
  railgun: 'there is no Railgun',
  resolve_override: route('origin'),
  respect_strong_etag: 'ETags of the origin always go through',
  response_buffering: 'bodies are held back as far as rules look at them',
  rocket_loader: asMade,
  security_level: configure('security_level'),
  server_side_exclude: asMade,
  sort_query_string_for_cache: noCache,
  ssl: configure('ssl'),
  true_client_ip_header: 'a rule with the action rewrite and ip.src in http_request_late_transform does this',
  waf: 'a rule with the action skip in http_request_firewall_managed does this',
}

const constraint = Type.Object({ operator: oneOf('matches', 'contains', 'equals'), value: text() }, closed)

export const pageRules: KeptCollection = {
  kind: 'page_rule',
  terraform: 'cloudflare_page_rule',
  noun: 'a page rule',
  scope: 'zone',
  path: '/pagerules',
  body: Type.Object(
    {
      targets: Type.Array(Type.Object({ target: oneOf('url'), constraint }, closed), {
        minItems: 1,
        maxItems: 10,
      }),
      actions: Type.Array(
        Type.Object({ id: oneOf(...Object.keys(actions)), value: Type.Optional(Type.Unknown()) }, closed),
        { minItems: 1, maxItems: 50 },
      ),
      priority: Type.Optional(whole(0, 1_000_000)),
      status: Type.Optional(oneOf('active', 'disabled')),
    },
    closed,
  ),
  defaults: { priority: 1, status: 'disabled' },
  computed: dates,
  withoutMeaning: ({ actions: said }) => (said as readonly JsonObject[]).map(ofAction),
  nameOf: ({ targets }) => (targets as readonly { constraint: { value: string } }[])[0]!.constraint.value,
  fromTerraform: ({ actions: said }) => ({ actions: namesOf(said ?? null).map(name => ({ id: name })) }),
  why: 'page rules are not evaluated; the message names the rule or setting that replaces each action',
}

/** Terraform has the actions as members of one object, which version 4 puts into a list. */
function namesOf(said: Json): readonly string[] {
  const object = Array.isArray(said) ? (said[0] as Json) : said
  if (typeof object !== 'object' || object === null) return []
  const isSaid = (value: Json) => value !== null && value !== false && value !== '' && value !== 0
  return Object.keys(actions).filter(name => {
    const value = (object as JsonObject)[name]
    return value !== undefined && isSaid(value) && !(Array.isArray(value) && value.length === 0)
  })
}

function ofAction({ id }: JsonObject, index: number): WithoutMeaning {
  const name = String(id)
  return { pointer: `/actions/${index}/id`, what: `page rule action ${name}`, why: actions[name]! }
}
