import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { eventually } from '../support/eventually.ts'
import { type Answer, client, type Fronts, frontSettings, startFronts } from '../support/fronts.ts'
import { inForce } from '../support/in-force.ts'
import {
  api,
  discard,
  type Instance,
  newData,
  readJsonLines,
  startSluice,
  testCrs,
} from '../support/sluice.ts'

/**
 * Rules of every phase, written through the API. Requests meet them at an edge of two workers, over HTTP/1.1 and over TLS
 * with HTTP/2, and behind HAProxy and Envoy (`test/support/fronts.ts`).
 */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'
const options = { skip }

const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const attack = "/search?q=1'%20or%20'1'='1'%20union%20select%20password%20from%20users--"

let sluice: Instance
let data: string
let account: string
let zone: string
let first: Server
let second: Server
let fronts: Fronts

before(async () => {
  if (skip) return
  ;[first, second] = await Promise.all([echo('first'), echo('second')])
  data = await newData({ SLUICE_CRS: testCrs })
  const settings = await frontSettings()
  sluice = await startSluice({
    data,
    settings: {
      ...settings,
      SLUICE_CRS: testCrs,
      SLUICE_WORKERS: '2',
      SLUICE_DEFAULT_ZONE: 'shop.test',
      SLUICE_AUDIT_LOG: join(data, 'audit.ndjson'),
    },
  })
  account = (await api(sluice, 'GET', '/accounts')).result[0].id
  const made = await api(sluice, 'POST', '/zones', {
    name: 'shop.test',
    account: { id: account },
    origin: { url: `http://127.0.0.1:${portOf(first)}` },
  })
  zone = made.result.id
  fronts = await startFronts(sluice, settings, { host: 'shop.test', origin: made.result.origin.url })
})

after(async () => {
  if (skip) return
  await fronts.close()
  for (const server of [first, second]) {
    server.closeAllConnections()
    server.close()
  }
  await discard(sluice)
  await rm(data, { recursive: true, force: true })
})

