import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { selfSignedCertificate } from '../../src/edge/tls/self-signed.ts'
import { openConfiguration } from '../support/opentofu.ts'
import { api, discard, type Instance, runSluice, startSluice, testCrs } from '../support/sluice.ts'
import { withoutTofu } from '../support/tofu-programs.ts'

/**
 * Cloudflare's provider with OpenTofu configures certificates, DNS records, custom pages, load balancers and settings of a zone. After
 * each apply, the next plan is empty.
 */
const skip = existsSync(testCrs) ? withoutTofu : 'needs an OWASP CRS release, and none was found'

let sluice: Instance
let zone: string
let account: string
let pages: Server

before(async () => {
  if (skip) return
  pages = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>no'))
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  sluice = await startSluice({ settings: { SLUICE_CRS: testCrs } })
  account = (await api(sluice, 'GET', '/accounts')).result[0].id
  const made = await api(sluice, 'POST', '/zones', {
    name: 'shop.test',
    account: { id: account },
    origin: { url: 'http://127.0.0.1:1' },
  })
  zone = made.result.id
})

after(async () => {
  if (skip) return
  pages.close()
  await discard(sluice)
})

type Members = Readonly<Record<string, unknown>>

/** A resource of this zone. JSON is HCL for these values. */
function resource(type: string, name: string, members: Members): string {
  const lines = Object.entries({ zone_id: zone, ...members }).map(
    ([member, value]) => `  ${member} = ${JSON.stringify(value).replace(/\$\{/g, '$$${')}`,
  )
  return `resource "cloudflare_${type}" "${name}" {\n${lines.join('\n')}\n}\n`
}

const settings = (values: Members): string =>
  Object.entries(values)
    .map(([setting_id, value]) => resource('zone_setting', setting_id, { setting_id, value }))
    .join('')

const records = (all: Readonly<Record<string, Members>>): string =>
  Object.entries(all)
    .map(([name, members]) => resource('dns_record', name, { ttl: 300, ...members }))
    .join('')

/** A load balancer over two pools with a monitor. */
const balanced = (monitor: string, pool: string, balancer: string): string => `
resource "cloudflare_load_balancer_monitor" "page" {
  account_id = "${account}"
  ${monitor}
}
resource "cloudflare_load_balancer_pool" "main" {
  account_id = "${account}"
  name = "main"
  ${pool}
}
resource "cloudflare_load_balancer_pool" "spare" {
  account_id = "${account}"
  name = "spare"
  origins = [{ name = "c", address = "2001:db8::1" }]
}
resource "cloudflare_load_balancer" "www" {
  zone_id = "${zone}"
  name = "balanced.shop.test"
  default_pools = [cloudflare_load_balancer_pool.main.id, cloudflare_load_balancer_pool.spare.id]
  fallback_pool = cloudflare_load_balancer_pool.spare.id
  ${balancer}
}
`

test('certificates, DNS records, load balancers and settings are applied, changed and removed', {
  skip,
}, async () => {
  const certificates = await Promise.all(
    [0, 1].map(() => selfSignedCertificate(['shop.test', '*.shop.test'], new Date())),
  )
  const certificate = (at: number, bundle_method: string) =>
    resource('custom_ssl', 'site', {
      certificate: certificates[at]!.certificate,
      private_key: certificates[at]!.key,
      bundle_method,
      type: 'sni_custom',
    })
  const page = (state: string, url: string) =>
    resource('custom_pages', 'block', { identifier: 'waf_block', state, url })
  const steps: readonly string[] = [
    certificate(0, 'force') +
      page('customized', `http://127.0.0.1:${(pages.address() as AddressInfo).port}/blocked.html`) +
      records({
        www: { name: 'www.shop.test', type: 'A', content: '192.0.2.10', proxied: true, ttl: 1 },
        six: { name: 'six', type: 'AAAA', content: '2001:db8::10', comment: 'a comment', tags: ['a:b'] },
        alias: { name: 'alias.shop.test', type: 'CNAME', content: 'Target.example', proxied: false },
        mail: { name: 'shop.test', type: 'MX', content: 'mx.shop.test', priority: 10 },
        text: { name: 'shop.test', type: 'TXT', content: '"v=spf1 -all"' },
        authority: {
          name: 'shop.test',
          type: 'CAA',
          data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' },
        },
        service: {
          name: '_sip._tcp.shop.test',
          type: 'SRV',
          // The provider's own configurations repeat it as well.
          priority: 5,
          data: { priority: 5, weight: 0, port: 5060, target: 'sip.shop.test' },
        },
      }) +
      settings({
        ssl: 'full',
        min_tls_version: '1.2',
        tls_1_3: 'on',
        http2: 'on',
        always_use_https: 'on',
        proxy_read_timeout: '300',
        max_upload: 200,
        ip_geolocation: 'off',
        origin_max_http_version: '1',
      }) +
      balanced(
        `type = "https"
  description = "the login page"
  path = "/health"
  port = 8443
  interval = 60
  consecutive_up = 2
  expected_codes = "2xx"
  expected_body = "alive"
  header = { Host = ["shop.test"], "X-App" = ["a", "b"] }`,
        `monitor = cloudflare_load_balancer_monitor.page.id
  minimum_origins = 2
  origins = [
    { name = "a", address = "192.0.2.1", port = 8080, weight = 0.25, header = { host = ["shop.test"] } },
    { name = "b", address = "lb.example", enabled = false },
  ]
  origin_steering = { policy = "least_connections" }
  check_regions = ["WEU"]
  latitude = 12.3
  longitude = 55`,
        `proxied = true
  steering_policy = "random"
  random_steering = { default_weight = 0.5, pool_weights = { (cloudflare_load_balancer_pool.main.id) = 0.9 } }
  adaptive_routing = { failover_across_pools = true }
  session_affinity = "header"
  session_affinity_ttl = 1800
  session_affinity_attributes = { headers = ["x-user", "cookie:sid"], require_all_headers = true }
  rules = [
    {
      name = "api"
      condition = "starts_with(http.request.uri.path, \\"/api/\\")"
      overrides = { default_pools = [cloudflare_load_balancer_pool.spare.id], session_affinity = "cookie" }
      terminates = true
    },
    { name = "gone", fixed_response = { status_code = 410, message_body = "gone", content_type = "text/plain" } },
  ]`,
      ),
    certificate(1, 'ubiquitous') +
      page('default', '') +
      records({
        www: { name: 'www.shop.test', type: 'A', content: '192.0.2.11', proxied: true, ttl: 1 },
        six: { name: 'six', type: 'AAAA', content: '2001:db8::11' },
        alias: { name: 'other.shop.test', type: 'CNAME', content: 'target.example', proxied: false },
      }) +
      settings({
        ssl: 'strict',
        min_tls_version: '1.3',
        http2: 'off',
        proxy_read_timeout: '100',
        max_upload: 100,
      }) +
      balanced(
        'type = "http"',
        'origins = [{ name = "a", address = "192.0.2.2" }]',
        `proxied = true
  session_affinity = "cookie"
  session_affinity_attributes = { samesite = "Strict", zero_downtime_failover = "sticky", drain_duration = 30 }`,
      ),
  ]
  const configuration = await openConfiguration(sluice)
  for (const [at, text] of steps.entries()) {
    await configuration.apply(text)
    assert.equal(await configuration.plan(), '', `step ${at + 1}`)
  }
  const list = async (path: string) => (await api(sluice, 'GET', `/zones/${zone}/${path}`)).result
  assert.equal((await list('dns_records')).length, 3)
  assert.equal((await list('custom_certificates'))[0].bundle_method, 'ubiquitous')
  assert.equal((await list('custom_pages/waf_block')).state, 'default')
  assert.equal((await list('settings/min_tls_version')).value, '1.3')
  await configuration.destroy()
  for (const path of ['dns_records', 'custom_certificates', 'load_balancers'])
    assert.deepEqual(await list(path), [], path)
  assert.deepEqual((await api(sluice, 'GET', `/accounts/${account}/load_balancers/pools`)).result, [])
})

