import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import {
  eventRecord,
  ingest,
  logOf,
  managedMetadata,
  matchedRules,
  rayOf,
  requestRecord,
} from '../../analytics/testing/fill.ts'
import { systemClock } from '../../kit/clock.ts'
import { checkPermissions } from '../access/permissions/guard.ts'
import type { Api } from '../http/context.ts'
import { type Method, openTestApi, type TestApi } from '../testing/test-api.ts'
import { pathOf } from './document.ts'
import { tags } from './operation.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into everywhere
type Any = any

const eventMs = Date.now() - 1000

let api: TestApi
let document: Any
before(async () => {
  api = await openTestApi()
  const owner = { zone: api.zoneId, account: api.accountId }
  const records = [eventRecord(eventMs, { Metadata: managedMetadata('942100') }, owner)]
  records.push(requestRecord(eventMs, { MatchedRules: matchedRules('942100') }, owner))
  await ingest(api.recordStore, logOf(records), { clock: systemClock })
  document = (await api.app.inject('/client/v4/openapi.json')).json()
})
after(() => api.close())

/** Of the router itself: `GET /zones/:zone_id`. */
function routes(): string[] {
  const found: string[] = []
  const stack: string[] = []
  for (const line of api.app.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n')) {
    const [, indent = '', path = '', methods = ''] = /^([│ ├└─]*)(\S*) ?(?:\((.+)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    stack.length = depth
    stack[depth] = path
    const url = stack.slice(1).join('')
    for (const method of methods.split(', '))
      if (method !== '' && method !== 'HEAD') found.push(`${method} ${url}`)
  }
  return [...new Set(found)]
}

/** The operations of the document with their keys: `GET /zones/{zone_id}`. */
function operations(): [key: string, operation: Any][] {
  return Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Any>(methods).map(([method, operation]): [string, Any] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
}

test('every route is in the document', () => {
  const described = operations().map(([key]) => key)
  assert.deepEqual(described.sort(), routes().map(pathOf).sort())
})

test('a route without an operation is refused at the start', () => {
  const app = Fastify() as unknown as Api
  checkPermissions(app)
  assert.throws(
    () => app.get('/client/v4/secrets', async () => ''),
    /GET \/client\/v4\/secrets has no operation/,
  )
})

test('only public routes need no credentials', () => {
  const open = operations().filter(([, { security }]) => security.length === 0)
  assert.deepEqual(open.map(([key]) => key).sort(), [
    'GET /',
    'GET /client/v4/ips',
    'GET /client/v4/openapi.json',
    'GET /client/v4/sign_in',
    'GET /client/v4/sign_in/oidc',
    'GET /client/v4/sign_in/oidc/callback',
    'GET /docs/api',
    'GET /docs/api.css',
    'GET /healthz',
    'GET /instant-logs/ws/sessions/{session_id}',
    'GET /readyz',
    'POST /client/v4/sign_in',
    'POST /client/v4/sign_in/invitation',
  ])
  for (const [key, { 'x-api-token-group': groups }] of operations()) {
    const reads = key.startsWith('GET ')
    const listens =
      /^(?:POST|DELETE) .*\/(?:logpush\/edge(?:\/jobs)?|logs\/sql(?:\/export)?|request-tracer\/trace|security\/exceptions\/preview)$/.test(
        key,
      )
    if (groups === undefined) continue
    assert.equal(
      groups.some((name: string) => name.endsWith(' Read')),
      reads || listens,
      key,
    )
  }
})

test('the document has the structure of OpenAPI 3.1', () => {
  assert.equal(document.openapi, '3.1.0')
  for (const key of ['title', 'version']) assert.equal(typeof document.info[key], 'string')
  const ids = new Set<string>()
  for (const [path, methods] of Object.entries<Any>(document.paths)) {
    assert.match(path, /^\//)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const [method, operation] of Object.entries<Any>(methods)) {
      const operationName = `${method} ${path}`
      assert.ok(['get', 'post', 'put', 'patch', 'delete'].includes(method), operationName)
      assert.ok(!ids.has(operation.operationId), operation.operationId)
      ids.add(operation.operationId)
      assert.ok(operation.summary.length > 0 && operation.summary.length < 90, operationName)
      assert.ok(Object.hasOwn(tags, operation.tags[0]), operationName)
      const parameters = operation.parameters ?? []
      assert.deepEqual(
        parameters.filter((one: Any) => one.in === 'path').map((one: Any) => one.name),
        inPath,
        operationName,
      )
      for (const parameter of parameters) {
        assert.ok(['path', 'query', 'header'].includes(parameter.in), operationName)
        assert.equal(typeof parameter.schema, 'object', operationName)
        if (parameter.in === 'path') assert.equal(parameter.required, true, operationName)
      }
      assert.ok(method !== 'get' || operation.requestBody === undefined, operationName)
      for (const [status, response] of Object.entries<Any>(operation.responses)) {
        assert.match(status, /^(101|200|204|303|4XX|5XX)$/)
        assert.ok(response.$ref !== undefined || response.description.length > 0, operationName)
      }
      for (const requirement of operation.security)
        for (const scheme of Object.keys(requirement))
          assert.ok(document.components.securitySchemes[scheme], operationName)
    }
  }
  for (const name of Object.keys(document.components.schemas)) assert.match(name, /^[A-Za-z0-9._-]+$/)
})

test('every reference resolves, and every schema is JSON Schema', () => {
  const visit = (value: Any, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    if (typeof value.$ref === 'string') {
      const target = value.$ref
        .slice(2)
        .split('/')
        .reduce((at: Any, key: string) => at?.[key], document)
      assert.ok(target !== undefined, `${path}: ${value.$ref}`)
    }
    for (const [key, inner] of Object.entries(value)) {
      assert.ok(!key.startsWith('~'), `${path}: ${key}`)
      visit(inner, `${path}/${key}`)
    }
  }
  visit(document, '')
})

test('responses have the members that their schemas require', async () => {
  const made = await api.send('POST', `${api.zonePath}/logpush/jobs`, {
    destination_conf: `file://${api.directory}/logs`,
    filter_attack_traffic: false,
    enabled: true,
  })
  const job = `${api.zonePath}/logpush/jobs/${made.body.result.id}`
  const range = { start: '2026-01-02T03:00:00Z', end: '2026-01-02T04:00:00Z' }
  assert.equal((await api.send('POST', `${job}/replay`, range)).status, 200)
  for (const [path, shown] of [
    ['/accounts', '/client/v4/accounts'],
    ['/zones', '/client/v4/zones'],
    [api.zonePath, '/client/v4/zones/{zone_id}'],
    [`/accounts/${api.accountId}`, '/client/v4/accounts/{account_id}'],
    ['/user/tokens', '/client/v4/user/tokens'],
    ['/user/tokens/verify', '/client/v4/user/tokens/verify'],
    ['/user/tokens/permission_groups', '/client/v4/user/tokens/permission_groups'],
    [`${api.zonePath}/rulesets`, '/client/v4/zones/{zone_id}/rulesets'],
    [`${api.zonePath}/logpush/jobs`, '/client/v4/zones/{zone_id}/logpush/jobs'],
    [`${job}/health`, '/client/v4/zones/{zone_id}/logpush/jobs/{job_id}/health'],
    [`${job}/replays`, '/client/v4/zones/{zone_id}/logpush/jobs/{job_id}/replays'],
    [`${api.zonePath}/logs/control/redaction`, '/client/v4/zones/{zone_id}/logs/control/redaction'],
    ...['events', 'timeseries', 'timeseries?group_by=path', 'top?by=path', 'rules', 'overview'].map(
      path =>
        [
          `${api.zonePath}/security/${path}`,
          `/client/v4/zones/{zone_id}/security/${path.split('?')[0]}`,
        ] as const,
    ),
    [`${api.zonePath}/security/rays/${rayOf(eventMs)}`, '/client/v4/zones/{zone_id}/security/rays/{ray_id}'],
    [`/accounts/${api.accountId}/security/overview`, '/client/v4/accounts/{account_id}/security/overview'],
  ] as const) {
    const { status, body } = await api.send('GET', path)
    assert.equal(status, 200, path)
    const schema = document.paths[shown].get.responses[200].content['application/json'].schema
    const fault = faultOf(body, schema, '')
    assert.equal(fault, undefined, path)
  }
})

/** A small validator: types, required members, known members of closed objects, arrays and alternatives. */
function faultOf(value: Any, schema: Any, path: string): string | undefined {
  if (schema.$ref !== undefined)
    return faultOf(value, document.components.schemas[schema.$ref.split('/').at(-1)], path)
  if (schema.anyOf !== undefined)
    return schema.anyOf.some((one: Any) => faultOf(value, one, path) === undefined)
      ? undefined
      : `${path}: none`
  if (schema.const !== undefined && schema.const !== value) return `${path}: not ${schema.const}`
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${path}: ${value} is none of them`
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return `${path}: no array`
    return value.map((one, at) => faultOf(one, schema.items ?? {}, `${path}/${at}`)).find(Boolean)
  }
  if (schema.type === 'string') return typeof value === 'string' ? undefined : `${path}: no string`
  if (schema.type === 'null') return value === null ? undefined : `${path}: not null`
  if (schema.type !== 'object') return undefined
  if (typeof value !== 'object' || value === null) return `${path}: no object`
  for (const name of schema.required ?? []) if (!(name in value)) return `${path}/${name} is missing`
  const members = schema.properties ?? {}
  const open = Object.keys(members).length === 0
  for (const [name, inner] of Object.entries(value)) {
    if (!open && !(name in members)) return `${path}/${name} is not described`
    const fault = name in members ? faultOf(inner, members[name], `${path}/${name}`) : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}

test('changes of rulesets are described with their conditions and dry runs', () => {
  const at = (method: string, path: string) =>
    document.paths[`/client/v4/zones/{zone_id}/rulesets${path}`][method]
  const named = (operation: Any, name: string) => operation.parameters.find((one: Any) => one.name === name)
  for (const [method, path, conditional] of [
    ['put', '/{ruleset_id}', true],
    ['delete', '/{ruleset_id}', true],
    ['patch', '/{ruleset_id}/rules/{rule_id}', true],
    ['put', '/phases/{phase}/entrypoint', true],
    ['post', '', false],
    ['delete', '/{ruleset_id}/versions/{version}', false],
    ['get', '/{ruleset_id}', false],
  ] as const)
    assert.equal(
      named(at(method, path), 'If-Match')?.in,
      conditional ? 'header' : undefined,
      `${method} ${path}`,
    )
  const { result } = at('put', '/{ruleset_id}').responses[200].content['application/json'].schema.properties
  assert.deepEqual(result.anyOf, [{ $ref: '#/components/schemas/Ruleset' }, { type: 'null' }])
  assert.ok(at('get', '/{ruleset_id}').responses[200].headers.ETag)
  assert.match(
    document.tags.find((tag: Any) => tag.name === 'Rulesets').description,
    /of zones.*- Logs: http_log_custom_fields.*of accounts.*- Account WAF and Account Rulesets: /s,
  )
})

test('every example is a body that its operation accepts', async () => {
  const made = await api.send('POST', `${api.zonePath}/rulesets`, {
    kind: 'custom',
    name: 'x',
    phase: 'http_request_firewall_custom',
    rules: [{ action: 'log', expression: 'true' }],
  })
  let listId = ''
  let jobId = ''
  let recordId = ''
  const created: Any = {}
  let shownCount = 0
  for (const [key, { operationId: id, requestBody }] of operations()) {
    const shown = requestBody?.content['application/json'].example
    if (shown === undefined) continue
    shownCount++
    const [method = '', path = ''] = key.split(' ')
    const destination = `file://${api.directory}/{DATE}`
    const pools = { default_pools: [created.pool_id], fallback_pool: created.pool_id }
    const example =
      'destination_conf' in shown
        ? { ...shown, destination_conf: destination }
        : 'default_pools' in shown
          ? { ...shown, ...pools }
          : shown
    const values: Any = {
      account_id: api.accountId,
      zone_id: api.zoneId,
      ruleset_id: made.body.result.id,
      rule_id: made.body.result.rules[0].id,
      phase: 'http_request_firewall_managed',
      list_id: listId,
      job_id: jobId,
      record_id: recordId,
      setting_id: 'waf_body_limit_action',
      ...created,
    }
    const url = path
      .replace('/client/v4', '')
      .replace(/\{(\w+)\}/g, (_: string, name: string) => values[name])
    const answer = await api.send(method as Method, url, example)
    assert.equal(answer.status, 200, `${id}: ${JSON.stringify(answer.body)}`)
    if (id === 'createDnsRecord') recordId = answer.body.result.id
    if (id.startsWith('createAccessRule')) created.access_rule_id = answer.body.result.id
    if (id === 'createUserAgentRule') created.ua_rule_id = answer.body.result.id
    if (id === 'createLockdown') created.lockdown_id = answer.body.result.id
    if (id === 'createMonitor') created.monitor_id = answer.body.result.id
    if (id === 'createPool') created.pool_id = answer.body.result.id
    if (id === 'createLoadBalancer') created.load_balancer_id = answer.body.result.id
    if (id === 'createList') listId = answer.body.result.id
    if (id === 'createLogpushJobZone') jobId = answer.body.result.id
  }
  assert.ok(shownCount > 20)
})

test('the reference page has every operation and schema, and runs nothing', async () => {
  const answer = await api.app.inject('/docs/api')
  assert.equal(answer.statusCode, 200)
  const policy = String(answer.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe|script-src/)
  const page = answer.body
  assert.doesNotMatch(page, /<script|<style|\sstyle=|\son\w+=|https?:\/\//)
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const [, { operationId }] of operations()) assert.ok(anchors.has(operationId), operationId)
  for (const name of Object.keys(document.components.schemas)) assert.ok(anchors.has(`schema-${name}`), name)
  for (const [, target = ''] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(anchors.has(target), target)
  const style = await api.app.inject('/docs/api.css')
  assert.match(String(style.headers['content-type']), /^text\/css/)
  assert.match(style.body, /prefers-color-scheme: dark/)
  assert.match((await api.app.inject('/')).body, /href="\/docs\/api"/)
})
