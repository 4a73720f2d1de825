import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { selfSignedCertificate } from '../../src/edge/tls/self-signed.ts'
import { eventually } from '../support/eventually.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { openConfiguration } from '../support/opentofu.ts'
import { api, discard, type Instance, runSluice, startSluice } from '../support/sluice.ts'
import { withoutTofu } from '../support/tofu-programs.ts'

/** `sluice export terraform` writes an account with an object of each resource, and OpenTofu imports it. */
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
/** Text that templates, quotes and heredocs of HCL would read as something else. */
const awkward = 'say "${var.a}" and $${b}, 100%{if} \\b \\n\n<<EOT\nEOT\n\tZoë'

const probeKeys = ['very-secret ${one}', 'very-secret two']

let sluice: Instance
let account: string
let folder: string
let pages: Server
let secretDestination: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-export-'))
  pages = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<p>::CLOUDFLARE_ERROR_500S_BOX::'),
  )
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  const at = `127.0.0.1:${(pages.address() as AddressInfo).port}`
  secretDestination = `http://${at}/?header_Authorization=Bearer%20very-secret`
  const settings = { SLUICE_CRS: await miniCrs(), SLUICE_ROLES: 'control', SLUICE_NOT_ENFORCED: 'keep' }
  sluice = await startSluice({ settings })
  account = (await post('GET', '/accounts'))[0].id
  await fillAccount(`http://${at}/page.html`)
  await fillZone('a.shop.test', `http://${at}/page.html`)
  await fillZone('a-shop.test', `http://${at}/page.html`)
})

after(async () => {
  pages.close()
  await discard(sluice)
  await rm(folder, { recursive: true })
})

/** @returns the result of a call that has to succeed */
async function post(method: string, path: string, body?: unknown) {
  const answer = await api(sluice, method, path, body)
  assert.ok(answer.success, `${method} ${path}: ${JSON.stringify(answer.errors)}`)
  return answer.result
}

async function fillAccount(page: string): Promise<void> {
  const base = `/accounts/${account}`
  const list = await post('POST', `${base}/rules/lists`, { kind: 'ip', name: 'office', description: awkward })
  const items = [{ ip: '192.0.2.1', comment: awkward }, { ip: '2001:db8::/48' }]
  await post('POST', `${base}/rules/lists/${list.id}/items`, items)
  await eventually(async () => (await post('GET', `${base}/rules/lists/${list.id}`)).num_items === 2)
  await post('POST', `${base}/rules/lists`, { kind: 'asn', name: 'empty' })
  const moved = await post('POST', `${base}/rules/lists`, { kind: 'redirect', name: 'moved' })
  const redirect = { source_url: 'shop.test/old', target_url: 'https://shop.test/${new}', status_code: 302 }
  await post('POST', `${base}/rules/lists/${moved.id}/items`, [{ redirect }])
  await eventually(async () => (await post('GET', `${base}/rules/lists/${moved.id}`)).num_items === 1)
  const rules = [{ action: 'block', expression: 'ip.src in $office', description: awkward, ref: 'office' }]
  const phase = 'http_request_firewall_custom'
  const custom = await post('POST', `${base}/rulesets`, { kind: 'custom', name: 'team', phase, rules })
  await post('PUT', `${base}/rulesets/phases/${phase}/entrypoint`, {
    rules: [{ action: 'execute', expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: custom.id } }],
  })
  await post('POST', `${base}/firewall/access_rules/rules`, {
    mode: 'whitelist',
    configuration: { target: 'country', value: 'DE' },
    notes: awkward,
  })
  await post('PUT', `${base}/custom_pages/waf_block`, { state: 'customized', url: page })
  const monitor = await post('POST', `${base}/load_balancers/monitors`, {
    type: 'http',
    description: 'home page',
    header: { Host: ['${shop}.test'], 'X-Probe-Key': probeKeys },
    port: 8080,
  })
  await post('POST', `${base}/load_balancers/pools`, {
    name: 'main',
    monitor: monitor.id,
    origins: [{ name: 'a', address: '192.0.2.10', port: 8080, weight: 0.5, header: { Host: ['shop.test'] } }],
  })
  const webhook = { name: 'chat', url: secretDestination }
  const { id: chat } = await post('POST', `${base}/alerting/v3/destinations/webhooks`, webhook)
  await post('POST', `${base}/alerting/v3/policies`, {
    name: 'failing jobs',
    enabled: true,
    alert_type: 'failing_logpush_job_disabled_alert',
    mechanisms: { webhooks: [{ id: chat }] },
  })
  const [group] = await post('GET', '/user/tokens/permission_groups?name=Zone%20Read')
  const policies = [
    {
      effect: 'allow',
      permission_groups: [{ id: group.id }],
      resources: { [`com.cloudflare.api.account.${account}`]: { 'com.cloudflare.api.account.zone.*': '*' } },
    },
  ]
  const token = { policies, condition: { request_ip: { in: ['192.0.2.0/24'] } } }
  await post('POST', '/user/tokens', { name: 'reader', ...token, expires_on: '2099-01-01T00:00:00Z' })
  await post('POST', `${base}/tokens`, { name: 'machine', policies })
}

