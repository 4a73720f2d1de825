import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import { redactionOf } from '../../rulesets/plan/redaction.ts'
import { nowhere } from '../../rulesets/testing/request-view.ts'
import { ClientRequest } from '../message/client-request.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'
import { botScore } from './bot-score.ts'
import { JsonFields } from './json-fields.ts'
import { type LoggedHeaders, type LoggingPlan, writeCustomFields } from './log-fields.ts'
import { cutText } from './text.ts'

test('a record has the fields of the dataset', async t => {
  const origin = await startOrigin(t, (_request, response) => {
    response.writeHead(201, {
      'content-type': 'text/plain; charset=utf-8',
      expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
    })
    response.end('12345')
  })
  const fields = {
    request: ['x-team', 'absent'],
    response: [{ name: 'content-type', preserveDuplicates: false }],
    cookies: ['Theme'],
  }
  const { port, records } = await startEdge(t, planFor(origin.url, { logFields: fields }), {
    geo: () => ({ ...nowhere, country: 'NZ' }),
  })
  const client = new RawClient(port).send(
    'PUT /caf%C3%A9?a=1 HTTP/1.1\r\nHost: WWW.site.test:80\r\nUser-Agent: curl/8\r\nReferer: http://x/\r\nX-Team: \xc3\xa9\r\n' +
      'Authorization: Bearer secret\r\nCookie: Theme=dark; Session=secret; Theme=light\r\nContent-Length: 2\r\n\r\nhi',
  )
  await client.until('12345')
  await eventually(() => records.length === 1)
  const [record] = records as [{ [field: string]: unknown }]
  const known = new Set(httpRequests.fields.map(field => field.name))
  for (const name of Object.keys(record)) {
    assert.ok(known.has(name), name)
    assert.notEqual(httpRequests.fields.find(field => field.name === name)!.from, 'none', name)
  }
  const want = {
    BotScore: 2,
    ClientCountry: 'nz',
    ClientDeviceType: 'desktop',
    ClientIP: '127.0.0.1',
    ClientRequestHost: 'WWW.site.test:80',
    ClientRequestMethod: 'PUT',
    ClientRequestPath: '/caf%C3%A9',
    ClientRequestProtocol: 'HTTP/1.1',
    ClientRequestReferer: 'http://x/',
    ClientRequestScheme: 'http',
    ClientRequestURI: '/caf%C3%A9?a=1',
    ClientRequestUserAgent: 'curl/8',
    ClientSSLProtocol: 'none',
    EdgeRequestHost: 'WWW.site.test:80',
    EdgeResponseBodyBytes: 5,
    EdgeResponseContentType: 'text/plain',
    EdgeResponseStatus: 201,
    EdgeServerIP: '127.0.0.1',
    OriginIP: '127.0.0.1',
    OriginResponseBytes: 5,
    OriginResponseStatus: 201,
    OriginResponseHTTPExpires: 'Thu, 01 Jan 1970 00:00:00 GMT',
    SecurityAction: '',
    SecurityActions: [],
    ZoneName: 'site.test',
    RequestHeaders: { 'x-team': 'é' },
    ResponseHeaders: { 'content-type': 'text/plain; charset=utf-8' },
    Cookies: { Theme: 'dark' },
  }
  for (const [name, value] of Object.entries(want)) assert.deepEqual(record[name], value, name)
  assert.match(record['EdgeStartTimestamp'] as string, /^\d{19}$/)
  assert.ok(BigInt(record['EdgeEndTimestamp'] as string) >= BigInt(record['EdgeStartTimestamp'] as string))
  assert.equal(record['EdgeResponseBytes'], client.received.length)
  assert.equal(record['RayID'], /Ray-ID: (\w+)/.exec(client.received)![1])
  assert.doesNotMatch(JSON.stringify(record), /secret/)
})

test('an unknown country is recorded as xx', async t => {
  const { url, records } = await startEdge(t, planFor('http://127.0.0.1:1'))
  await fetch(url)
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['ClientCountry'], 'xx')
})

