import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../model/resource.ts'
import { reasonOf } from './enforcement.ts'
import { coverPlan } from './plan.ts'

const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const closed = 'efb7b8c949ac4650a09736fc376e9aee'

const all = { hasGeoDatabases: true, knowsLeakedPasswords: true }
const none = { hasGeoDatabases: false, knowsLeakedPasswords: false }

function planOf(resources: readonly (readonly [string, JsonObject])[], more: object = {}): string {
  const shown = resources.map(([address, values]) => {
    const type = address.split('.').at(-2)
    return { address, mode: 'managed', type, values }
  })
  return JSON.stringify({ planned_values: { root_module: { resources: shown, ...more } } })
}

function statusOf(address: string, values: JsonObject, sources = all): readonly [string, string] {
  const [{ coverage } = assert.fail()] = coverPlan(planOf([[address, values]]), sources).resources
  return [coverage.status, reasonOf(coverage)]
}

const ruleset = (phase: string, rules: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  zone_id: 'z',
  name: 'n',
  kind: 'zone',
  phase,
  description: null,
  rules,
  ...more,
})
const execute = (parameters: JsonObject): JsonObject => ({
  action: 'execute',
  expression: 'true',
  ref: 'r',
  logging: null,
  action_parameters: parameters,
})

test('rulesets: enforced, in part with the rule, or not at all', () => {
  const firewall = 'http_request_firewall_managed'
  const securityLevel = (level: string) => ({
    action: 'set_config',
    expression: 'true',
    action_parameters: { security_level: level },
  })
  const rewritePath = (expression: string) => ({
    action: 'rewrite',
    expression: 'true',
    action_parameters: { uri: { path: { expression } } },
  })
  const block = { action: 'block', expression: 'http.host eq "a"' }
  for (const [phase, rules, status, reason] of [
    ['http_request_firewall_custom', [block], 'enforced', /^$/],
    [firewall, [execute({ id: owasp }), execute({ id: closed })], 'partly', /^rule 2: .*Managed Ruleset/],
    [firewall, [execute({ id: closed })], 'not_enforced', /^rule 1: /],
    // The id of a ruleset that the same plan creates is not known yet.
    ['http_request_firewall_custom', [execute({})], 'enforced', /^$/],
    ['http_request_cache_settings', [{ action: 'set_cache_settings' }], 'not_enforced', /no cache/],
    [
      'http_config_settings',
      [
        {
          action: 'set_config',
          expression: 'true',
          action_parameters: { polish: 'lossy', security_level: 'off' },
        },
      ],
      'partly',
      /^rule 1: polish: [^;]*$/,
    ],
    ['http_config_settings', [securityLevel('under_attack')], 'enforced', /^$/],
    ['http_config_settings', [securityLevel('high')], 'partly', /^rule 1: security_level: no reputation/],
    [
      'http_request_firewall_custom',
      [block, { action: 'block', expression: 'cf.bot_management.score lt 30 or cf.threat_score gt 9' }],
      'partly',
      /^rule 2: cf\.bot_management\.score is always 99: .*; rule 2: cf\.threat_score is always 0: /,
    ],
    [
      'http_request_firewall_custom',
      [{ action: 'block', expression: 'ip.src.country in {"T1" "A1"}' }],
      'partly',
      /^rule 1: ip\.src\.country is never T1: /,
    ],
    [
      'http_request_transform',
      [rewritePath('concat("/", cf.verified_bot_category)')],
      'partly',
      /^rule 1: expression: cf\.verified_bot_category is always empty: /,
    ],
    [
      'http_request_firewall_custom',
      [{ action: 'block', expression: 'ip.src in $cf.malware' }],
      'not_enforced',
      /^it is refused: .*managed lists belong to Cloudflare/s,
    ],
    [
      'http_request_firewall_custom',
      [{ action: 'block', expression: 'ip.src in $office' }],
      'enforced',
      /^$/,
    ],
    [
      'http_request_firewall_custom',
      [{ action: 'block', expression: 'no.such.field eq 1' }],
      'not_enforced',
      /^it is refused: /,
    ],
  ] as const) {
    const [found, why] = statusOf('cloudflare_ruleset.a', ruleset(phase, rules))
    assert.equal(found, status, `${phase}: ${why}`)
    assert.match(why, reason)
  }
})

