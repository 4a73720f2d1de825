import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LocalRateCounters, newRateMemory } from '../../bus/index.ts'
import type { RequestTrace, TraceRequest } from '../../model/request-trace.ts'
import { accessRuleKey } from '../../rulesets/firewall/access-key.ts'
import { AccessTable } from '../../rulesets/firewall/access-table.ts'
import type { PlanRule, RateLimitRule, SkipEffect } from '../../rulesets/plan/plan.ts'
import { aLockdown } from '../../store/testing/data.ts'
import { compile, explainInSlices } from '../../waf/index.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import {
  eventually,
  noExplanation,
  type PlanParts,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
  zoneId,
} from '../testing/fixture.ts'
import { edgeTraceLimits } from './limits.ts'

const get: TraceRequest = {
  accountId: zoneId,
  method: 'GET',
  target: '/',
  protocol: 'HTTP/1.1',
  scheme: 'http',
  port: 80,
  headers: [['Host', 'site.test']],
  body: new Uint8Array(0),
  clientIp: '127.0.0.1',
  location: {},
  cleared: false,
}

function post(text: string, changes: Partial<TraceRequest> = {}): TraceRequest {
  const body = Buffer.from(text)
  const headers: TraceRequest['headers'] = [...get.headers, ['Content-Length', String(body.length)]]
  return { ...get, method: 'POST', headers, body, ...changes }
}

async function started(t: TestContext, parts: PlanParts, deps: Parameters<typeof startEdge>[2] = {}) {
  let asked = 0
  const origin = await startOrigin(t, (_request, response) => {
    asked++
    response.end('hello')
  })
  const running = await startEdge(t, planFor(origin.url, parts), deps)
  const trace = async (request: TraceRequest): Promise<RequestTrace> => {
    const answer = await running.edge.trace(request)
    assert.ok(answer.ok)
    return answer.trace
  }
  return { ...running, trace, asked: () => asked }
}

/** `rule-1: matched`, in order. */
function told({ phases }: RequestTrace): string[] {
  const rules = phases.flatMap(({ rulesets }) => rulesets.flatMap(({ rules }) => rules))
  return rules.map(
    ({ id, evaluation, did, skippedBy }) =>
      `${id}: ${evaluation}${did === undefined ? '' : ` ${did}`}${skippedBy === undefined ? '' : ` by ${skippedBy}`}`,
  )
}

const custom = (id: string, action: 'block' | 'log', matches = true): PlanRule =>
  rule({ kind: 'action', action }, () => matches, id)

const skip = (parts: Partial<SkipEffect>): SkipEffect => ({
  kind: 'skip',
  current: undefined,
  phases: new Set(),
  rulesets: new Set(),
  products: new Set(),
  excepts: false,
  logs: true,
  ...parts,
})

test('traces, samples and shadows leave no trace in persistent collections', async t => {
  const text = `
    SecRuleEngine On
    SecAction "id:1,phase:1,nolog,pass,initcol:ip=%{REMOTE_ADDR}"
    SecRule IP:n "@ge 3" "id:2,phase:1,deny,status:403"
    SecAction "id:3,phase:1,nolog,pass,setvar:ip.n=+1"`
  const compiled = compile([{ name: 'test.conf', text }], { readData: () => undefined })
  assert.ok(compiled.ok)
  const run = execution(compiled.value, { ruleIds: ['', '', ''] })
  const everyLevel = { ...run.everyLevel, levels: new Uint8Array(3), isOwn: false }
  const parts: PlanParts = {
    managed: [rule({ ...run, everyLevel })],
    sampleRate: 1,
    shadow: { sampleRate: 1, paranoiaLevel: 1, execution: run },
  }
  const { trace, url, samples, edge } = await started(t, parts, { explain: explainInSlices })
  for (const status of [200, 200, 200, 403]) {
    for (let n = 0; n < 2; n++)
      assert.equal((await trace(get)).outcome.kind, status === 200 ? 'forward' : 'answer')
    const before = samples.length
    const answer = await fetch(url)
    await answer.arrayBuffer()
    assert.equal(answer.status, status)
    await eventually(() => samples.length === before + 1)
  }
  assert.equal(edge.stats().shadows.runs, 4)
})