/** The names of two zones give the same word. */
async function fillZone(name: string, page: string): Promise<void> {
  const zone = await post('POST', '/zones', {
    name,
    account: { id: account },
    origin: { url: 'http://127.0.0.1:9' },
  })
  const base = `/zones/${zone.id}`
  await post('PATCH', `${base}/settings/min_tls_version`, { value: '1.2' })
  await post('PATCH', `${base}/settings/max_upload`, { value: 200 })
  await post('PATCH', `${base}/settings/ciphers`, { value: ['ECDHE-RSA-AES128-GCM-SHA256'] })
  const hsts = { enabled: true, max_age: 86400, include_subdomains: true, preload: false, nosniff: true }
  await post('PATCH', `${base}/settings/security_header`, { value: { strict_transport_security: hsts } })
  await post('PUT', `${base}/url_normalization`, { type: 'rfc3986', scope: 'both' })
  const managed = [{ id: 'add_true_client_ip_headers', enabled: true }]
  await post('PATCH', `${base}/managed_headers`, {
    managed_request_headers: managed,
    managed_response_headers: [],
  })
  const records = [
    { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300, proxied: false, comment: awkward.slice(0, 40) },
    { type: 'A', name: 'www', content: '192.0.2.2', ttl: 300, proxied: false },
    { type: 'MX', name: '@', content: 'mail.test', ttl: 300, priority: 10 },
    { type: 'TXT', name: 'text', content: '"a ${b} %{c}"', ttl: 300, tags: ['team:web'] },
    { type: 'CAA', name: '@', ttl: 300, data: { flags: 0, tag: 'issue', value: 'ca.test' } },
  ]
  for (const record of records) await post('POST', `${base}/dns_records`, record)
  const phase = (phase: string, ...rules: object[]) =>
    post('PUT', `${base}/rulesets/phases/${phase}/entrypoint`, { rules })
  await phase('http_request_firewall_custom', {
    action: 'block',
    expression: 'http.request.uri.path eq "/${x}"\nor http.host eq "%{y}"',
    description: `${awkward}\ud800`,
    action_parameters: { response: { status_code: 403, content: awkward, content_type: 'text/plain' } },
  })
  const targets = [{ tag: 'attack-sqli', collection: 'ARGS', key: 'comment' }]
  const exception = { action: 'skip', expression: 'true', action_parameters: { targets } }
  await phase('http_request_firewall_managed', exception, {
    action: 'execute',
    expression: 'true',
    action_parameters: {
      id: owasp,
      version: '1',
      overrides: {
        action: 'log',
        categories: [{ category: 'paranoia-level-4', enabled: false }],
        rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 25, action: 'block' }],
      },
    },
  })
  await phase('http_ratelimit', {
    action: 'block',
    expression: 'true',
    ratelimit: {
      characteristics: ['ip.src', 'cf.colo.id'],
      period: 60,
      requests_per_period: 100,
      mitigation_timeout: 60,
    },
  })
  await phase('http_request_late_transform', {
    action: 'rewrite',
    expression: 'true',
    action_parameters: {
      headers: { 'X-Team-1': { operation: 'set', value: '${blue}' }, for: { operation: 'remove' } },
    },
  })
  await phase('http_log_custom_fields', {
    action: 'log_custom_field',
    expression: 'true',
    action_parameters: { request_fields: [{ name: 'x-team' }], response_fields: [{ name: 'x-cache' }] },
  })
  await post('POST', `${base}/logpush/jobs`, {
    name: 'files',
    dataset: 'http_requests',
    destination_conf: `file://${sluice.data}/logs/{DATE}`,
    filter: '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":400}}',
    output_options: {
      field_names: ['RayID', 'ClientIP'],
      record_template: '{{.RayID}}',
      timestamp_format: 'rfc3339',
    },
  })
  await post('POST', `${base}/logpush/jobs`, {
    dataset: 'firewall_events',
    destination_conf: secretDestination,
  })
  for (const configuration of [
    { target: 'ip_range', value: '2001:db8::/48' },
    { target: 'ip6', value: '2001:db8::99' },
    { target: 'ip', value: '2001:DB8::98' },
  ])
    await post('POST', `${base}/firewall/access_rules/rules`, { mode: 'block', configuration })
  await post('POST', `${base}/firewall/lockdowns`, {
    urls: [`${name}/\${admin}*`],
    configurations: [{ target: 'ip', value: '192.0.2.1' }],
  })
  const agent = { target: 'ua', value: awkward }
  await post('POST', `${base}/firewall/ua_rules`, { mode: 'challenge', configuration: agent, paused: true })
  await post('PUT', `${base}/custom_pages/500_errors`, { state: 'customized', url: page })
  const [pool] = await post('GET', `/accounts/${account}/load_balancers/pools`)
  await post('POST', `${base}/load_balancers`, {
    name: `lb.${name}`,
    default_pools: [pool.id],
    fallback_pool: pool.id,
    steering_policy: 'random',
    random_steering: { default_weight: 0.5, pool_weights: { [pool.id]: 1 } },
  })
  await fillKept(base, name, page)
  const { certificate, key: private_key } = await selfSignedCertificate([name], new Date())
  await post('POST', `${base}/custom_certificates`, { certificate, private_key, bundle_method: 'force' })
}