test('a rule that needs data of the installation is enforced only with it', () => {
  const exposed = { username_expression: 'http.user_agent', password_expression: 'http.referer' }
  for (const [rule, reason] of [
    [
      { expression: 'ip.src.asnum eq 13335' },
      /^rule 1: ip\.src\.asnum is always 0: no database in SLUICE_GEO_/,
    ],
    [{ expression: 'ip.src.city eq "Paris"' }, /^rule 1: ip\.src\.city is always empty: no database/],
    [
      { expression: 'cf.waf.credential_check.password_leaked' },
      /^rule 1: cf\.waf\.credential_check\.password_leaked is always false: SLUICE_LEAKED_PASSWORDS names no list/,
    ],
    [
      { expression: 'true', exposed_credential_check: exposed },
      /^rule 1: exposed_credential_check matches no request: SLUICE_LEAKED_PASSWORDS names no list/,
    ],
  ] as const) {
    const values = ruleset('http_request_firewall_custom', [{ action: 'block', ...rule }])
    const [status, why] = statusOf('cloudflare_ruleset.a', values, none)
    assert.equal(status, 'partly', why)
    assert.match(why, reason)
    assert.deepEqual(statusOf('cloudflare_ruleset.a', values), ['enforced', ''])
  }
  const network = { mode: 'block', configuration: { target: 'asn', value: 'AS64496' } }
  const [access, why] = statusOf('cloudflare_access_rule.a', network, none)
  assert.equal(access, 'not_enforced')
  assert.match(why, /^no database in SLUICE_GEO_DATABASES/)
  const [checks, missing] = statusOf('cloudflare_leaked_credential_check.a', { enabled: true }, none)
  assert.equal(checks, 'partly')
  assert.match(missing, /SLUICE_LEAKED_PASSWORDS names no list/)
})

test('rulesets in the form of version 4 of the provider', () => {
  const headers = [{ name: 'x-a', operation: 'set', value: '1', expression: '' }]
  const rewrite = { action: 'rewrite', expression: 'true', action_parameters: [{ headers }], ratelimit: [] }
  const unset = { headers: [], algorithms: [], overrides: [], uri: [], products: null, id: null }
  const algorithms = [{ name: 'zstd' }, { name: 'gzip' }]
  const skipped = { [owasp]: '8ac8bc2a661e475d940980f9317f28e1,1ba7e9fcfa5841559dc4b7a89447c501' }
  const fields = { cookie_fields: ['__cfruid'], request_fields: ['x-a'] }
  const values = ruleset('http_response_headers_transform', [rewrite])
  assert.deepEqual(statusOf('cloudflare_ruleset.a', values), ['enforced', ''])
  for (const [phase, rule] of [
    [
      'http_response_compression',
      { action: 'compress_response', action_parameters: [{ ...unset, algorithms }] },
    ],
    ['http_request_firewall_managed', { action: 'skip', action_parameters: [{ ...unset, rules: skipped }] }],
    ['http_log_custom_fields', { action: 'log_custom_field', action_parameters: [{ ...unset, ...fields }] }],
    ['http_request_firewall_custom', { action: 'block', action_parameters: [], ratelimit: [], logging: [] }],
  ] as const)
    assert.deepEqual(
      statusOf('cloudflare_ruleset.a', ruleset(phase, [{ expression: 'true', ...rule }])),
      ['enforced', ''],
      phase,
    )
  const headersPart = {
    enabled: true,
    include_subdomains: true,
    max_age: 86_400,
    nosniff: true,
    preload: false,
  }
  const settings = [
    { polish: 'lossy', http2: 'on', minify: null, security_header: [headersPart], zero_rtt: 'off' },
  ]
  const [status, why] = statusOf('cloudflare_zone_settings_override.a', { settings })
  assert.equal(status, 'partly')
  assert.match(why, /^polish: [^;]*$/)
  assert.equal(statusOf('cloudflare_record.a', { type: 'A', proxied: true })[0], 'partly')
})