test('rules are listed in order, up to the rule that ends the request', async t => {
  const program = fakeProgram()
  const rules = [custom('a', 'log'), custom('b', 'block', false), custom('c', 'block'), custom('d', 'log')]
  const { trace } = await started(t, {
    custom: rules,
    managed: [rule(execution(program), () => true, 'owasp')],
  })
  const answer = await trace(get)
  assert.deepEqual(told(answer), [
    'a: matched log',
    'b: not_matched',
    'c: matched block',
    'd: not_reached',
    'owasp: not_reached',
  ])
  assert.deepEqual(
    answer.phases.map(({ phase, reached }) => [phase, reached]),
    [
      ['http_request_firewall_custom', true],
      ['http_request_firewall_managed', false],
    ],
  )
  assert.equal(program.requests.length, 0)
  const { kind, action, ruleId, status } = answer.outcome
  assert.deepEqual([kind, action, ruleId, status], ['answer', 'block', 'c', 403])
})

test('a managed ruleset lists each match with its score and the total', async t => {
  const managed = [rule(execution(fakeProgram(), { threshold: 5 }))]
  const { trace } = await started(t, { managed })
  const [phase] = (await trace(post('an attack', { target: '/attack' }))).phases
  const inspection = phase!.rulesets[0]!.rules[0]!.managed!
  assert.deepEqual(
    inspection.matches.map(({ id, ref, target, value, score, total }) => [
      id,
      ref,
      target,
      value,
      score,
      total,
    ]),
    [
      ['id-of-942100', '942100', 'REQUEST_URI', 'attack', 5, 5],
      ['id-of-942100', '942100', 'REQUEST_BODY', 'attack', 5, 10],
    ],
  )
  const { score, threshold, acts, acted, incomplete } = inspection
  assert.deepEqual([score, threshold, acts, acted, incomplete], [10, 5, true, true, false])
})

test('a match is explained by its conditions, with the steps of each value', async t => {
  const text = `SecRequestBodyAccess On
    SecRule ARGS "@rx b(an)+a" "id:942100,phase:2,block,t:none,t:urlDecodeUni,t:lowercase,chain,\\
      msg:'Fruit',severity:CRITICAL,tag:'paranoia-level/1'"
      SecRule REQUEST_METHOD "!@within GET" "t:none"`
  const compiled = compile([{ name: 'test.conf', text }], { readData: () => undefined })
  assert.ok(compiled.ok)
  const program = compiled.value
  const exception = program.exception({
    off: () => false,
    targets: [{ rules: () => true, collection: 'ARGS', key: { kind: 'exact', text: 'free' } }],
  })
  const excepts = rule(skip({ excepts: true }), () => true, 's')
  const managed = [
    excepts,
    rule(
      execution(program, {
        ruleIds: ['fruit'],
        exceptions: new Map([['s', { exception, lastRule: false }]]),
      }),
    ),
  ]
  const { trace } = await started(t, { managed }, { explain: explainInSlices })
  const conditionsOf = async (body: string) => {
    const traced = await trace(
      post(body, {
        headers: [
          ...get.headers,
          ['Content-Type', 'application/x-www-form-urlencoded'],
          ['Content-Length', String(body.length)],
        ],
      }),
    )
    return traced.phases[0]!.rulesets[0]!.rules[1]!.managed!.matches.map(({ conditions }) => conditions)
  }
  assert.deepEqual(await conditionsOf('free=banana'), [])
  assert.deepEqual(await conditionsOf('free=banana&q=a%2542ANANA!'), [
    [
      {
        operator: '@rx',
        parameter: 'b(an)+a',
        values: [
          {
            target: 'ARGS:q',
            original: 'a%42ANANA!',
            steps: [
              { transformation: 'urlDecodeUni', value: 'aBANANA!' },
              { transformation: 'lowercase', value: 'abanana!' },
            ],
            found: 'banana',
          },
        ],
      },
      {
        operator: '!@within',
        parameter: 'GET',
        values: [{ target: 'REQUEST_METHOD', original: 'POST', steps: [], found: '' }],
      },
    ],
  ])
  const long = `q=banana${'x'.repeat(edgeTraceLimits.explainedBodyBytesMax)}`
  assert.deepEqual(await conditionsOf(long), [[]])
})

