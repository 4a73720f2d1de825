import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import Cloudflare from 'cloudflare'
import type { RequestTrace, TraceAnswer, TraceRequest } from '../../model/request-trace.ts'
import { lastRuleId, openTestApi, owaspId, type TestApi, token } from '../testing/test-api.ts'
import { traceRequestLimits } from './limits.ts'

let api: TestApi
let asked: TraceRequest[] = []
let answer: (request: TraceRequest) => Promise<TraceAnswer>
before(async () => {
  api = await openTestApi({
    traceRequest: request => {
      asked.push(request)
      return answer(request)
    },
  })
})
after(() => api.close())
beforeEach(() => {
  asked = []
  answer = async () => ({ ok: true, trace: traceOf() })
})

const path = () => `/accounts/${api.accountId}/request-tracer/trace`
const send = (body: unknown) => api.send('POST', path(), body)
const url = 'https://shop.example/'

function traceOf(changes: Partial<RequestTrace> = {}): RequestTrace {
  return {
    zone: { id: api.zoneId, name: 'shop.example' },
    rayId: '0123456789abcdef',
    phases: [],
    checks: [],
    outcome: {
      kind: 'forward',
      action: '',
      ruleId: '',
      reason: '',
      status: 0,
      location: '',
      uri: '/',
      host: 'shop.example',
      origin: 'http://192.0.2.1',
    },
    records: { httpRequests: { RayID: '0123456789abcdef' }, firewallEvents: [], notKnown: ['ClientSrcPort'] },
    ...changes,
  }
}

test('a request as described reaches the edge byte for byte', async () => {
  const { status } = await send({
    method: 'POST',
    url: 'http://shop.example:8080/../é?a=%27#fragment',
    body: { plain_text: 'ü=1' },
    headers: { 'User-Agent': 'test', 'X-Many': ['1', '2 '] },
    cookies: { a: '1', b: '2' },
    protocol: 'HTTP/1.0',
    context: {
      client_ip: '2001:db8::1',
      skip_challenge: true,
      geoloc: { iso_code: 'de', city: 'Köln', latitude: 50.9 },
    },
  })
  assert.equal(status, 200)
  const { body, ...rest } = asked[0]!
  assert.equal(Buffer.from(body).toString(), 'ü=1')
  assert.deepEqual(rest, {
    accountId: api.accountId,
    method: 'POST',
    target: '/../\xc3\xa9?a=%27',
    protocol: 'HTTP/1.0',
    scheme: 'http',
    port: 8080,
    headers: [
      ['Host', 'shop.example:8080'],
      ['User-Agent', 'test'],
      ['X-Many', '1'],
      ['X-Many', '2'],
      ['Cookie', 'a=1; b=2'],
      ['Content-Length', '4'],
    ],
    clientIp: '2001:db8::1',
    location: { country: 'DE', city: 'K\xc3\xb6ln', latitude: '50.9' },
    cleared: true,
  })
})

test('the headers of every client are added, and no others', async () => {
  const rows: [name: string, body: object, headers: TraceRequest['headers'], sent: string][] = [
    ['nothing given', {}, [['Host', 'shop.example']], ''],
    ['a Host header', { headers: { host: 'other.example' } }, [['host', 'other.example']], ''],
    [
      'JSON',
      { body: { json: { a: [1] } } },
      [
        ['Host', 'shop.example'],
        ['Content-Type', 'application/json'],
        ['Content-Length', '9'],
      ],
      '{"a":[1]}',
    ],
    [
      'JSON null',
      { body: { json: null }, headers: { 'content-type': 'x/y' } },
      [
        ['Host', 'shop.example'],
        ['content-type', 'x/y'],
        ['Content-Length', '4'],
      ],
      'null',
    ],
    [
      'chunks',
      { body: { base64: 'AP8=' }, headers: { 'Transfer-Encoding': 'chunked' } },
      [
        ['Host', 'shop.example'],
        ['Transfer-Encoding', 'chunked'],
      ],
      '\0\xff',
    ],
    ['an empty body', { body: {} }, [['Host', 'shop.example']], ''],
  ]
  for (const [name, changes, headers, sent] of rows) {
    asked = []
    assert.equal((await send({ method: 'POST', url, ...changes })).status, 200, name)
    assert.deepEqual(asked[0]!.headers, headers, name)
    assert.equal(Buffer.from(asked[0]!.body).toString('latin1'), sent, name)
    assert.deepEqual([asked[0]!.clientIp, asked[0]!.protocol, asked[0]!.port], ['192.0.2.1', 'HTTP/1.1', 443])
  }
})