test('settings and other resources', () => {
  for (const [address, values, status, reason] of [
    ['cloudflare_zone_setting.a', { setting_id: 'polish', value: 'off' }, 'enforced', /^$/],
    ['cloudflare_zone_setting.a', { setting_id: 'polish', value: 'lossy' }, 'not_enforced', /images/],
    ['cloudflare_zone_setting.a', { setting_id: 'min_tls_version', value: '1.0' }, 'partly', /1\.2/],
    ['cloudflare_zone_setting.a', { setting_id: 'http2', value: 'maybe' }, 'not_enforced', /^it is refused/],
    ['cloudflare_zone_setting.a', { setting_id: 'constructor', value: 'on' }, 'unknown', /no zone setting/],
    [
      'cloudflare_zone_setting.a',
      { setting_id: 'minify', value: { css: 'on', html: 'off', js: 'off' } },
      'not_enforced',
      /^pages and images/,
    ],
    ['cloudflare_account.a', { name: 'a' }, 'not_enforced', /^an apply fails: /],
    [
      'cloudflare_hostname_tls_setting.a',
      { setting_id: 'http2', value: 'off' },
      'not_enforced',
      /whole zone$/,
    ],
    [
      'cloudflare_authenticated_origin_pulls.a',
      { config: [{ hostname: 'a.example' }] },
      'not_enforced',
      /^an apply fails: .*whole zone/,
    ],
    ['cloudflare_authenticated_origin_pulls.a', { enabled: true, hostname: null }, 'enforced', /^$/],
    ['cloudflare_zone_dnssec.a', { zone_id: 'z', status: 'disabled' }, 'enforced', /^$/],
    ['cloudflare_zone_dnssec.a', { zone_id: 'z' }, 'not_enforced', /^DNSSEC: .*not a name server$/],
    ['cloudflare_bot_management.a', { zone_id: 'z', fight_mode: false }, 'enforced', /^$/],
    ['cloudflare_bot_management.a', { zone_id: 'z', fight_mode: true }, 'not_enforced', /^fight_mode: /],
    [
      'cloudflare_page_rule.a',
      { actions: { cache_level: 'bypass', disable_apps: false, ssl: null } },
      'not_enforced',
      /^page rule action cache_level: the edge keeps no cache$/,
    ],
    ['cloudflare_page_rule.a', { actions: [{ ssl: 'full' }] }, 'not_enforced', /set_config and ssl/],
    ['cloudflare_dns_record.a', { type: 'CNAME', proxied: true }, 'partly', /names a server/],
    ['cloudflare_dns_record.a', { type: 'MX', proxied: false }, 'not_enforced', /not a name server/],
    ['cloudflare_list.a', {}, 'enforced', /^$/],
    ['cloudflare_workers_script.a', {}, 'unknown', /an apply fails/],
  ] as const) {
    const [found, why] = statusOf(address, values)
    assert.equal(found, status, `${address} ${JSON.stringify(values)}: ${why}`)
    assert.match(why, reason)
  }
})