test('a ruleset below the threshold or without its last rule takes no action', async t => {
  for (const parts of [{ threshold: 6 }, { acts: false }]) {
    const { trace } = await started(t, { managed: [rule(execution(fakeProgram(), parts))] })
    const answer = await trace(post('an attack'))
    const inspection = answer.phases[0]!.rulesets[0]!.rules[0]!.managed!
    assert.deepEqual([inspection.score, inspection.acted], [5, false])
    assert.equal(answer.outcome.kind, 'forward')
  }
})

test('skipped rules name the rule that skips them', async t => {
  const managed = [rule(execution(fakeProgram()), () => true, 'owasp')]
  const rows: [string, Partial<SkipEffect>, string[]][] = [
    [
      'the rest of the ruleset',
      { current: 'ruleset' },
      ['s: matched skip', 'z: skipped by s', 'owasp: matched'],
    ],
    [
      'a later phase',
      { phases: new Set(['http_request_firewall_managed'] as const) },
      ['s: matched skip', 'z: not_matched', 'owasp: skipped by s'],
    ],
    [
      'a managed ruleset',
      { rulesets: new Set(['managed-1']) },
      ['s: matched skip', 'z: not_matched', 'owasp: matched by s'],
    ],
  ]
  for (const [name, parts, want] of rows) {
    const skipping = rule(skip(parts), () => true, 's')
    const { trace } = await started(t, { custom: [skipping, custom('z', 'block', false)], managed })
    assert.deepEqual(told(await trace(post('fine'))), want, name)
  }
})

test('the rules of a custom ruleset are listed under the rule that executes it', async t => {
  const inner = { id: 'inner', version: '3', kind: 'custom', rules: [custom('i', 'block')] } as const
  const { trace } = await started(t, {
    custom: [rule({ kind: 'execute-custom', ruleset: inner }, () => true, 'outer')],
  })
  const [outer] = (await trace(get)).phases[0]!.rulesets[0]!.rules
  assert.deepEqual([outer!.id, outer!.evaluation], ['outer', 'matched'])
  assert.equal(outer!.executes!.version, '3')
  assert.deepEqual(
    outer!.executes!.rules.map(({ id, did }) => [id, did]),
    [['i', 'block']],
  )
})

test('nothing is sent, counted, written or solved', async t => {
  const limit: RateLimitRule = {
    keyOf: () => 'key',
    counts: () => true,
    countedAt: 'request',
    periodMs: 60_000,
    max: 1,
    mitigationMs: 60_000,
  }
  const limited = rule({ kind: 'action', action: 'block', limit }, () => true, 'limit')
  const request = [planPhase('http_ratelimit', { zone: [limited] })]
  const rateCounters = new LocalRateCounters(newRateMemory())
  const running = await started(t, { request }, { rateCounters })
  const { trace, edge, records, events, audit, url, asked } = running
  const before = edge.stats()
  for (let time = 0; time < 3; time++) assert.equal((await trace(get)).outcome.kind, 'forward')
  assert.deepEqual(edge.stats(), before)
  assert.deepEqual([records.length, events.length, audit.length, asked()], [0, 0, 0, 0])

  assert.equal((await fetch(url)).status, 200)
  assert.equal((await trace(get)).outcome.kind, 'forward')
  assert.equal((await fetch(url)).status, 429)
  const beyond = await trace(get)
  assert.deepEqual([beyond.outcome.status, told(beyond)], [429, ['limit: matched block']])
})

