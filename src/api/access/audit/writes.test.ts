import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { keptCollections, keptSingletons } from '../../../coverage/index.ts'
import { newId } from '../../../kit/ids.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import { madeCertificate } from '../../../kit/testing/certificates.ts'
import type { AuditEntry } from '../../../model/resource.ts'
import { type Method, openTestApi, owaspId, type TestApi } from '../../testing/test-api.ts'
import { userWrites } from '../testing/user-writes.ts'

/** Routes with a writing method that change nothing, with their bodies. */
const asking = (): Readonly<Record<string, object>> => ({
  'POST /accounts/:account_id/origin_check': { origin: { url: 'http://127.0.0.1:9' } },
  'POST /accounts/:account_id/request-tracer/trace': { url: 'http://shop.example/', method: 'GET' },
  'POST /zones/:zone_id/security/exceptions/preview': {
    expression: 'true',
    action_parameters: { ruleset: 'current' },
  },
  'POST /accounts/:account_id/logs/sql': { sql: 'select 1' },
  'POST /accounts/:account_id/logs/sql/export': { sql: 'select 1' },
  ...checks('account'),
  ...checks('zone'),
  [`POST ${policyPath}/:policy_id/test`]: {},
  [`POST ${webhookPath}/:webhook_id/test`]: {},
})

/** Some write a probe or a challenge to a destination; Sluice keeps nothing of it. */
function checks(owner: 'account' | 'zone'): Readonly<Record<string, object>> {
  const base = `POST /${owner}s/:${owner}_id/logpush`
  const destination = { destination_conf: `file://${api.directory}/asked` }
  return {
    [`${base}/ownership`]: destination,
    [`${base}/ownership/validate`]: { ...destination, ownership_challenge: 'x' },
    [`${base}/validate/destination`]: destination,
    [`${base}/validate/destination/exists`]: destination,
    [`${base}/validate/origin`]: { logpull_options: null },
  }
}

interface Write {
  /** Creates the resource of the write. @returns values for the path, beside the account's and the zone's */
  readonly given?: () => Promise<Readonly<Record<string, string | number>>>
  readonly body?: (() => unknown) | object
  /** `create zone`: action and kind of the resource. */
  readonly told: string
}

let api: TestApi
let releases = 0
/** May do nothing but read the trail. */
const reader = 'Kx3vB8nQ5tL1wZ6cH9jF2mS7pD4gR0aYuEo'

/** Serves a page to the API. */
const pages = createServer((_request, response) =>
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
)
let pageUrl = ''