test('a zone with the records that serve it, a list without a description and a token of any group are applied', {
  skip,
}, async () => {
  const configuration = await openConfiguration(sluice, { account_id: account })
  await configuration.apply(`
variable "account_id" {}
data "cloudflare_api_token_permission_groups_list" "group" {
  name  = "Disable ESC Read"
  scope = "com.cloudflare.api.account.zone"
}
resource "cloudflare_zone" "new" {
  account = { id = var.account_id }
  name    = "new.test"
}
resource "cloudflare_dns_record" "www" {
  zone_id = cloudflare_zone.new.id
  name    = "www.new.test"
  type    = "A"
  content = "192.0.2.10"
  proxied = true
  ttl     = 1
}
resource "cloudflare_list" "partners" {
  account_id = var.account_id
  name       = "partners"
  kind       = "ip"
}
resource "cloudflare_api_token" "reader" {
  name     = "reader"
  policies = [{
    effect            = "allow"
    permission_groups = [{ id = data.cloudflare_api_token_permission_groups_list.group.result[0].id }]
    resources         = jsonencode({ "com.cloudflare.api.account.zone.*" = "*" })
  }]
}
`)
  assert.equal(await configuration.plan(), '')
  await configuration.destroy()
  assert.deepEqual((await api(sluice, 'GET', '/zones?name=new.test')).result, [])
})

test('the command coverage tells of a plan which resources act, act in part, and do not act', {
  skip,
}, async () => {
  const configuration = await openConfiguration(sluice)
  const ruleset = (name: string, phase: string, rules: readonly Members[]) =>
    resource('ruleset', name, { name, kind: 'zone', phase, rules })
  const execute = (id: string) => ({ action: 'execute', expression: 'true', action_parameters: { id } })
  const plan = await configuration.planned(
    ruleset('waf', 'http_request_firewall_managed', [
      execute('4814384a9e5d4991b9815dcfc25d2f1f'),
      execute('efb7b8c949ac4650a09736fc376e9aee'),
    ]) +
      ruleset('rate', 'http_ratelimit', [
        {
          action: 'block',
          expression: 'true',
          ratelimit: { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 9 },
        },
      ]) +
      ruleset('cache', 'http_request_cache_settings', [
        { action: 'set_cache_settings', expression: 'true', action_parameters: { cache: true } },
      ]) +
      resource('page_rule', 'old', { target: 'shop.test/*', actions: { ssl: 'full' } }),
  )
  await configuration.destroy()
  const file = join(sluice.data, 'plan.json')
  await writeFile(file, plan)
  const { code, stdout } = await runSluice(['coverage', file, '--json'])
  const items: { name: string; status: string }[] = JSON.parse(stdout).items
  assert.deepEqual(Object.fromEntries(items.map(({ name, status }) => [name, status])), {
    'cloudflare_ruleset.waf': 'partly',
    'cloudflare_ruleset.rate': 'enforced',
    'cloudflare_ruleset.cache': 'not_enforced',
    'cloudflare_page_rule.old': 'not_enforced',
  })
  assert.equal(code, 3)
})