test('the records equal those of a real request, except for fields of its connections', async t => {
  const managed = [rule(execution(fakeProgram(), { threshold: 5 }))]
  const running = await started(t, {
    custom: [custom('log', 'log')],
    managed,
    logFields: { request: ['x-asked'], cookies: ['kept'] },
  })
  const { trace, port, records, events } = running
  const rows: {
    name: string
    head: string
    headers: TraceRequest['headers']
    body: string
    target: string
  }[] = [
    {
      name: 'blocked',
      head: 'POST /a?token=secret&b=1 HTTP/1.1',
      target: '/a?token=secret&b=1',
      headers: [
        ['Host', 'site.test'],
        ['X-Asked', 'yes'],
        ['Cookie', 'kept=1; other=2'],
        ['Content-Length', '6'],
      ],
      body: 'attack',
    },
    {
      name: 'allowed',
      head: 'POST / HTTP/1.1',
      target: '/',
      headers: [
        ['Host', 'site.test'],
        ['User-Agent', 'curl/8'],
        ['Content-Length', '4'],
      ],
      body: 'fine',
    },
  ]
  for (const { name, head, headers, body, target } of rows) {
    records.length = 0
    events.length = 0
    const lines = headers.map(([header, value]) => `${header}: ${value}\r\n`).join('')
    const client = new RawClient(port).send(`${head}\r\n${lines}\r\n${body}`)
    await eventually(() => records.length === 1)
    client.socket.destroy()
    const real = { method: 'POST', target, headers, body: Buffer.from(body) }
    const { records: traced } = await trace({ ...get, ...real, port })
    const passing = ['RayID', 'EdgeStartTimestamp', 'EdgeEndTimestamp', 'Datetime', 'EdgeTimeToFirstByteMs']
    const comparable = (fields: object) =>
      Object.fromEntries(
        Object.entries(fields).filter(
          ([field, value]) =>
            !passing.includes(field) &&
            !traced.notKnown.includes(field) &&
            // The fixture adds the empty fields of a record.
            value !== '' &&
            value !== 0 &&
            !(Array.isArray(value) && value.length === 0),
        ),
      )
    assert.deepEqual(comparable(traced.httpRequests), comparable(records[0]!), name)
    assert.deepEqual(traced.firewallEvents.map(comparable), events.map(comparable), name)
    assert.equal('EdgeResponseStatus' in traced.httpRequests, name === 'blocked')
  }
})

test('a malformed request is refused with the reason, and rules do not act on it', async t => {
  const { trace } = await started(t, { custom: [custom('c', 'block')] })
  const twice: TraceRequest = { ...get, headers: [...get.headers, ...get.headers] }
  const { outcome } = await trace(twice)
  assert.deepEqual(
    [outcome.kind, outcome.status, outcome.reason],
    ['answer', 400, 'the request has more than one Host header'],
  )
})

test('a client with an assumed clearance passes challenges', async t => {
  const challenge = rule({ kind: 'action', action: 'managed_challenge' })
  const { trace } = await started(t, { custom: [challenge] })
  assert.deepEqual(
    await Promise.all([false, true].map(async cleared => (await trace({ ...get, cleared })).outcome.kind)),
    ['answer', 'forward'],
  )
})

test('the location of the client can be set', async t => {
  const seen: string[] = []
  const asks = rule({ kind: 'action', action: 'log' }, ({ geo }) => {
    seen.push(`${geo.country} ${geo.city}`)
    return false
  })
  const { trace } = await started(t, { custom: [asks] })
  await trace(get)
  await trace({ ...get, location: { country: 'DE', city: 'Berlin' } })
  assert.deepEqual(seen, [' ', 'DE Berlin'])
})

test('a trace shows the redirect target, and the URI and host for the origin', async t => {
  const redirect = rule({
    kind: 'redirect',
    status: 302,
    target: () => 'https://other.test/',
    preserveQuery: false,
  })
  const rewrite = rule({ kind: 'rewrite-uri', path: () => '/new', query: undefined })
  const moved = await started(t, {
    request: [planPhase('http_request_dynamic_redirect', { zone: [redirect] })],
  })
  const { outcome } = await moved.trace(get)
  assert.deepEqual([outcome.kind, outcome.status, outcome.location], ['answer', 302, 'https://other.test/'])
  const rewritten = await started(t, { request: [planPhase('http_request_transform', { zone: [rewrite] })] })
  const { outcome: forwarded } = await rewritten.trace({ ...get, target: '/old?a=1' })
  assert.deepEqual([forwarded.uri, forwarded.host, forwarded.status], ['/new?a=1', 'site.test', 0])
})