before(async () => {
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  pageUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`
  api = await openTestApi({
    notEnforced: 'keep',
    traceRequest: async () => ({ ok: false, reason: 'busy' }),
    crs: {
      obtain: async audit => ({ release: await api.store.crs.keep(aRelease(), audit), isNew: true }),
      use: async (version, audit) => {
        await api.store.crs.activate(version, audit)
        return (await api.store.crs.byVersion(version))!
      },
    },
  })
  const time = '2026-01-02T03:04:05.000006Z'
  const { userId } = (await api.store.tokens.list())[0]!
  await api.store.tokens.insert({
    id: newId(),
    name: 'reader',
    hash: hashSecret(reader),
    userId,
    status: 'active',
    policies: [
      {
        id: newId(),
        effect: 'allow',
        permissionGroups: [{ id: 'c1fde68c7bcc44588cbb6ddbc16d6480' }],
        resources: { 'com.cloudflare.api.account.*': '*' },
      },
    ],
    createdOn: time,
    modifiedOn: time,
  })
})
after(async () => {
  await new Promise(resolve => pages.close(resolve))
  await api.close()
})

const aRelease = () => ({
  crsVersion: `4.${++releases}.0`,
  digest: `audited ${releases}`,
  origin: 'test',
  files: [],
  managedRulesets: () => [],
})

const made = async (path: string, body: unknown) => {
  const answer = await api.send('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result
}

let names = 0
const shop = await madeCertificate(['shop.example'])
const aName = () => `n${++names}`

function rulesetWrites(owner: 'account' | 'zone'): Readonly<Record<string, Write>> {
  const base = `/${owner}s/:${owner}_id/rulesets`
  const phase = 'http_request_firewall_managed'
  const expression = '(http.host eq "shop.example") and cf.zone.plan eq "ENT"'
  const rule = { action: 'execute', expression, action_parameters: { id: owaspId } }
  const entryPoint = { name: 'root', kind: owner === 'account' ? 'root' : 'zone', phase, rules: [rule] }
  const aRuleset = async () => {
    const path = filled(`${base}/phases/${phase}/entrypoint`, {})
    const answer = await api.send('PUT', path, { rules: [rule] })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const { id, version, rules } = answer.body.result
    return { ruleset_id: id, rule_id: rules[0].id, version: version - 1, phase }
  }
  const kept = async () => {
    await aRuleset()
    return aRuleset()
  }
  const none = async () => {
    const { ruleset_id: id } = await aRuleset()
    assert.equal((await api.send('DELETE', filled(`${base}/${id}`, {}))).status, 204)
    return { phase }
  }
  return {
    [`POST ${base}`]: { given: none, body: entryPoint, told: 'create ruleset' },
    [`PUT ${base}/:ruleset_id`]: { given: aRuleset, body: { rules: [] }, told: 'update ruleset' },
    [`DELETE ${base}/:ruleset_id`]: { given: aRuleset, told: 'delete ruleset' },
    [`POST ${base}/:ruleset_id/rules`]: { given: aRuleset, body: rule, told: 'update ruleset' },
    [`PATCH ${base}/:ruleset_id/rules/:rule_id`]: { given: aRuleset, body: rule, told: 'update ruleset' },
    [`DELETE ${base}/:ruleset_id/rules/:rule_id`]: { given: aRuleset, told: 'update ruleset' },
    [`DELETE ${base}/:ruleset_id/versions/:version`]: { given: kept, told: 'delete ruleset' },
    [`PUT ${base}/phases/:phase/entrypoint`]: { given: none, body: { rules: [] }, told: 'create ruleset' },
  }
}

function loadBalancingWrites(): Readonly<Record<string, Write>> {
  const account = '/accounts/:account_id/load_balancers'
  const monitor = { type: 'http' }
  const pool = () => ({ name: aName(), origins: [{ address: '192.0.2.1' }] })
  const idOf = async (path: string, body: unknown) => (await made(filled(path, {}), body)).id as string
  const aMonitor = async () => ({ monitor_id: await idOf(`${account}/monitors`, monitor) })
  const aPool = async () => ({ pool_id: await idOf(`${account}/pools`, pool()) })
  const balancer = (id: string) => ({
    name: `${aName()}.shop.example`,
    default_pools: [id],
    fallback_pool: id,
  })
  const base = '/zones/:zone_id/load_balancers'
  let poolId = ''
  const withPool = async () => {
    poolId = (await aPool()).pool_id
    return {}
  }
  const given = async () => {
    await withPool()
    return { load_balancer_id: await idOf(base, balancer(poolId)) }
  }
  const changes = { description: 'new' }
  return {
    [`POST ${account}/monitors`]: { body: monitor, told: 'create monitor' },
    [`PUT ${account}/monitors/:monitor_id`]: { given: aMonitor, body: monitor, told: 'update monitor' },
    [`PATCH ${account}/monitors/:monitor_id`]: { given: aMonitor, body: changes, told: 'update monitor' },
    [`DELETE ${account}/monitors/:monitor_id`]: { given: aMonitor, told: 'delete monitor' },
    [`POST ${account}/pools`]: { body: pool, told: 'create pool' },
    [`PUT ${account}/pools/:pool_id`]: { given: aPool, body: pool, told: 'update pool' },
    [`PATCH ${account}/pools/:pool_id`]: { given: aPool, body: changes, told: 'update pool' },
    [`DELETE ${account}/pools/:pool_id`]: { given: aPool, told: 'delete pool' },
    [`POST ${base}`]: { given: withPool, body: () => balancer(poolId), told: 'create load_balancer' },
    [`PUT ${base}/:load_balancer_id`]: {
      given,
      body: () => balancer(poolId),
      told: 'update load_balancer',
    },
    [`PATCH ${base}/:load_balancer_id`]: { given, body: changes, told: 'update load_balancer' },
    [`DELETE ${base}/:load_balancer_id`]: { given, told: 'delete load_balancer' },
  }
}

function firewallWrites(owner: 'account' | 'zone'): Readonly<Record<string, Write>> {
  const base = `/${owner}s/:${owner}_id/firewall/access_rules/rules`
  const accessRule = () => ({
    mode: 'block',
    configuration: { target: 'asn', value: String(64_496 + ++names) },
  })
  const given = async () => ({ access_rule_id: (await made(filled(base, {}), accessRule())).id as string })
  return {
    [`POST ${base}`]: { body: accessRule, told: 'create access_rule' },
    [`PATCH ${base}/:access_rule_id`]: { given, body: { notes: 'new' }, told: 'update access_rule' },
    [`DELETE ${base}/:access_rule_id`]: { given, told: 'delete access_rule' },
  }
}

function zoneRuleWrites(): Readonly<Record<string, Write>> {
  const agents = '/zones/:zone_id/firewall/ua_rules'
  const locks = '/zones/:zone_id/firewall/lockdowns'
  const agent = () => ({ mode: 'block', configuration: { target: 'ua', value: aName() } })
  const lock = { urls: ['shop.example/*'], configurations: [{ target: 'ip', value: '192.0.2.1' }] }
  const anAgent = async () => ({ ua_rule_id: (await made(filled(agents, {}), agent())).id as string })
  const aLock = async () => ({ lockdown_id: (await made(filled(locks, {}), lock)).id as string })
  return {
    [`POST ${agents}`]: { body: agent, told: 'create ua_rule' },
    [`PUT ${agents}/:ua_rule_id`]: { given: anAgent, body: agent, told: 'update ua_rule' },
    [`DELETE ${agents}/:ua_rule_id`]: { given: anAgent, told: 'delete ua_rule' },
    [`POST ${locks}`]: { body: lock, told: 'create lockdown' },
    [`PUT ${locks}/:lockdown_id`]: { given: aLock, body: lock, told: 'update lockdown' },
    [`DELETE ${locks}/:lockdown_id`]: { given: aLock, told: 'delete lockdown' },
  }
}

function listWrites(): Readonly<Record<string, Write>> {
  const base = '/accounts/:account_id/rules/lists'
  const aList = async () => ({
    list_id: (await made(filled(base, {}), { name: aName(), kind: 'ip' })).id as string,
  })
  const items = [{ ip: '192.0.2.1' }]
  return {
    [`POST ${base}`]: { body: () => ({ name: aName(), kind: 'ip' }), told: 'create list' },
    [`PUT ${base}/:list_id`]: { given: aList, body: { description: 'new' }, told: 'update list' },
    [`DELETE ${base}/:list_id`]: { given: aList, told: 'delete list' },
    [`POST ${base}/:list_id/items`]: { given: aList, body: items, told: 'create list_item' },
    [`PUT ${base}/:list_id/items`]: { given: aList, body: items, told: 'update list_item' },
    [`DELETE ${base}/:list_id/items`]: {
      given: aList,
      body: { items: [{ id: newId() }] },
      told: 'delete list_item',
    },
  }
}

function logpushWrites(owner: 'account' | 'zone'): Readonly<Record<string, Write>> {
  const base = `/${owner}s/:${owner}_id/logpush/jobs`
  const job = () => ({
    dataset: 'http_requests',
    destination_conf: `file://${api.directory}/logs`,
    enabled: true,
  })
  const aJob = async () => ({ job_id: (await made(filled(base, {}), job())).id as number })
  const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-01T01:00:00Z' }
  return {
    [`POST ${base}`]: { body: job, told: 'create logpush_job' },
    [`PUT ${base}/:job_id`]: { given: aJob, body: { enabled: false }, told: 'update logpush_job' },
    [`DELETE ${base}/:job_id`]: { given: aJob, told: 'delete logpush_job' },
    [`POST ${base}/:job_id/replay`]: { given: aJob, body: range, told: 'create logpush_replay' },
  }
}