/** An origin that tells what it got. */
async function echo(name: string): Promise<Server> {
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    const { method, url, headers } = incoming
    response.writeHead(200, [
      ['content-type', 'application/json'],
      ['server', 'echo'],
      ['x-twice', 'one'],
      ['x-twice', 'two'],
    ] as unknown as string[])
    response.end(JSON.stringify({ name, method, url, headers, body }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

interface Echoed {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

function echoed({ text }: Answer): Echoed {
  return JSON.parse(text)
}

/** Puts a zone's rules of one phase in force at both workers. */
async function deploy(phase: string, rules: readonly object[]): Promise<void> {
  const answer = await api(sluice, 'PUT', `/zones/${zone}/rulesets/phases/${phase}/entrypoint`, { rules })
  assert.equal(answer.status, 200, JSON.stringify(answer.errors))
  await inForce(sluice)
}

test('redirects, rewrites and routes', options, async () => {
  await deploy('http_request_dynamic_redirect', [
    {
      action: 'redirect',
      expression: 'http.request.uri.path wildcard "/old/*"',
      action_parameters: {
        from_value: {
          target_url: {
            expression: 'wildcard_replace(http.request.full_uri, "http*://*/old/*", "https://${2}/new/${3}")',
          },
          status_code: 308,
          preserve_query_string: false,
        },
      },
    },
  ])
  await deploy('http_request_transform', [
    {
      action: 'rewrite',
      expression: 'starts_with(http.request.uri.path, "/a/")',
      action_parameters: {
        uri: {
          path: { expression: 'concat("/b/", substring(http.request.uri.path, 3))' },
          query: { value: 'from=rewrite' },
        },
      },
    },
    {
      action: 'rewrite',
      expression: 'http.request.uri.path eq "/b/seen"',
      action_parameters: { uri: { path: { value: '/wrong' } } },
    },
  ])
  await deploy('http_request_origin', [
    {
      action: 'route',
      expression: 'starts_with(http.request.uri.path, "/b/")',
      action_parameters: { host_header: 'inner.test', origin: { port: portOf(second) } },
    },
  ])
  await deploy('http_request_late_transform', [
    {
      action: 'rewrite',
      expression: 'true',
      action_parameters: {
        headers: {
          'x-path': {
            operation: 'set',
            expression: 'concat(raw.http.request.uri.path, " ", http.request.uri.path)',
          },
          'x-secret': { operation: 'remove' },
        },
      },
    },
  ])
  await deploy('http_response_headers_transform', [
    {
      action: 'rewrite',
      expression: 'http.response.code eq 200',
      action_parameters: {
        headers: {
          'x-frame-options': { operation: 'set', value: 'DENY' },
          server: { operation: 'remove' },
          'x-more': { operation: 'add', expression: 'to_string(http.response.code)' },
        },
      },
    },
  ])
  await fronts.each(async ({ send, can }) => {
    const moved = await send('/old/page?x=1')
    assert.equal(moved.status, 308)
    assert.equal(moved.headers.location, 'https://shop.test/new/page?x=1')

    const rewritten = await send('/a/seen?gone=1', { headers: { 'x-secret': 's' } })
    assert.equal(rewritten.status, 200)
    const { name, url, headers } = echoed(rewritten)
    assert.equal(name, can.chooseServer ? 'second' : 'first')
    assert.equal(url, '/b/seen?from=rewrite', 'a rule of the same phase does not see the rewritten path')
    assert.equal(headers.host, 'inner.test')
    assert.equal(headers['x-path'], '/a/seen /b/seen')
    assert.equal(headers['x-secret'], undefined)
    assert.equal(rewritten.headers['x-frame-options'], 'DENY')
    assert.equal(rewritten.headers.server, can.removeServerHeader ? undefined : 'envoy')
    assert.equal(rewritten.headers['x-more'], '200')

    assert.equal(echoed(await send('/c')).name, 'first')
  })
  for (const phase of ['http_request_dynamic_redirect', 'http_request_transform', 'http_request_origin']) {
    await api(sluice, 'PUT', `/zones/${zone}/rulesets/phases/${phase}/entrypoint`, { rules: [] })
  }
})

test('bulk redirects of the account', options, async () => {
  const lists = `/accounts/${account}/rules/lists`
  const list = (await api(sluice, 'POST', lists, { kind: 'redirect', name: 'moved' })).result.id
  const items = [
    { source_url: 'shop.test/gone', target_url: 'https://new.test/here', status_code: 307 },
    {
      source_url: 'TEST/docs',
      target_url: 'https://docs.test/v2',
      include_subdomains: true,
      subpath_matching: true,
      preserve_query_string: true,
    },
  ]
  await api(
    sluice,
    'POST',
    `${lists}/${list}/items`,
    items.map(redirect => ({ redirect })),
  )
  const phase = `/accounts/${account}/rulesets/phases/http_request_redirect/entrypoint`
  const fromList = (name: string) => [
    {
      action: 'redirect',
      expression: `http.request.full_uri in $${name} and http.request.method ne "PUT"`,
      action_parameters: { from_list: { name, key: 'http.request.full_uri' } },
    },
  ]
  assert.equal((await api(sluice, 'PUT', phase, { rules: fromList('other') })).status, 400)
  assert.equal((await api(sluice, 'PUT', phase, { rules: fromList('moved') })).status, 200)
  const inUse = await api(sluice, 'DELETE', `${lists}/${list}`)
  assert.match(inUse.errors[0]!.message, /rule/)
  assert.equal((await api(sluice, 'GET', `${lists}/${list}`)).result.num_referencing_filters, 1)
  await deploy('http_request_firewall_custom', [
    { action: 'block', expression: 'http.request.uri.path eq "/docs/secret"' },
  ])
  await fronts.each(async ({ send }) => {
    const gone = await send('/gone?x=1')
    assert.deepEqual([gone.status, gone.headers.location], [307, 'https://new.test/here'])
    const docs = await send('/docs/a/b?x=1')
    assert.deepEqual([docs.status, docs.headers.location], [301, 'https://docs.test/v2/a/b?x=1'])
    assert.equal((await send('/docs/secret')).status, 403, 'rules of the firewall come first')
    assert.equal((await send('/docs/a', { method: 'PUT' })).status, 200)
    assert.equal((await send('/elsewhere')).status, 200)
  })
  await api(sluice, 'PUT', phase, { rules: [] })
  await deploy('http_request_firewall_custom', [])
})

test('compression rules', options, async () => {
  const phase = 'http_response_compression'
  const algorithms = [{ name: 'zstd' }, { name: 'gzip' }]
  const expression = 'http.response.content_type.media_type eq "application/json"'
  await deploy(phase, [{ action: 'compress_response', expression, action_parameters: { algorithms } }])
  await fronts.each(async ({ send, can }) => {
    for (const [accepts, coding] of [
      ['gzip, zstd', 'zstd'],
      ['gzip', 'gzip'],
      ['br', undefined],
    ] as const) {
      const { headers } = await send('/page', { headers: { 'accept-encoding': accepts } })
      assert.equal(headers['content-encoding'], can.compress ? coding : undefined)
    }
  })
  await deploy(phase, [])
})

test('bodies are there for expressions, and reach the origin whole', options, async () => {
  await deploy('http_request_firewall_custom', [
    { action: 'block', expression: 'any(http.request.body.form["plan"][*] eq "gold")' },
    { action: 'block', expression: 'lookup_json_string(http.request.body.raw, "user", "role") eq "root"' },
  ])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const json = { 'content-type': 'application/json' }
  await fronts.each(async ({ send }) => {
    assert.equal((await send('/', { method: 'POST', headers: form, body: 'a=1&plan=gold' })).status, 403)
    const large = `plan=iron&text=${'x'.repeat(500_000)}`
    const passed = await send('/', { method: 'POST', headers: form, body: large })
    assert.equal(passed.status, 200)
    assert.equal(echoed(passed).body, large)
    const root = await send('/', { method: 'POST', headers: json, body: '{"user":{"role":"root"}}' })
    assert.equal(root.status, 403)
  })
})

test('names and values of headers may be any bytes in an expression', options, async () => {
  // As a client writes it, byte for byte; the fourth has the character of JSON, which is two bytes.
  const body = String.raw`{"rules": [
    {"action": "block", "expression": "any(http.request.headers[\"\\xff\"][*] eq \"x\")"},
    {"action": "block", "expression": "len(http.request.headers[\"\\xff\"]) gt 0"},
    {"action": "block", "expression": "http.request.headers[\"\\xff\"][0] eq \"\\xff\""},
    {"action": "block", "expression": "any(http.request.headers[\"\u00ff\"][*] eq \"x\")"},
    {"action": "block", "expression": "any(http.request.headers[\"x-bytes\"][*] eq \"a\\xff\")"}
  ]}`
  const path = `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`
  const answer = await fetch(`${sluice.apiUrl}${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${sluice.token}`, 'content-type': 'application/json' },
    body,
  })
  const sent = (await answer.json()) as { result: { rules: { expression: string }[] } }
  assert.equal(answer.status, 200, JSON.stringify(sent))
  assert.equal(sent.result.rules[0]!.expression, String.raw`any(http.request.headers["\xff"][*] eq "x")`)
  await inForce(sluice)
  await fronts.each(async ({ send, port, protocol }) => {
    assert.equal((await send('/', { headers: { 'x-bytes': 'a' } })).status, 200)
    assert.equal((await send('/', { headers: { 'x-bytes': 'a\xff' } })).status, 403)
    if (protocol === 'HTTP/2') return
    // No header can bear that name (RFC 9110 5.1): the request is refused before any rule.
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\xff: x\r\n\r\n', 'latin1')
    assert.match(await text(socket), /^(HTTP\/1\.1 400 |$)/)
  })
})

test('lists, and what a change of their items does', options, async () => {
  const made = await api(sluice, 'POST', `/accounts/${account}/rules/lists`, { kind: 'ip', name: 'banned' })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  await deploy('http_request_firewall_custom', [{ action: 'block', expression: 'ip.src in $banned' }])
  const from = { from: '127.0.7.7' }
  await fronts.each(async ({ send }) => assert.equal((await send('/', from)).status, 200))
  const items = `/accounts/${account}/rules/lists/${made.result.id}/items`
  const added = await api(sluice, 'POST', items, [{ ip: '127.0.7.0/24', comment: 'test net' }])
  assert.equal(added.status, 200, JSON.stringify(added.errors))
  assert.match(added.result.operation_id, /^[0-9a-f]{32}$/)
  const operation = `/accounts/${account}/rules/lists/bulk_operations/${added.result.operation_id}`
  const status = async () => (await api(sluice, 'GET', operation)).result.status
  while (['pending', 'running'].includes(await status())) await sleep(50)
  assert.equal(await status(), 'completed')
  await fronts.each(async ({ send }) => {
    // Twenty in a row: whichever worker is asked.
    for (let blocked = 0, tries = 0; blocked < 20; tries++) {
      blocked = (await send('/', from)).status === 403 ? blocked + 1 : 0
      assert.ok(tries < 1000, 'the items are not in force')
      if (blocked === 0) await sleep(50)
    }
    assert.equal((await send('/')).status, 200)
  })
  const unknown = await api(
    sluice,
    'PUT',
    `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`,
    { rules: [{ action: 'block', expression: 'ip.src in $absent' }] },
  )
  assert.equal(unknown.status, 400)
  assert.match(unknown.errors[0]!.message, /absent/)
  await deploy('http_request_firewall_custom', [])
})

test('a rate limit lets exactly so many through, whichever worker they meet', options, async () => {
  await deploy('http_ratelimit', [
    {
      action: 'block',
      expression: 'http.request.uri.path eq "/login"',
      ratelimit: {
        characteristics: ['cf.colo.id', 'ip.src'],
        period: 60,
        requests_per_period: 7,
        mitigation_timeout: 60,
      },
    },
  ])
  await fronts.each(async ({ name, send }) => {
    const network = `127.0.1${fronts.all.findIndex(front => front.name === name)}`
    const visit = (host: number, path = '/login') => send(path, { from: `${network}.${host}` })
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await visit(1)).status))
    assert.equal(statuses.filter(status => status === 200).length, 7)
    assert.equal(statuses.filter(status => status === 429).length, 33)
    const limited = await visit(1)
    assert.ok(Number(limited.headers['retry-after']) > 50)
    assert.equal((await visit(2)).status, 200)
    assert.equal((await visit(1, '/other')).status, 200)
  })
  await deploy('http_ratelimit', [])
})