test('a request that cannot be sent is refused with a pointer, before the edge sees it', async () => {
  const long = 'x'.repeat(traceRequestLimits.headBytesMax)
  const many = Array.from({ length: traceRequestLimits.headersMax + 1 }, () => '1')
  const body = (bytes: number) => ({ plain_text: 'x'.repeat(bytes) })
  const rows: [name: string, changes: object, code: number, pointer: string][] = [
    ['no URL', { url: undefined }, 10421, '/url'],
    ['no method', { method: undefined }, 10421, '/method'],
    ['an unknown member', { colour: 'red' }, 10420, '/colour'],
    ['a method in small letters', { method: 'get' }, 10423, '/method'],
    ['an unknown method', { method: 'JUMP' }, 10423, '/method'],
    ['a path alone', { url: '/a' }, 10423, '/url'],
    ['another scheme', { url: 'ftp://shop.example/' }, 10423, '/url'],
    ['no host', { url: 'http:///a' }, 10423, '/url'],
    ['a blank', { url: 'http://shop.example/a b' }, 10423, '/url'],
    ['a line break', { url: 'http://shop.example/\r\nX: y' }, 10423, '/url'],
    ['credentials', { url: 'http://a:b@shop.example/' }, 10423, '/url'],
    ['a port that is none', { url: 'http://shop.example:http/' }, 10423, '/url'],
    ['a port that there is not', { url: 'http://shop.example:65536/' }, 10423, '/url'],
    ['a long URL', { url: `${url}${'x'.repeat(traceRequestLimits.urlCharactersMax)}` }, 10423, '/url'],
    ['HTTP/2', { protocol: 'HTTP/2' }, 10423, '/protocol'],
    ['two bodies', { body: { plain_text: 'a', base64: 'YQ==' } }, 10423, '/body'],
    ['no Base64', { body: { base64: '~' } }, 10423, '/body/base64'],
    ['a body that is too long', { body: body(traceRequestLimits.bodyBytesMax + 1) }, 10423, '/body'],
    ['a header with a blank', { headers: { 'X Y': '1' } }, 10423, '/headers/X Y'],
    ['a header with a line break', { headers: { 'X-Y': '1\r\nZ: 2' } }, 10423, '/headers/X-Y'],
    ['too many headers', { headers: { 'X-Y': many } }, 10423, '/headers'],
    ['headers that are too long', { headers: { 'X-Y': long } }, 10423, '/headers'],
    ['another length', { headers: { 'Content-Length': '5' } }, 10423, '/headers'],
    ['a cookie with a semicolon', { cookies: { a: '1;b=2' } }, 10423, '/cookies/a'],
    ['no address', { context: { client_ip: 'localhost' } }, 10423, '/context/client_ip'],
    ['no country', { context: { geoloc: { iso_code: 'DEU' } } }, 10423, '/context/geoloc/iso_code'],
  ]
  for (const [name, changes, code, pointer] of rows) {
    const refused = await send({ method: 'GET', url, ...changes })
    assert.equal(refused.status, 400, name)
    assert.equal(refused.body.errors[0].code, code, name)
    assert.equal(refused.body.errors[0].source.pointer, pointer, name)
  }
  assert.equal(asked.length, 0)
  assert.equal((await send({ method: 'GET', url, body: body(traceRequestLimits.bodyBytesMax) })).status, 200)
  const fits = { 'X-Y': many.slice(1) }
  assert.equal((await send({ method: 'GET', url, headers: fits })).status, 200)
})

test('members without effect are reported as messages', async () => {
  const { body } = await send({
    method: 'GET',
    url,
    skip_response: false,
    context: { bot_score: 1, threat_score: 2, geoloc: { continent: 'EU', is_eu_country: true } },
  })
  assert.deepEqual(
    body.messages.map(({ message }: { message: string }) => message.split(' ')[0]),
    ['context.bot_score', 'context.threat_score', 'context.geoloc.continent', 'the'],
  )
  assert.deepEqual((await send({ method: 'GET', url, skip_response: true })).body.messages, [])
})

test('an edge that does not answer', async () => {
  const rows: [TraceAnswer | Error, number, number][] = [
    [{ ok: false, reason: 'no-zone' }, 400, 10495],
    [{ ok: false, reason: 'busy' }, 429, 10497],
    [new Error('no answer in time'), 503, 10498],
  ]
  for (const [given, status, code] of rows) {
    answer = async () => {
      if (given instanceof Error) throw given
      return given
    }
    const refused = await send({ method: 'GET', url })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [status, code])
  }
})

test('a process without an edge refuses traces', async t => {
  const alone = await openTestApi()
  t.after(() => alone.close())
  const { status, body } = await alone.send('POST', `/accounts/${alone.accountId}/request-tracer/trace`, {
    method: 'GET',
    url,
  })
  assert.deepEqual([status, body.errors[0].code], [503, 10496])
})