function tokenWrites(base: string): Readonly<Record<string, Write>> {
  const token = () => ({
    name: aName(),
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
        resources: { [`com.cloudflare.api.account.zone.${api.zoneId}`]: '*' },
      },
    ],
  })
  const aToken = async () => ({ token_id: (await made(filled(base, {}), token())).id as string })
  return {
    [`POST ${base}`]: { body: token, told: 'create token' },
    [`PUT ${base}/:token_id`]: { given: aToken, body: token, told: 'update token' },
    [`DELETE ${base}/:token_id`]: { given: aToken, told: 'delete token' },
    [`PUT ${base}/:token_id/value`]: { given: aToken, told: 'roll token' },
  }
}

function zoneWrites(): Readonly<Record<string, Write>> {
  const zone = '/zones/:zone_id'
  const aZone = () => ({
    name: `${aName()}.example`,
    account: { id: api.accountId },
    origin: { url: 'http://127.0.0.1:9000' },
  })
  const another = async () => ({ zone_id: (await made('/zones', aZone())).id as string })
  const sessions = `${zone}/logpush/edge`
  const noSession = async () => {
    assert.equal((await api.send('DELETE', filled(`${sessions}/jobs`, {}))).status, 200)
    return {}
  }
  const aSession = async () => {
    await noSession()
    await made(filled(`${sessions}/jobs`, {}), {})
    return {}
  }
  const shadow = { enabled: false, version: 'latest', paranoia_level: 2, score_threshold: 5, sample_rate: 0 }
  const aShadow = async () => {
    const answer = await api.send('PUT', filled(`${zone}/waf/shadow`, {}), { ...shadow, enabled: true })
    assert.equal(answer.status, 200)
    return {}
  }
  const geolocation = { id: 'ip_geolocation', value: 'off' }
  const header = { managed_response_headers: [{ id: 'add_security_headers', enabled: true }] }
  const detections = `${zone}/leaked-credential-checks/detections`
  const location = { username: 'http.host' }
  const aDetection = async () => ({
    detection_id: (await made(filled(detections, {}), location)).id as string,
  })
  return {
    'POST /zones': { body: aZone, told: 'create zone' },
    [`PATCH ${zone}`]: { given: another, body: { paused: true }, told: 'update zone' },
    [`DELETE ${zone}`]: { given: another, told: 'delete zone' },
    [`PUT ${zone}/waf/shadow`]: { given: aShadow, body: shadow, told: 'update shadow' },
    [`DELETE ${zone}/waf/shadow`]: { given: aShadow, told: 'delete shadow' },
    [`PATCH ${zone}/settings`]: { body: { items: [geolocation] }, told: 'update zone_setting' },
    [`PATCH ${zone}/settings/:setting_id`]: {
      given: async () => ({ setting_id: geolocation.id }),
      body: { value: 'on' },
      told: 'update zone_setting',
    },
    [`PUT ${zone}/url_normalization`]: {
      body: { type: 'rfc3986', scope: 'both' },
      told: 'update url_normalization',
    },
    [`DELETE ${zone}/url_normalization`]: { told: 'delete url_normalization' },
    [`POST ${zone}/leaked-credential-checks`]: {
      body: { enabled: true },
      told: 'update leaked_credential_checks',
    },
    [`POST ${detections}`]: { body: location, told: 'create leaked_credential_detection' },
    [`PUT ${detections}/:detection_id`]: {
      given: aDetection,
      body: location,
      told: 'update leaked_credential_detection',
    },
    [`DELETE ${detections}/:detection_id`]: { given: aDetection, told: 'delete leaked_credential_detection' },
    [`PATCH ${zone}/managed_headers`]: { body: header, told: 'update managed_headers' },
    [`DELETE ${zone}/managed_headers`]: { told: 'delete managed_headers' },
    [`POST ${sessions}/jobs`]: { given: noSession, body: {}, told: 'create instant_logs_session' },
    [`POST ${sessions}`]: { given: noSession, body: {}, told: 'create instant_logs_session' },
    [`DELETE ${sessions}/jobs`]: { given: aSession, told: 'delete instant_logs_session' },
    [`POST ${zone}/logs/control/retention/flag`]: { body: { flag: true }, told: 'update logpull_retention' },
    [`PUT ${zone}/logs/control/redaction`]: { body: { cookies: false }, told: 'update log_redaction' },
    [`PUT ${zone}/security/what_if/sampling`]: {
      body: { sample_rate: 0.5 },
      told: 'update what_if_sampling',
    },
  }
}