/** Resources that are stored and not enforced, and resources that become comments. */
async function fillKept(base: string, name: string, page: string): Promise<void> {
  await post('POST', `${base}/pagerules`, {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: `${name}/\${old}/*` } }],
    actions: [{ id: 'forwarding_url', value: { url: `https://${name}/$1`, status_code: 301 } }],
  })
  await post('POST', `${base}/pagerules`, {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: `${name}/*` } }],
    actions: [
      { id: 'always_online', value: 'on' },
      { id: 'disable_security' },
      { id: 'edge_cache_ttl', value: 7200 },
      { id: 'ssl', value: 'full' },
    ],
    priority: 2,
    status: 'active',
  })
  await post('POST', `${base}/healthchecks`, { name: 'shop', address: '192.0.2.1' })
  await post('PUT', `${base}/bot_management`, { fight_mode: true, cf_robots_variant: 'policy_only' })
  await post('PATCH', `${base}/ssl/universal/settings`, { enabled: true })
  await post('PATCH', `${base}/argo/smart_routing`, { value: 'on' })
  await post('POST', `${base}/logs/control/retention/flag`, { flag: true })
  await post('POST', `${base}/leaked-credential-checks`, { enabled: true })
  const location = { username: 'lookup_json_string(http.request.body.raw, "user")' }
  await post('POST', `${base}/leaked-credential-checks/detections`, location)
  await post('POST', `${base}/custom_pages/assets`, { name: 'sorry', description: '', url: page })
}

/** Runs the command as a user of another machine does. */
function run(...words: string[]) {
  return runSluice(['export', 'terraform', ...words], {
    CLOUDFLARE_BASE_URL: sluice.apiUrl,
    CLOUDFLARE_API_TOKEN: sluice.token,
  })
}

async function textsIn(directory: string): Promise<string> {
  const names = (await readdir(directory)).filter(name => name.endsWith('.tf')).toSorted()
  const texts = names.map(async name => `${name}\n${await readFile(join(directory, name), 'utf8')}`)
  return (await Promise.all(texts)).join('\n')
}

