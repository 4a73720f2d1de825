import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { request } from 'undici'
import type { CustomAsset } from '../../model/custom-asset.ts'
import type { JsonObject, Rule, Ruleset } from '../../model/resource.ts'
import { buildPlan } from '../../rulesets/index.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import { accepted } from '../../rulesets/testing/documents.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import {
  eventually,
  type PlanParts,
  planFor,
  rule,
  startEdge,
  startOrigin,
  trusted,
} from '../testing/fixture.ts'
import { ask, openHttp2, startTls } from '../testing/tls-edge.ts'

type Served = readonly [expression: string, parameters: JsonObject]

function customErrors(
  zoneRules: readonly Served[],
  accountRules: readonly Served[] = [],
  zoneAssets: readonly CustomAsset[] = [],
): Partial<ZonePlan> {
  const rulesets = (kind: 'zone' | 'root', rules: readonly Served[]): Ruleset[] => [
    {
      id: kind,
      scope: { kind: 'zone', id: 'z' },
      name: '',
      description: '',
      kind,
      phase: 'http_custom_errors',
      version: 1,
      lastUpdated: '',
      rules: rules.map(([expression, actionParameters], at): Rule => {
        const id = `${kind}-${at}`
        const action = 'serve_error'
        return {
          id,
          version: 1,
          action,
          actionParameters,
          expression,
          enabled: true,
          ref: id,
          lastUpdated: '',
        }
      }),
    },
  ]
  const { customErrors: planned } = accepted(
    buildPlan({
      zone: planFor(undefined).zone,
      accountRulesets: rulesets('root', accountRules),
      zoneRulesets: rulesets('zone', zoneRules),
      zoneAssets,
      managed: () => undefined,
      lists: () => undefined,
      redirectLists: () => undefined,
    }),
  )
  return { customErrors: planned }
}

const text = (content: string, more: JsonObject = {}): JsonObject => ({
  content,
  content_type: 'text/plain',
  ...more,
})

async function siteWith(
  t: TestContext,
  errors: Partial<ZonePlan>,
  listener: RequestListener | undefined,
  parts: PlanParts = {},
) {
  const origin = listener && (await startOrigin(t, listener))
  const plan = { ...planFor(origin?.url ?? 'http://127.0.0.1:1', parts), ...errors }
  const site = await startEdge(t, plan, { trustedProxies: trusted('127.0.0.1/32') })
  const get = async (path = '/', method: 'GET' | 'HEAD' = 'GET') => {
    const headers = { Host: 'site.test', Accept: 'text/html', 'X-Forwarded-For': '198.51.100.7' }
    const response = await request(`${site.url}${path}`, { method, headers })
    return { status: response.statusCode, headers: response.headers, body: await response.body.text() }
  }
  return { ...site, get, origin }
}

test('a rule replaces the body and status of an error of the origin, and keeps its other headers', async t => {
  const content = '{"ray":"::RAY_ID::","ip":"::CLIENT_IP::","geo":"::GEO::","box":"::CAPTCHA_BOX::"}'
  const errors = customErrors([
    [
      'http.response.code ge 500 and http.response.code lt 600',
      { content, content_type: 'application/json', status_code: 530 },
    ],
  ])
  const site = await siteWith(t, errors, ({ url }, response) => {
    response.setHeader('X-Own', 'kept').setHeader('ETag', '"1"').setHeader('Content-Encoding', 'x-other')
    response
      .writeHead(url === '/ok' ? 200 : 503, { 'Content-Type': 'text/html', 'Retry-After': '9' })
      .end('secret')
  })
  const { status, headers, body } = await site.get()
  const ray = headers['ray-id']
  assert.equal(status, 530)
  assert.equal(body, `{"ray":"${ray}","ip":"198.51.100.7","geo":"XX","box":"::CAPTCHA_BOX::"}`)
  assert.deepEqual(
    ['content-type', 'content-length', 'x-own', 'retry-after', 'etag', 'content-encoding'].map(
      name => headers[name],
    ),
    ['application/json; charset=utf-8', String(body.length), 'kept', '9', undefined, undefined],
  )
  const head = await site.get('/', 'HEAD')
  assert.deepEqual([head.status, head.headers['content-length'], head.body], [530, String(body.length), ''])
  assert.deepEqual([(await site.get('/ok')).body, (await site.get('/ok')).headers['etag']], ['secret', '"1"'])
  await eventually(() => site.records.length === 4)
  const record = site.records[0]!
  assert.deepEqual(
    [record['EdgeResponseStatus'], record['OriginResponseStatus'], record['EdgeResponseBodyBytes']],
    [530, 503, body.length],
  )
  assert.equal(record['EdgeResponseContentType'], 'application/json')
  assert.equal(record['SecurityAction'], '')
})

const law: Omit<CustomAsset, 'name'> = {
  description: '',
  url: 'https://pages.test/law',
  contentType: 'text/html',
  content: 'from ::CLIENT_IP::',
  lastUpdated: '',
}