function releaseWrites(): Readonly<Record<string, Write>> {
  const base = '/accounts/:account_id/waf/crs_releases'
  const given = async () => ({ release: (await api.store.crs.keep(aRelease())).version })
  return {
    [`POST ${base}`]: { told: 'create crs_release' },
    [`PATCH ${base}/:release`]: { given, body: { active: true }, told: 'update crs_release' },
  }
}

function originCertificateWrites(): Readonly<Record<string, Write>> {
  const client = '/zones/:zone_id/origin_tls_client_auth'
  const trust = '/zones/:zone_id/acm/custom_trust_store'
  const upload = { certificate: shop.certificate, private_key: shop.key }
  const authority = { certificate: shop.certificate }
  return {
    [`POST ${client}`]: { body: upload, told: 'create origin_client_certificate' },
    [`DELETE ${client}/:certificate_id`]: {
      given: async () => ({ certificate_id: (await made(filled(client, {}), upload)).id as string }),
      told: 'delete origin_client_certificate',
    },
    [`PUT ${client}/settings`]: { body: { enabled: true }, told: 'update zone_setting' },
    [`POST ${trust}`]: { body: authority, told: 'create trust_store_certificate' },
    [`DELETE ${trust}/:certificate_id`]: {
      given: async () => ({ certificate_id: (await made(filled(trust, {}), authority)).id as string }),
      told: 'delete trust_store_certificate',
    },
  }
}