test('exceptions: of a ruleset, of a rule, of an argument', options, async () => {
  const entry = 'http_request_firewall_managed'
  const execute = {
    action: 'execute',
    expression: 'true',
    action_parameters: {
      id: owasp,
      overrides: { rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 5 }] },
    },
  }
  const skips = (action_parameters: object) => ({ action: 'skip', expression: 'true', action_parameters })
  const levels = [1, 2, 3, 4].map(level => ({ tag: `paranoia-level-${level}`, collection: 'ARGS', key: 'q' }))
  const elsewhere = attack.replace('q=', 'p=')
  const steps: [rules: object[], path: string, status: number, why: string][] = [
    [[execute], attack, 403, 'the ruleset blocks'],
    [[skips({ rulesets: [owasp] }), execute], attack, 200, 'the ruleset is skipped'],
    [[skips({ targets: levels }), execute], attack, 200, 'the argument q is not looked at'],
    [[skips({ targets: levels }), execute], elsewhere, 403, 'another argument is'],
    [[execute, skips({ rulesets: [owasp] })], attack, 403, 'a skip rule concerns what follows it'],
  ]
  for (const [rules, path, status, why] of steps) {
    await deploy(entry, rules)
    await fronts.each(async ({ send }) => assert.equal((await send(path)).status, status, why))
  }
})