for (const mode of ['matched', 'all'] as const) {
  test(`audit log, mode ${mode}`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end())
    const lines: string[] = []
    const managed = [rule(execution(fakeProgram(), { threshold: 60 }))]
    const { url } = await startEdge(t, planFor(origin.url, { managed }), {
      auditLog: { mode, format: 'json', write: line => void lines.push(line) },
    })
    const headers = { authorization: 'Bearer secret', cookie: 'a=secret', 'x-mark': 'm1' }
    await fetch(`${url}/harmless`, { headers })
    await fetch(`${url}/attack`, { headers })
    await eventually(() => lines.length === (mode === 'all' ? 2 : 1))
    const line = JSON.parse(lines.at(-1)!)
    assert.equal(line.request.uri, '/attack')
    assert.deepEqual(Object.keys(line), [
      'time',
      'ray_id',
      'zone',
      'client_ip',
      'request',
      'status',
      'action',
      'score',
      'threshold',
      'matched',
    ])
    assert.deepEqual(
      [line.zone, line.status, line.action, line.score, line.threshold],
      ['site.test', 200, '', 5, 60],
    )
    const payload = mode === 'all' ? { data: 'found attack' } : {}
    assert.deepEqual(line.matched, [
      {
        id: 942100,
        rule_id: 'id-of-942100',
        phase: 2,
        score: 5,
        message: mode === 'all' ? 'rule 942100: attack' : 'rule 942100',
        tags: ['attack-test'],
        target: 'REQUEST_URI',
        ...payload,
      },
    ])
    assert.doesNotMatch(lines.join(), /secret/)
    assert.ok(
      line.request.headers.some(
        ([name, value]: [string, string]) => name === 'authorization' && value === 'Bearer [redacted]',
      ),
    )
  })
}

test('audit log in the format of ModSecurity', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const lines: string[] = []
  const managed = [rule(execution(fakeProgram(), { threshold: 60 }))]
  const { url } = await startEdge(t, planFor(origin.url, { managed }), {
    auditLog: { mode: 'all', format: 'modsecurity', write: line => void lines.push(line) },
  })
  await fetch(`${url}/harmless`)
  const answer = await fetch(`${url}/attack?token=secret`)
  await eventually(() => lines.length === 1)
  const rayId = answer.headers.get('ray-id')!.slice(0, 16)
  const time = String.raw`\[\d{4}-\d\d-\d\dT[\d:.]+Z\]`
  const tags = String.raw`\[tag "attack-test"\] \[hostname "site\.test"\] \[uri "/attack"\] \[unique_id "${rayId}"\]`
  assert.match(
    lines[0]!,
    new RegExp(
      String.raw`^${time} \[client 127\.0\.0\.1\] ModSecurity: Warning\. Matched at REQUEST_URI\. \[id "942100"\] \[msg "rule 942100: attack"\] \[data "found attack"\] \[score "5"\] ${tags}$`,
    ),
  )
})