function certificateWrites(): Readonly<Record<string, Write>> {
  const base = '/zones/:zone_id/custom_certificates'
  const upload = { certificate: shop.certificate, private_key: shop.key }
  const given = async () => ({ certificate_id: (await made(filled(base, {}), upload)).id as string })
  const priorities = { certificates: [{ id: '', priority: 1 }] }
  return {
    [`POST ${base}`]: { body: upload, told: 'create custom_certificate' },
    [`PATCH ${base}/:certificate_id`]: {
      given,
      body: { bundle_method: 'force' },
      told: 'update custom_certificate',
    },
    [`DELETE ${base}/:certificate_id`]: { given, told: 'delete custom_certificate' },
    [`PUT ${base}/prioritize`]: {
      given: async () => {
        priorities.certificates[0]!.id = (await given()).certificate_id
        return {}
      },
      body: priorities,
      told: 'update custom_certificate',
    },
  }
}

function pageWrites(owner: 'account' | 'zone'): Readonly<Record<string, Write>> {
  const given = async () => ({ identifier: 'waf_block' })
  const assets = `/${owner}s/:${owner}_id/custom_pages/assets`
  const asset = async () => {
    const name = aName()
    await made(filled(assets, {}), { name, url: pageUrl })
    return { asset_name: name }
  }
  return {
    [`POST ${assets}`]: { body: () => ({ name: aName(), url: pageUrl }), told: 'create custom_asset' },
    [`PUT ${assets}/:asset_name`]: {
      given: asset,
      body: () => ({ url: pageUrl }),
      told: 'update custom_asset',
    },
    [`DELETE ${assets}/:asset_name`]: { given: asset, told: 'delete custom_asset' },
    [`PUT /${owner}s/:${owner}_id/custom_pages/:identifier`]: {
      given,
      body: { state: 'default', url: '' },
      told: 'update custom_page',
    },
  }
}

const singletonBodies: Readonly<Record<string, object>> = {
  bot_management: { fight_mode: true },
  universal_ssl: { enabled: true },
  dnssec: { status: 'active' },
}

const policyPath = '/accounts/:account_id/alerting/v3/policies'
const webhookPath = '/accounts/:account_id/alerting/v3/destinations/webhooks'
const aPolicy = { name: 'p', enabled: true, alert_type: 'universal_ssl_event_type', mechanisms: {} }
const aWebhook = { name: 'w', url: 'https://a.example' }
const policyId = async () => ({ policy_id: (await made(filled(policyPath, {}), aPolicy)).id as string })
const webhookId = async () => ({ webhook_id: (await made(filled(webhookPath, {}), aWebhook)).id as string })

function notificationWrites(): Readonly<Record<string, Write>> {
  const [policy, webhook] = ['notification_policy', 'notification_webhook']
  const oneWebhook = `${webhookPath}/:webhook_id`
  return {
    [`POST ${policyPath}`]: { body: aPolicy, told: `create ${policy}` },
    [`PUT ${policyPath}/:policy_id`]: { given: policyId, body: aPolicy, told: `update ${policy}` },
    [`DELETE ${policyPath}/:policy_id`]: { given: policyId, told: `delete ${policy}` },
    [`POST ${webhookPath}`]: { body: aWebhook, told: `create ${webhook}` },
    [`PUT ${oneWebhook}`]: { given: webhookId, body: aWebhook, told: `update ${webhook}` },
    [`DELETE ${oneWebhook}`]: { given: webhookId, told: `delete ${webhook}` },
  }
}