test('values that an apply refuses are not enforced, with the reason of the write', () => {
  const balancer = (more: JsonObject) => ({ zone_id: 'z', proxied: true, steering_policy: 'off', ...more })
  const job = (more: JsonObject) => ({ zone_id: 'z', account_id: null, destination_conf: 's3://a', ...more })
  const access = (target: string, value: string) => ({ mode: 'block', configuration: { target, value } })
  const transforms = (...on: string[]) => ({
    managed_request_headers: [
      { id: 'add_client_certificate_headers', enabled: false },
      ...on.map(id => ({ id, enabled: true })),
    ],
    managed_response_headers: [{ id: 'remove_x-powered-by_header', enabled: true }].slice(on.length),
  })
  const overrides = { region_pools: { WEU: ['p'] } }
  const pools = [{ region: 'WEU', pool_ids: ['p'] }]
  const refused = 'not_enforced'
  for (const [type, values, status, reason] of [
    ['load_balancer', balancer({ networks: null, region_pools: [] }), 'enforced', /^$/],
    ['load_balancer', balancer({ networks: ['cloudflare'] }), 'partly', /^networks have no effect$/],
    ['load_balancer', balancer({ proxied: false }), refused, /only proxied/],
    [
      'load_balancer',
      balancer({ steering_policy: 'geo' }),
      refused,
      /^an apply fails: steering_policy .*geo$/,
    ],
    ['load_balancer', balancer({ region_pools: pools }), refused, /^an apply fails: region_pools .*location/],
    ['load_balancer', balancer({ rules: [{ overrides }] }), refused, /fails: rule 1: region_pools is not/],
    // As version 4 of the provider writes it.
    ['load_balancer', balancer({ rules: [{ overrides: [overrides] }] }), refused, /rule 1: region_pools/],
    ['load_balancer_monitor', { type: 'https' }, 'enforced', /^$/],
    ['load_balancer_monitor', { type: 'icmp_ping' }, refused, /^an apply fails: .*use http, https or tcp$/],
    ['load_balancer_pool', { load_shedding: { default_percent: 0 } }, 'enforced', /^$/],
    ['load_balancer_pool', { check_regions: ['WEU'] }, 'partly', /^without effect: check_regions$/],
    ['load_balancer_pool', { origins: [{ virtual_network_id: 'v' }] }, refused, /no virtual networks/],
    ['logpush_job', job({ dataset: 'http_requests', filter: null }), 'enforced', /^$/],
    ['logpush_job', job({ dataset: 'dns_logs' }), refused, /^an apply fails: there is no dataset dns_logs; /],
    ['logpush_job', job({ dataset: 'audit_logs' }), refused, /^an apply fails: .*for jobs of accounts only$/],
    ['logpush_job', job({ output_options: { field_names: ['RayID', 'No'] } }), refused, /has no field No$/],
    ['logpush_job', job({ logpull_options: 'fields=RayID&timestamps=unix' }), 'enforced', /^$/],
    ['logpush_job', job({ filter: '{"where":{}}' }), refused, /^an apply fails: the filter is not valid: /],
    ['access_rule', access('ip', '192.0.2.1'), 'enforced', /^$/],
    [
      'access_rule',
      { mode: 'block', configuration: [{ target: 'ip', value: '192.0.2.1' }] },
      'enforced',
      /^$/,
    ],
    ['access_rule', access('asn', 'AS64496'), 'enforced', /^$/],
    ['access_rule', access('country', 'T1'), refused, /Tor/],
    [
      'access_rule',
      access('ip_range', '192.0.2.0/28'),
      refused,
      /^an apply fails: .*no value of .*ip_range$/,
    ],
    ['custom_ssl', { geo_restrictions: null, type: 'sni_custom' }, 'enforced', /^$/],
    ['custom_ssl', { custom_ssl_options: [{ geo_restrictions: 'eu' }] }, refused, /fails: geo_restrictions /],
    ['managed_transforms', transforms(), 'enforced', /^$/],
    ['managed_transforms', transforms('remove_visitor_ip_headers'), 'enforced', /^$/],
    // The name in version 4 of the provider.
    ['managed_headers', transforms('add_bot_protection_headers'), refused, /^add_bot_.*: .*bot scores/],
    [
      'managed_transforms',
      transforms('add_bot_protection_headers', 'add_visitor_location_headers'),
      'partly',
      /^add_bot_[^;]*$/,
    ],
    ['managed_transforms', transforms('add_more'), refused, /^an apply fails: there is no .*add_more$/],
    [
      'managed_transforms',
      transforms('remove_visitor_ip_headers', 'add_true_client_ip_headers'),
      refused,
      /^an apply fails: .*exclude each other/,
    ],
  ] as const) {
    const [found, why] = statusOf(`cloudflare_${type}.a`, values)
    assert.equal(found, status, `${type} ${JSON.stringify(values)}: ${why}`)
    assert.match(why, reason)
  }
})

test('modules, data sources, other providers and states', () => {
  const child = {
    address: 'module.shop',
    resources: [{ address: 'module.shop.cloudflare_list.a', mode: 'managed', type: 'cloudflare_list' }],
    child_modules: [],
  }
  const plan = planOf([['aws_instance.a', {}]], { child_modules: [child] })
  const { resources, others } = coverPlan(plan, all)
  assert.deepEqual([resources.map(({ address }) => address), others], [['module.shop.cloudflare_list.a'], 1])
  const data = { address: 'data.cloudflare_list.a', mode: 'data', type: 'cloudflare_list', values: {} }
  const state = JSON.stringify({ values: { root_module: { resources: [data] } } })
  assert.deepEqual(coverPlan(state, all), { resources: [], others: 0 })
})

test('files that are no plan are refused with the reason', () => {
  for (const [text, reason] of [
    ['no JSON', /not JSON/],
    ['[]', /not a JSON object/],
    ['{"resources":[]}', /terraform show -json/],
    [`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, /levels/],
  ] as const)
    assert.throws(() => coverPlan(text, all), { name: 'PlanError', message: reason })
  const odd = {
    planned_values: { root_module: { resources: [null, 1, { address: 1 }], child_modules: 'a' } },
  }
  assert.deepEqual(coverPlan(JSON.stringify(odd), all).resources, [])
  assert.equal(statusOf('cloudflare_ruleset.a', { rules: 'a', phase: { a: 1 } })[0], 'not_enforced')
})