test('custom log fields of every kind are in the record', options, async () => {
  await deploy('http_log_custom_fields', [
    {
      action: 'log_custom_field',
      expression: 'true',
      action_parameters: {
        request_fields: [{ name: 'x-tenant' }],
        transformed_request_fields: [{ name: 'x-path' }],
        response_fields: [{ name: 'x-frame-options' }],
        raw_response_fields: [{ name: 'server' }, { name: 'x-twice', preserve_duplicates: true }],
        cookie_fields: [{ name: 'Sid' }],
      },
    },
  ])
  const start = new Date().toISOString()
  await fronts.each(async ({ name, send }) => {
    const headers = { 'x-tenant': 'blue', cookie: 'Sid=42; other=1' }
    assert.equal((await send(`/page?${name.replace('/', '')}`, { headers })).status, 200)
  })
  const target = join(data, 'log')
  const job = await api(sluice, 'POST', `/zones/${zone}/logpush/jobs`, {
    name: 'fields',
    enabled: true,
    start,
    dataset: 'http_requests',
    destination_conf: `file://${target}`,
    output_options: { field_names: recordFields },
  })
  assert.equal(job.status, 200, JSON.stringify(job.errors))
  const lines = await delivered(target, fronts.all.length)
  await fronts.each(async ({ name, scheme, protocol }) => {
    const line = lines.find(({ ClientRequestURI }) => ClientRequestURI === `/page?${name.replace('/', '')}`)
    assert.deepEqual(line, {
      ...line,
      ClientIP: client,
      ClientRequestHost: 'shop.test',
      ClientRequestProtocol: protocol,
      ClientRequestScheme: scheme,
      EdgeResponseStatus: 200,
      OriginResponseStatus: 200,
      WAFFlags: '',
      RequestHeaders: { 'x-tenant': 'blue', 'x-path': '/page /page' },
      ResponseHeaders: { 'x-frame-options': 'DENY', server: 'echo', 'x-twice': ['one', 'two'] },
      Cookies: { Sid: '42' },
    })
  })
})