test('the first rule that matches serves the answer: the zone before the account', async t => {
  const errors = customErrors(
    [
      ['http.response.code eq 404', text('zone 404')],
      ['http.response.code eq 404', text('second')],
      ['http.response.code eq 410', { asset_name: 'absent' }],
      ['http.response.code eq 451', { asset_name: 'law', content_type: 'text/plain' }],
    ],
    [['http.response.code in {404 500}', text('account')]],
    [{ ...law, name: 'law' }],
  )
  const site = await siteWith(t, errors, ({ url }, response) => {
    response.writeHead(Number(url!.slice(1))).end('origin')
  })
  const bodies = await Promise.all(
    ['/404', '/500', '/410', '/403', '/451'].map(async path => (await site.get(path)).body),
  )
  assert.deepEqual(bodies, ['zone 404', 'account', 'origin', 'origin', 'from 198.51.100.7'])
})

test('rules for response headers and inspections follow the custom error', async t => {
  const errors = customErrors([['http.response.code eq 500', text('sorry', { status_code: 503 })]])
  const parts = {
    responseHeaders: [
      rule(
        { kind: 'rewrite-headers', changes: [{ operation: 'add', name: 'X-Seen', value: () => 'yes' }] },
        view => view.response?.status === 503 && view.response.rawHeaders.some(([name]) => name === 'X-Own'),
      ),
    ],
    response: [rule(execution(fakeProgram()))],
  }
  const site = await siteWith(
    t,
    errors,
    (_request, response) => response.writeHead(500, { 'X-Own': '1' }).end('never'),
    parts,
  )
  const { status, headers, body } = await site.get()
  assert.deepEqual([status, headers['x-seen'], body], [503, 'yes', 'sorry'])
})

test('clients of HTTP/2 get the same response, HEAD too', async t => {
  const errors = customErrors([['http.response.code eq 500', text('sorry', { status_code: 530 })]])
  const origin = await startOrigin(t, ({ url }, response) =>
    response.writeHead(Number(url!.slice(1)), { Connection: 'close', 'X-Own': '1' }).end('origin'),
  )
  const edge = await startTls(t, { ...planFor(origin.url), ...errors })
  const session = openHttp2(t, edge.tlsPort)
  const served = await ask(session, { ':path': '/500' })
  assert.deepEqual(
    [served.status, served.text, served.headers['x-own'], served.headers['content-length']],
    [530, 'sorry', '1', '5'],
  )
  const head = await ask(session, { ':path': '/500', ':method': 'HEAD' })
  assert.deepEqual([head.status, head.text, head.headers['content-length']], [530, '', '5'])
})

test('a long body of the origin is not read to its end; after a short one, its connection is used again', async t => {
  const errors = customErrors([['true', text('sorry')]])
  const ports = new Set<number | undefined>()
  const ended = Promise.withResolvers<void>()
  const site = await siteWith(t, errors, ({ url, socket }, response) => {
    response.writeHead(500)
    if (url === '/short') {
      ports.add(socket.remotePort)
      response.end('x'.repeat(10_000))
      return
    }
    response.on('close', () => ended.resolve())
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  for (const path of ['/short', '/short', '/short']) assert.equal((await site.get(path)).body, 'sorry')
  assert.equal(ports.size, 1)
  assert.equal((await site.get('/endless')).body, 'sorry')
  await ended.promise
})

test('errors of the edge are replaced; blocks and challenges only by rules that name the kind of error', async t => {
  const errors = customErrors([
    [
      'cf.response.error_type eq "waf" and cf.response.1xxx_code eq 1020',
      text('blocked', { status_code: 451 }),
    ],
    ['true', text('sorry')],
  ])
  const down = await siteWith(t, errors, undefined)
  const { status, headers, body } = await down.get()
  assert.deepEqual([status, body, headers['content-security-policy']], [502, 'sorry', undefined])
  const blocked = await siteWith(t, errors, undefined, {
    custom: [rule({ kind: 'action', action: 'block' })],
  })
  const block = await blocked.get()
  assert.deepEqual([block.status, block.body], [451, 'blocked'])
  await eventually(() => blocked.records.length === 1)
  assert.deepEqual(
    [blocked.records[0]!['SecurityAction'], blocked.records[0]!['EdgeResponseStatus']],
    ['block', 451],
  )
  const effect = { kind: 'action', action: 'managed_challenge' } as const
  const challenged = await siteWith(t, errors, undefined, { custom: [rule(effect)] })
  const challenge = await challenged.get()
  assert.deepEqual([challenge.status, challenge.headers['cf-mitigated']], [403, 'challenge'])
  const response = { status: 418, content: 'own', contentType: 'text/plain' }
  const own = { kind: 'action', action: 'block', response } as const
  const chosen = await siteWith(t, errors, undefined, { custom: [rule(own)] })
  assert.equal((await chosen.get()).body, 'own')
})
