import assert from 'node:assert/strict'
import { test } from 'node:test'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'

const secrets = [
  'Pa55word',
  'Tok3n',
  'C00kie',
  'dXNlcjpw',
  '4111111111111111',
  'R3ferer',
  'L0cation',
  'S3t',
  'K3y',
]

const request =
  'GET /attack/4111111111111111;jsessionid=Tok3n?a=1&password=Pa55word&%74oken=Tok3n&card=4111-1111-1111-1111 HTTP/1.1\r\n' +
  'Host: site.test\r\nConnection: close\r\nUser-Agent: app/4111111111111111\r\n' +
  'Authorization: Basic dXNlcjpw\r\nProxy-Authorization: Bearer Tok3n\r\nX-Api-Key: K3y\r\n' +
  'Cookie: Theme=dark; Session=C00kie; C00kie\r\n' +
  'Referer: https://user:R3ferer@ref.test/p?x=1&api_key=R3ferer&y=2#access_token=R3ferer\r\n' +
  'X-Requested-With: 4111111111111111\r\n\r\n'

const fields = {
  request: ['authorization', 'cookie', 'referer'],
  transformedRequest: ['proxy-authorization'],
  response: [{ name: 'set-cookie', preserveDuplicates: true }],
  rawResponse: [{ name: 'location', preserveDuplicates: false }],
  cookies: ['Theme'],
}