const recordFields = [
  ...['RayID', 'ClientIP', 'ClientRequestHost', 'ClientRequestProtocol', 'ClientRequestScheme'],
  ...['ClientRequestURI', 'EdgeResponseStatus', 'OriginResponseStatus', 'WAFFlags'],
  ...['RequestHeaders', 'ResponseHeaders', 'Cookies'],
]

/** Until there are so many lines. */
async function delivered(directory: string, count: number): Promise<Record<string, unknown>[]> {
  for (let tries = 0; tries < 400; tries++) {
    const files = await readdir(directory, { recursive: true }).catch(() => [])
    const lines = files
      .filter(name => name.endsWith('.gz'))
      .flatMap(name =>
        gunzipSync(readFileSync(join(directory, name)))
          .toString()
          .trim()
          .split('\n'),
      )
    if (lines.length >= count) return lines.map(line => JSON.parse(line))
    await sleep(100)
  }
  throw new Error(`fewer than ${count} lines were delivered`)
}

test(
  'hosts that no zone claims meet the rules of the default zone, and blocks are in the audit log',
  options,
  async () => {
    await deploy('http_request_firewall_custom', [
      {
        action: 'block',
        expression: 'http.request.uri.path eq "/blocked" and http.host eq "elsewhere.example"',
      },
    ])
    await fronts.each(async ({ send }) => {
      const host = 'elsewhere.example'
      assert.equal(echoed(await send('/', { host })).headers.host, host)
      const blocked = await send('/blocked', { host })
      assert.equal(blocked.status, 403)
      const rayId = String(blocked.headers['ray-id'])
      await eventually(async () => {
        const lines = (await readJsonLines(join(data, 'audit.ndjson'))) as AuditLine[]
        const { zone, action } = lines.find(line => rayId.startsWith(line.ray_id))!
        assert.deepEqual([zone, action], ['shop.test', 'block'])
      })
    })
  },
)

interface AuditLine {
  readonly ray_id: string
  readonly zone: string
  readonly action: string
}