test('a trace shows the server of a load balancer and its Host header, and takes no turn', async t => {
  const down = new Set(['b'])
  const server = (name: string) => ({
    url: `http://${name}.test`,
    weight: 1,
    hostHeader: `host-of-${name}`,
    healthKey: name,
  })
  const pool = (id: string, ...names: string[]) => ({ id, servers: names.map(server), healthyMin: 1 })
  const pools = [pool('one', 'a', 'b'), pool('two', 'c')].map(one => ({ ...one, weight: 1 }))
  const origins = { of: () => ({ pools, fallback: pools[0]!, shared: false, failsOver: false }) }
  const { trace } = await started(t, { origins }, { originHealth: { isDown: key => down.has(key) } })
  const told = async () => {
    const { outcome } = await trace(get)
    return [outcome.origin, outcome.host]
  }
  assert.deepEqual(await told(), ['http://a.test', 'host-of-a'])
  assert.deepEqual(await told(), ['http://a.test', 'host-of-a'])
  down.add('a')
  assert.deepEqual(await told(), ['http://c.test', 'host-of-c'])
})

test('hosts of no zone or of other accounts are not traced', async t => {
  const { edge } = await started(t, {})
  for (const request of [
    { ...get, headers: [['Host', 'unknown.example']] as const },
    { ...get, accountId: 'f'.repeat(32) },
  ])
    assert.deepEqual(await edge.trace(request), { ok: false, reason: 'no-zone' })
})

test('other work runs before each trace and before its explanation', async t => {
  let turn = 0
  let watching = true
  const watch = () => {
    turn++
    if (watching) setImmediate(watch)
  }
  const seen: number[] = []
  const look = () => {
    seen.push(turn)
    return true
  }
  const explain = () => {
    look()
    return noExplanation()
  }
  const managed = [rule(execution(fakeProgram()), look)]
  const { edge } = await started(t, { managed }, { explain })
  setImmediate(watch)
  const attack = post('an attack')
  await Promise.all(Array.from({ length: edgeTraceLimits.runningMax }, () => edge.trace(attack)))
  watching = false
  assert.equal(seen.length, 2 * edgeTraceLimits.runningMax)
  assert.ok(seen[0]! > 0 && new Set(seen).size === seen.length, String(seen))
})

test('concurrent traces are limited', async t => {
  let busy = true
  const managed = [rule(execution(fakeProgram({ busyWhile: () => busy })))]
  const { edge } = await started(t, { managed })
  const running = Array.from({ length: edgeTraceLimits.runningMax }, () => edge.trace(get))
  assert.deepEqual(await edge.trace(get), { ok: false, reason: 'busy' })
  busy = false
  for (const answer of await Promise.all(running)) assert.ok(answer.ok)
  assert.ok((await edge.trace(get)).ok)
})

test('a request that no server would get has the answer of the edge', async t => {
  const { edge } = await startEdge(t, planFor(undefined))
  const answer = await edge.trace(get)
  assert.ok(answer.ok)
  const { kind, status, reason, origin } = answer.trace.outcome
  assert.deepEqual([kind, status, origin], ['answer', 503, ''])
  assert.match(reason, /has no origin/)
  assert.equal(answer.trace.records.httpRequests['EdgeResponseStatus'], 503)
})

test('checks beside the phases are listed, and the rules that an access rule skips', async t => {
  const accessRule = (mode: 'block' | 'whitelist') => {
    const table = new AccessTable()
    const key = accessRuleKey('ip', '127.0.0.1')!
    table.put([{ id: mode, ownerId: zoneId, target: 'ip', key, mode, notes: 'office', revision: 1 }])
    return table
  }
  const lockdown = aLockdown(zoneId, { id: 'lock', urls: ['site.test/*'] })
  const rules = { custom: [custom('c', 'log')], firewall: { lockdowns: [lockdown] } }
  const check = (source: string, ruleId: string, did: string, description = '') => ({
    source,
    before: source === 'ip' ? 'http_request_origin' : 'http_ratelimit',
    ruleId,
    description,
    did,
  })
  const rows: [PlanParts, object[], string[], number][] = [
    [rules, [check('zoneLockdown', 'lock', 'block')], ['c: matched log'], 403],
    [
      { ...rules, accessRules: accessRule('whitelist') },
      [check('ip', 'whitelist', 'allow', 'office')],
      ['c: skipped by whitelist'],
      0,
    ],
    [
      { ...rules, accessRules: accessRule('block') },
      [check('ip', 'block', 'block', 'office')],
      ['c: not_reached'],
      403,
    ],
  ]
  for (const [parts, checks, phases, status] of rows) {
    const { trace } = await started(t, parts)
    const traced = await trace(get)
    assert.deepEqual([traced.checks, told(traced), traced.outcome.status], [checks, phases, status])
  }
})