test('a trace needs its permission', async () => {
  const rows: [group: string, status: number][] = [
    ['c1fde68c7bcc44588cbb6ddbc16d6480', 403],
    ['f3604047d46144d2a3e9cf4ac99d7f16', 200],
  ]
  for (const [id, status] of rows) {
    const made = await api.send('POST', '/user/tokens', {
      name: 'tracer',
      policies: [
        {
          effect: 'allow',
          permission_groups: [{ id }],
          resources: { [`com.cloudflare.api.account.${api.accountId}`]: '*' },
        },
      ],
    })
    const authorization = `Bearer ${made.body.result.value}`
    const traced = await api.send('POST', path(), { method: 'GET', url }, { authorization })
    assert.equal(traced.status, status, id)
  }
})

test('the SDK call works, and steps have the texts of their documents', async () => {
  const entry = await api.send(
    'PUT',
    `${api.zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`,
    {
      name: 'Own rules',
      rules: [{ action: 'log', expression: 'http.host eq "shop.example"', description: 'Look on' }],
    },
  )
  const { id, version, rules } = entry.body.result
  const managed = await api.send('GET', `/accounts/${api.accountId}/rulesets/${owaspId}`)
  const owaspRule = managed.body.result.rules[0]
  answer = async () => ({
    ok: true,
    trace: traceOf({
      phases: [
        {
          phase: 'http_request_firewall_custom',
          reached: true,
          rulesets: [
            {
              id,
              version,
              kind: 'zone',
              level: 'zone',
              rules: [
                {
                  id: rules[0].id,
                  ref: rules[0].ref,
                  description: 'Look on',
                  evaluation: 'matched',
                  did: 'log',
                  managed: {
                    rulesetId: owaspId,
                    version: managed.body.result.version,
                    score: 5,
                    threshold: 5,
                    action: 'block',
                    lastRuleId,
                    acts: true,
                    acted: true,
                    incomplete: false,
                    rulesOn: 1,
                    matchesOmitted: 0,
                    matches: [
                      {
                        id: owaspRule.id,
                        ref: '942100',
                        phase: 2,
                        paranoiaLevel: 1,
                        severity: 'CRITICAL',
                        message: 'SQL injection',
                        tags: [],
                        target: 'ARGS:q',
                        value: "' or 1=1",
                        data: '',
                        score: 5,
                        total: 5,
                        conditions: [],
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
      outcome: {
        ...traceOf().outcome,
        kind: 'answer',
        action: 'block',
        ruleId: lastRuleId,
        status: 403,
        uri: '',
      },
    }),
  })
  const baseURL = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/client/v4`
  const client = new Cloudflare({ baseURL, maxRetries: 0, apiToken: token, apiEmail: null, apiKey: null })
  const traced = await client.requestTracers.traces.create({
    account_id: api.accountId,
    method: 'GET',
    url,
    headers: { accept: '*/*' },
    context: { geoloc: { iso_code: 'DE' }, skip_challenge: false },
    skip_response: true,
  })
  assert.equal(traced.status_code, 403)
  const [phase] = traced.trace!
  assert.deepEqual(
    [phase!.type, phase!.step_name, phase!.matched],
    ['phase', 'http_request_firewall_custom', true],
  )
  const [ruleset] = phase!.trace!
  assert.deepEqual([ruleset!.name, ruleset!.kind, ruleset!.step_name], ['Own rules', 'zone', id])
  const [rule] = ruleset!.trace!
  assert.deepEqual(
    [rule!.expression, rule!.action, rule!.description],
    ['http.host eq "shop.example"', 'log', 'Look on'],
  )
  const [inner] = rule!.trace!
  assert.deepEqual([inner!.name, inner!.matched], ['OWASP Core Ruleset', true])
  const [match, last] = inner!.trace!
  assert.equal(match!.step_name, owaspRule.id)
  assert.deepEqual([last!.step_name, last!.action, last!.matched], [lastRuleId, 'block', true])
  const { match: facts } = match as { match?: { total: number; target: string } }
  assert.deepEqual([facts!.total, facts!.target], [5, 'ARGS:q'])
})

test('checks stand between the phases where they run', async () => {
  const phases = (['http_config_settings', 'http_request_firewall_custom'] as const).map(phase => ({
    phase,
    reached: true,
    rulesets: [],
  }))
  const checks = [
    { source: 'country', before: 'http_request_origin', ruleId: 'a', description: 'x', did: 'jschallenge' },
    { source: 'uaBlock', before: 'http_ratelimit', ruleId: 'b', description: '', did: 'block' },
  ] as const
  answer = async () => ({ ok: true, trace: traceOf({ phases, checks }) })
  const { trace } = (await send({ method: 'GET', url })).body.result
  assert.deepEqual(
    trace.map((step: { step_name: string }) => step.step_name),
    ['http_config_settings', 'country', 'http_request_firewall_custom', 'uaBlock'],
  )
  const [{ step_name: id, description, matched, did }] = trace[1].trace
  assert.deepEqual([id, description, matched, did], ['a', 'x', true, 'jschallenge'])
})