test('an export is whole, the same each time, and holds no secret', async () => {
  const output = join(folder, 'one')
  const { code, stdout, stderr } = await run('--output', output)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^\d+ resources in terraform\.tf, account\.tf, zone_a_shop_test_/)
  const text = await textsIn(output)
  assert.ok(!text.includes('very-secret') && !text.includes('PRIVATE KEY'), text)
  assert.match(text, /# Not exported.*custom certificate \w{32} for a\.shop\.test/)
  assert.match(text, /# Not exported: custom page asset sorry, from http:/)
  assert.match(text, /# Not exported: custom detection location \w{32} of leaked credentials, \{"username"/)
  assert.match(text, /provider: actions\.always_online\nresource "cloudflare_page_rule"/)
  assert.match(text, /provider: cf_robots_variant = "policy_only"\nresource "cloudflare_bot_management"/)
  assert.match(text, /# Not exported: health check shop of 192\.0\.2\.1\n/)
  assert.match(text, /# Not exported: Argo Smart Routing is on\n/)
  assert.match(text, /webhooks = \[\n\s+\{\n\s+id = cloudflare_notification_policy_webhooks\.\w+\.id\n/)
  assert.match(
    text,
    /# Not part of the provider: origin = "http:\/\/127\.0\.0\.1:9"\nresource "cloudflare_zone"/,
  )
  assert.match(
    text,
    /provider: rules\[0\]\.action_parameters\.targets\n# Not part of the provider: rules\[1\]\.action_parameters\.version\n/,
  )
  for (const name of await readdir(output)) assert.equal((await stat(join(output, name))).mode & 0o777, 0o600)
  assert.equal((await run('--output', join(folder, 'two'))).code, 0)
  assert.equal(await textsIn(join(folder, 'two')), text)
})

test('a folder with files stays as it is', async () => {
  const text = await textsIn(join(folder, 'one'))
  const { code, stderr } = await run('--output', join(folder, 'one'))
  assert.equal(code, 1)
  assert.match(stderr, /is not empty: name a new folder with --output/)
  assert.equal(await textsIn(join(folder, 'one')), text)
})

test('what the token cannot read is named', async () => {
  const [group] = await post('GET', '/user/tokens/permission_groups?name=Zone%20Read')
  const resources = { 'com.cloudflare.api.account.zone.*': '*' }
  const policies = [{ effect: 'allow', permission_groups: [{ id: group.id }], resources }]
  const { id, value } = await post('POST', '/user/tokens', { name: 'narrow', policies })
  const { code, stderr } = await runSluice(['export', 'terraform', '--output', join(folder, 'none')], {
    CLOUDFLARE_BASE_URL: sluice.apiUrl,
    CLOUDFLARE_API_TOKEN: value,
  })
  await post('DELETE', `/user/tokens/${id}`)
  assert.equal(code, 1)
  assert.match(stderr, /answers 403|reaches 0 accounts/)
  assert.deepEqual(await readdir(join(folder, 'none')).catch(error => error.code), 'ENOENT')
})

test('OpenTofu plans imports and no change, and then nothing', { skip: withoutTofu }, async () => {
  const copy = join(folder, 'applied')
  await cp(join(folder, 'one'), copy, { recursive: true })
  const secrets = (await readFile(join(copy, 'variables.tf'), 'utf8')).matchAll(/variable "(\w+)"/g)
  const variables = Object.fromEntries(
    [...secrets].map(([, name]) => [
      name!,
      probeKeys[Number(/_header_x_probe_key_(\d)$/.exec(name!)?.[1])] ?? secretDestination,
    ]),
  )
  const configuration = await openConfiguration(sluice, variables, copy)
  try {
    const planned = await configuration.plan()
    const imports = (await readFile(join(copy, 'imports.tf'), 'utf8')).match(/^import /gm)!.length
    assert.match(
      planned,
      new RegExp(`Plan: ${imports} to import, 0 to add, 0 to change, 0 to destroy`),
      planned,
    )
    await configuration.apply()
    await rm(join(copy, 'imports.tf'))
    assert.equal(await configuration.plan(), '')
  } finally {
    await configuration.close()
  }
})