const none = { request: [], transformedRequest: [], response: [], rawResponse: [], cookies: [] }
const noHeaders = { request: [], transformedRequest: [], response: [], rawResponse: [] }
const all = (name: string) => ({ name, preserveDuplicates: true })
const first = (name: string) => ({ name, preserveDuplicates: false })
const long = 'a'.repeat(8190)
const cases: readonly {
  name: string
  fields: LoggingPlan['logFields']
  request: [string, string][]
  others?: Partial<LoggedHeaders>
  want: object
}[] = [
  { name: 'nothing wanted', fields: none, request: [['A', '1']], want: {} },
  {
    name: 'no such header',
    fields: { ...none, request: ['b'] },
    request: [['A', '1']],
    want: {},
  },
  {
    name: 'the first of several',
    fields: { ...none, request: ['a'] },
    request: [
      ['A', '1'],
      ['a', '2'],
    ],
    want: { RequestHeaders: { a: '1' } },
  },
  {
    name: 'bytes that are not UTF-8',
    fields: { ...none, request: ['a'] },
    request: [['a', '\xff']],
    want: { RequestHeaders: { a: '\ufffd' } },
  },
  {
    name: 'exactly at the limit',
    fields: { ...none, request: ['a', 'b', 'c'] },
    request: [
      ['a', long],
      ['b', '12'],
      ['c', 'x'],
    ],
    want: { RequestHeaders: { a: long, b: '12' } },
  },
  {
    name: 'cut at a whole character, without later values',
    fields: { ...none, request: ['a', 'b', 'c'], cookies: ['d'] },
    request: [
      ['a', long],
      ['b', '1\xc3\xa9'],
      ['c', 'x'],
      ['cookie', 'd=1'],
    ],
    want: { RequestHeaders: { a: long, b: '1' } },
  },
  {
    name: 'raw and transformed side by side',
    fields: { ...none, request: ['a'], transformedRequest: ['b', 'c'] },
    request: [
      ['a', 'raw'],
      ['b', 'raw'],
    ],
    others: { transformedRequest: [['B', 'rewritten']] },
    want: { RequestHeaders: { a: 'raw', b: 'rewritten' } },
  },
  {
    name: 'all values, of one line and of several',
    fields: { ...none, response: [all('a'), first('b'), all('d')], rawResponse: [all('c'), first('e')] },
    request: [],
    others: {
      response: [
        ['a', '1'],
        ['b', '2'],
        ['B', '3'],
      ],
      rawResponse: [
        ['C', '4'],
        ['c', '5'],
      ],
    },
    want: { ResponseHeaders: { a: ['1'], b: '2', c: ['4', '5'] } },
  },
  {
    name: 'all values are cut together',
    fields: { ...none, response: [all('a'), first('b')] },
    request: [],
    others: {
      response: [
        ['a', long],
        ['a', '123'],
        ['a', '4'],
        ['b', '5'],
      ],
    },
    want: { ResponseHeaders: { a: [long, '12'] } },
  },
  {
    name: 'an empty value differs from an absent one',
    fields: { ...none, request: ['a', 'b'], response: [all('c'), all('d')], cookies: ['e', 'f'] },
    request: [
      ['a', ''],
      ['cookie', 'e=; g=1'],
    ],
    others: { response: [['c', '']] },
    want: { RequestHeaders: { a: '' }, ResponseHeaders: { c: [''] }, Cookies: { e: '' } },
  },
  {
    name: 'set-cookie: the first, before and after rewrites',
    fields: { ...none, response: [first('set-cookie')], rawResponse: [first('server')], cookies: ['a'] },
    request: [],
    others: {
      response: [
        ['Set-Cookie', 'a=1; Path=/'],
        ['Set-Cookie', 'a=2; Path=/'],
      ],
      rawResponse: [['Server', 'raw']],
    },
    want: { ResponseHeaders: { 'set-cookie': 'a=1; Path=/', server: 'raw' } },
  },
  {
    name: 'cookies: the first of all lines; names keep their case',
    fields: { ...none, cookies: ['A', 'b', 'c'] },
    request: [
      ['Cookie', 'a=1; b = "2"'],
      ['Cookie', 'b=3; A=4=5; c'],
    ],
    want: { Cookies: { A: '4=5', b: '"2"' } },
  },
  {
    name: 'a card number at the cut is masked',
    fields: { ...none, request: ['a'] },
    request: [['a', `${'a'.repeat(8178)} 4111111111111111`]],
    want: { RequestHeaders: { a: `${'a'.repeat(8178)} ************1` } },
  },
  {
    name: 'a credential at the cut is redacted',
    fields: { ...none, request: ['referer'] },
    request: [['Referer', `/${'a'.repeat(8172)}?token=${'s'.repeat(100)}&b=1`]],
    want: { RequestHeaders: { referer: `/${'a'.repeat(8172)}?token=[redacted]&b` } },
  },
  {
    name: 'names of object prototypes',
    fields: { ...none, request: ['__proto__', 'constructor'] },
    request: [['__proto__', '1']],
    want: { RequestHeaders: Object.defineProperty({}, '__proto__', { value: '1', enumerable: true }) },
  },
]
for (const { name, fields, request, others, want } of cases) {
  test(`custom fields: ${name}`, () => {
    const record = new JsonFields('{"RayID":"1"')
    const plan = { logFields: fields, redaction: redactionOf(undefined) }
    writeCustomFields(record, plan, { ...noHeaders, request, ...others })
    const rest = JSON.stringify(want).slice(1)
    assert.equal(record.ended('}'), `{"RayID":"1"${rest === '}' ? '' : ','}${rest}`)
  })
}

test('cutting text', () => {
  for (const [text, bytes, want] of [
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['é', 1, ''],
    ['é', 2, 'é'],
    ['€', 2, ''],
    ['€', 3, '€'],
    ['😀', 3, ''],
    ['😀', 4, '😀'],
    ['', 0, ''],
  ] as const) {
    assert.equal(cutText(text, bytes), want)
  }
})

test('bot score', () => {
  const address = {
    clientIp: '192.0.2.1',
    peerIp: '192.0.2.1',
    peerTrusted: false,
    scheme: 'http',
    forwardedFor: [],
  } as const
  const score = (headers: [string, string][]) =>
    botScore(
      new ClientRequest(
        { method: 'GET', target: '/', protocol: 'HTTP/1.1', headers },
        { address, tls: undefined, clientPort: 1, serverIp: '192.0.2.2', serverPort: 2 },
      ),
    )
  const browser: [string, string][] = [['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140']]
  const full = [
    'Accept',
    'Accept-Language',
    'Accept-Encoding',
    'Sec-Fetch-Site',
    'Sec-Fetch-Mode',
    'Sec-Fetch-Dest',
    'Upgrade-Insecure-Requests',
    'Sec-CH-UA',
    'Cookie',
    'Referer',
  ].map((name): [string, string] => [name, 'x'])
  assert.equal(score([]), 1)
  assert.equal(score([['User-Agent', 'curl/8.5']]), 2)
  assert.equal(score([['User-Agent', 'Mozilla/5.0 (compatible; Examplebot/2.1)']]), 2)
  assert.equal(score([['User-Agent', 'something']]), 5)
  assert.equal(score(browser), 20)
  assert.equal(score([...browser, ...full, ...full]), 99)
})