function keptWrites(): Readonly<Record<string, Write>> {
  const constraint = { operator: 'matches', value: '*' }
  const bodies: Readonly<Record<string, object>> = {
    page_rule: { targets: [{ target: 'url', constraint }], actions: [{ id: 'ssl', value: 'full' }] },
    healthcheck: { name: 'shop', address: '192.0.2.1' },
    certificate_pack: {
      certificate_authority: 'google',
      hosts: ['a.example'],
      type: 'advanced',
      validation_method: 'txt',
      validity_days: 90,
    },
  }
  const collections = keptCollections.flatMap(({ kind, scope, path, isOrdered }) => {
    const base = `/${scope}s/:${scope}_id${path}`
    const one = `${base}/:${kind}_id`
    const body = bodies[kind]!
    const created = isOrdered === true ? `${base}/order` : base
    const given = async () => ({ [`${kind}_id`]: (await made(filled(created, {}), body)).id as string })
    const rows: [string, Write][] = [
      [`POST ${created}`, { body, told: `create ${kind}` }],
      [`DELETE ${one}`, { given, told: `delete ${kind}` }],
    ]
    if (isOrdered !== true) rows.push([`PUT ${one}`, { given, body, told: `update ${kind}` }])
    rows.push([`PATCH ${one}`, { given, body, told: `update ${kind}` }])
    return rows
  })
  const singletons = keptSingletons.flatMap(({ kind, write, path, isReset }) => {
    const whole = `/zones/:zone_id${path}`
    const body = singletonBodies[kind] ?? { value: 'on' }
    const rows: [string, Write][] = [[`${write} ${whole}`, { body, told: `update ${kind}` }]]
    if (isReset === true) rows.push([`DELETE ${whole}`, { told: `delete ${kind}` }])
    return rows
  })
  const setting = '/zones/:zone_id/hostnames/settings/:setting_id/:hostname'
  const at = { setting_id: 'http2', hostname: 'a.example' }
  const value = { value: 'off' }
  const put = async () => {
    await api.send('PUT', filled(setting, at), value)
    return at
  }
  const hostnames: [string, Write][] = [
    [`PUT ${setting}`, { given: put, body: value, told: 'update hostname_tls_setting' }],
    [`DELETE ${setting}`, { given: put, told: 'delete hostname_tls_setting' }],
  ]
  return Object.fromEntries([...collections, ...singletons, ...hostnames])
}

function dnsWrites(): Readonly<Record<string, Write>> {
  const base = '/zones/:zone_id/dns_records'
  const record = () => ({ type: 'TXT', name: aName(), content: 'x' })
  const given = async () => ({ record_id: (await made(filled(base, {}), record())).id as string })
  return {
    [`POST ${base}`]: { body: record, told: 'create dns_record' },
    [`PUT ${base}/:record_id`]: { given, body: record, told: 'update dns_record' },
    [`PATCH ${base}/:record_id`]: { given, body: { content: 'y' }, told: 'update dns_record' },
    [`DELETE ${base}/:record_id`]: { given, told: 'delete dns_record' },
    [`POST ${base}/batch`]: { body: () => ({ posts: [record()] }), told: 'update dns_records' },
    [`POST ${base}/import`]: {
      body: () => {
        const form = new FormData()
        form.set('file', `${aName()} TXT x`)
        return form
      },
      told: 'create dns_records',
    },
  }
}