test('secrets reach rules and the origin, but no record', async t => {
  const seen: string[] = []
  const origin = await startOrigin(t, (message, response) => {
    seen.push(`${message.url} ${message.rawHeaders.join(' ')}`)
    response.setHeader('set-cookie', ['Session=S3t; Path=/', 'Theme=light'])
    response.setHeader('location', 'https://a.test/cb?code=1&id_token=L0cation')
    response.end()
  })
  const program = fakeProgram()
  const plan = planFor(origin.url, {
    custom: [rule({ kind: 'action', action: 'log' }, view => view.query.includes('password=Pa55word'))],
    managed: [rule(execution(program, { threshold: 60 }))],
    logFields: fields,
  })
  const { port, records, events, audit } = await startEdge(t, plan)
  const answer = await new RawClient(port).send(request).end()
  await eventually(() => audit.length === 1)
  assert.match(answer, /set-cookie: Session=S3t; Path=\//i)
  for (const secret of ['Pa55word', 'Tok3n', 'C00kie', 'dXNlcjpw', '4111111111111111', 'R3ferer', 'K3y'])
    assert.ok(seen.join().includes(secret), secret)
  assert.ok(program.requests[0]!.target.includes('password=Pa55word'))
  assert.equal(events.length, 1)
  const written = JSON.stringify([records, events, audit])
  for (const secret of secrets) assert.ok(!written.includes(secret), `${secret} in ${written}`)

  const path = '/attack/************1111;jsessionid=[redacted]'
  const query = 'a=1&password=[redacted]&%74oken=[redacted]&card=****-****-****-1111'
  const referer = 'https://[redacted]@ref.test/p?x=1&api_key=[redacted]&y=2#access_token=[redacted]'
  const want = {
    ClientRequestURI: `${path}?${query}`,
    ClientRequestPath: path,
    ClientRequestReferer: referer,
    ClientRequestUserAgent: 'app/************1111',
    ClientXRequestedWith: '************1111',
    RequestHeaders: {
      authorization: 'Basic [redacted]',
      cookie: 'Theme=dark; Session=[redacted]; [redacted]',
      referer,
      'proxy-authorization': 'Bearer [redacted]',
    },
    ResponseHeaders: {
      'set-cookie': ['Session=[redacted]; Path=/', 'Theme=light'],
      location: 'https://a.test/cb?code=1&id_token=[redacted]',
    },
    Cookies: { Theme: 'dark' },
  }
  for (const [name, value] of Object.entries(want)) assert.deepEqual(records[0]![name], value, name)
  assert.equal(events[0]!['ClientRequestPath'], path)
  assert.equal(events[0]!['ClientRequestQuery'], `?${query}`)
  assert.equal(events[0]!['ClientRefererHost'], '[redacted]@ref.test')
  assert.equal(events[0]!['ClientRefererQuery'], '?x=1&api_key=[redacted]&y=2')
  const line = audit[0] as { request: { uri: string; headers: [string, string][] } }
  assert.equal(line.request.uri, `${path}?${query}`)
  assert.deepEqual(
    line.request.headers.filter(([name]) => /auth|key|cookie/i.test(name)),
    [
      ['Authorization', 'Basic [redacted]'],
      ['Proxy-Authorization', 'Bearer [redacted]'],
      ['X-Api-Key', '[redacted]'],
      ['Cookie', 'Theme=[redacted]; Session=[redacted]; [redacted]'],
    ],
  )
})

test('the zone selects the redacted kinds', async t => {
  const origin = await startOrigin(t, (_message, response) => response.end())
  const redaction = {
    authorization: false,
    cookies: false,
    queryCredentials: false,
    cardNumbers: false,
    queryParameters: ['a'],
  }
  const { port, records, audit } = await startEdge(t, planFor(origin.url, { logFields: fields, redaction }))
  await new RawClient(port).send(request).end()
  await eventually(() => audit.length === 1)
  const uri = request.split(' ', 2)[1]!.replace('?a=1', '?a=[redacted]')
  assert.equal(records[0]!['ClientRequestURI'], uri)
  assert.deepEqual(records[0]!['RequestHeaders'], {
    authorization: 'Basic dXNlcjpw',
    cookie: 'Theme=dark; Session=C00kie; C00kie',
    referer: 'https://user:R3ferer@ref.test/p?x=1&api_key=R3ferer&y=2#access_token=R3ferer',
    'proxy-authorization': 'Bearer Tok3n',
  })
  assert.equal((audit[0] as { request: { uri: string } }).request.uri, uri)
})

test('for requests of no zone and malformed ones, all kinds are redacted', async t => {
  const { port, records, audit } = await startEdge(t, planFor('http://127.0.0.1:1'))
  await new RawClient(port)
    .send(
      'GET /?token=Tok3n HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\nCookie: a=C00kie\r\n\r\n',
    )
    .end()
  await new RawClient(port)
    .send('GET http://u:Pa55word@site.test/?token=Tok3n HTTP/1.1\r\nHost: site.test\r\n\r\n')
    .end()
  await new RawClient(port).send('GET /?token=Tok3n HTTP/1.1\r\nHost: site.test\r\nA b: Tok3n\r\n\r\n').end()
  await eventually(() => audit.length === 3)
  const written = JSON.stringify([records, audit.map(({ request }) => (request as { uri: string }).uri)])
  assert.doesNotMatch(written, /Tok3n|C00kie|Pa55word/)
})

test('stored records have zone and account, and the same Ray ID for one request', async t => {
  const lines: string[] = []
  const origin = await startOrigin(t, (_message, response) => response.end())
  const custom = [rule({ kind: 'action', action: 'block' })]
  const { url } = await startEdge(t, planFor(origin.url, { custom }), {
    records: {
      append: line => void lines.push(line),
      full: undefined,
      handedOver: async () => {},
      flush: async () => {},
      close: async () => {},
    },
  })
  await (await fetch(url)).arrayBuffer()
  await eventually(() => lines.length === 2)
  const records = lines.map(line => JSON.parse(line))
  for (const record of records)
    assert.deepEqual(Object.keys(record), ['zone', 'account', 'dataset', 'fields'])
  assert.deepEqual(
    records.map(({ dataset }) => dataset),
    ['http_requests', 'firewall_events'],
  )
  assert.equal(records[0].account, planFor('').zone.accountId)
  assert.equal(records[0].fields.RayID, records[1].fields.RayID)
})