const writes: Readonly<Record<string, Write>> = {
  ...certificateWrites(),
  ...originCertificateWrites(),
  ...zoneWrites(),
  ...dnsWrites(),
  ...pageWrites('account'),
  ...pageWrites('zone'),
  ...keptWrites(),
  ...notificationWrites(),
  'POST /accounts/:account_id/rollout': {
    given: async () => {
      const { rollout, revision } = await api.store.rollout.get()
      const head = await api.store.changes.head()
      const staged = { state: 'staged', everywhere: head - 1, staged: head, first: ['a'] } as const
      await api.store.rollout.put({ ...rollout, ...staged, beganMs: 1000 }, revision)
      return {}
    },
    body: { action: 'proceed' },
    told: 'update rollout',
  },
  ...loadBalancingWrites(),
  ...rulesetWrites('account'),
  ...rulesetWrites('zone'),
  ...listWrites(),
  ...firewallWrites('account'),
  ...firewallWrites('zone'),
  ...zoneRuleWrites(),
  ...logpushWrites('account'),
  ...logpushWrites('zone'),
  ...tokenWrites('/user/tokens'),
  ...tokenWrites('/accounts/:account_id/tokens'),
  ...releaseWrites(),
  ...userWrites(() => api),
}

/** These begin a session, and sign-in.test.ts tests their entries. */
const signIns = ['POST /sign_in', 'POST /sign_in/invitation']

function filled(path: string, values: Readonly<Record<string, string | number>>): string {
  const all: Readonly<Record<string, string | number>> = {
    account_id: api.accountId,
    zone_id: api.zoneId,
    ...values,
  }
  return path.replace(/:(\w+)/g, (_, name: string) => String(all[name]))
}

const entries = (): Promise<readonly AuditEntry[]> =>
  api.store.audit.list(api.accountId, { offset: 0, limit: 1000 })

/** Changes of list items are done after the answer. */
async function ended(operation: string | undefined): Promise<void> {
  if (operation === undefined) return
  const path = `/accounts/${api.accountId}/rules/lists/bulk_operations/${operation}`
  for (;;) {
    const { status } = (await api.send('GET', path)).body.result
    if (status === 'completed') return
    assert.ok(status === 'pending' || status === 'running', status)
    await new Promise(resolve => setImmediate(resolve))
  }
}

test('these tests cover every route that writes', async () => {
  const { paths } = (await api.app.inject('/client/v4/openapi.json')).json() as { paths: object }
  const routes = Object.entries(paths).flatMap(([path, methods]) => {
    const route = path.replace('/client/v4', '').replace(/\{(\w+)\}/g, ':$1')
    return Object.keys(methods)
      .filter(method => method !== 'get')
      .map(method => `${method.toUpperCase()} ${route}`)
  })
  assert.deepEqual(routes.sort(), [...Object.keys(writes), ...Object.keys(asking()), ...signIns].sort())
})

for (const [route, { given, body, told }] of Object.entries(writes)) {
  test(`${route} has an audit entry, and none if it is refused`, async () => {
    const [method, template] = route.split(' ') as [Method, string]
    const path = filled(template, (await given?.()) ?? {})
    const payload = () => (typeof body === 'function' ? body() : body)
    const before = await entries()

    const refused = [await api.send(method, path, payload(), { authorization: `Bearer ${reader}` })]
    // Where every member may be left out, there is no wrong body but one of another type.
    if (body !== undefined) refused.push(await api.send(method, path, Array.isArray(body) ? {} : ['wrong']))
    if (template.includes('/rulesets')) {
      const tried = await api.send(method, `${path}?dry_run=true`, payload())
      assert.ok(tried.status === 200 || tried.status === 204, JSON.stringify(tried.body))
    }
    for (const answer of refused)
      assert.ok(answer.status >= 400, `${answer.status} ${JSON.stringify(answer.body)}`)
    assert.deepEqual(await entries(), before)

    const answer = await api.send(method, path, payload())
    assert.ok(answer.status === 200 || answer.status === 204, JSON.stringify(answer.body))
    await ended(answer.body?.result?.operation_id)
    const [entry, ...others] = await entries()
    assert.equal(others.length, before.length)
    assert.equal(`${entry!.action} ${entry!.resource.kind}`, told)
    assert.deepEqual([entry!.method, entry!.path], [method, `/client/v4${path}`])
  })
}

test('routes that only ask have no audit entry', async () => {
  const ids = { ...(await policyId()), ...(await webhookId()) }
  const before = await entries()
  for (const [route, body] of Object.entries(asking())) {
    const [method, template] = route.split(' ') as [Method, string]
    const { status, body: answer } = await api.send(method, filled(template, ids), body)
    const wanted = route.endsWith('/trace') ? 429 : 200
    assert.equal(status, wanted, `${route} ${JSON.stringify(answer)}`)
  }
  assert.deepEqual(await entries(), before)
})
