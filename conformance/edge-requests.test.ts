import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inForce } from '../test/support/in-force.ts'
import { api, discard, type Instance, startSluice, testCrs } from '../test/support/sluice.ts'
import { AuditLog } from './ftw/audit-log.ts'
import { startBackend } from './ftw/backend.ts'
import { send } from './ftw/send.ts'

/**
 * Requests on which servers in front of the CRS differ: the edge's response, and the rules that its record shows. The
 * responses are those of docs/decisions/002-edge-on-node-http.md.
 */

const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'

let sluice: Instance
let backend: Awaited<ReturnType<typeof startBackend>>
let records: AuditLog

before(async () => {
  if (skip !== false) return
  backend = await startBackend()
  const data = await mkdtemp(join(tmpdir(), 'sluice-'))
  const audit = join(data, 'audit.ndjson')
  sluice = await startSluice({
    data,
    settings: {
      SLUICE_CRS: testCrs,
      SLUICE_DEFAULT_ZONE: 'localhost',
      SLUICE_AUDIT_LOG: audit,
      SLUICE_AUDIT_LOG_MODE: 'all',
    },
  })
  records = new AuditLog(audit)
  const [zone] = (await api(sluice, 'GET', '/zones?name=localhost')).result
  await api(sluice, 'PATCH', `/zones/${zone.id}`, { origin: { url: backend.url } })
  const { result: rulesets } = await api(sluice, 'GET', `/accounts/${zone.account.id}/rulesets`)
  const managed = rulesets.find(
    (ruleset: { phase: string; kind: string }) =>
      ruleset.phase === 'http_request_firewall_managed' && ruleset.kind === 'managed',
  )
  const parameters = { id: managed.id, overrides: { action: 'log' } }
  const rules = [{ action: 'execute', expression: 'true', action_parameters: parameters }]
  const path = `/zones/${zone.id}/rulesets/phases/http_request_firewall_managed/entrypoint`
  assert.equal((await api(sluice, 'PUT', path, { rules })).status, 200)
  await inForce(sluice)
})

after(async () => {
  if (skip !== false) return
  backend.close()
  await discard(sluice)
})

interface Row {
  readonly name: string
  /** Up to the end of the request line. */
  readonly line: string
  /** Further header lines; Host is added unless one is written here. */
  readonly headers?: readonly string[]
  readonly body?: string
  readonly status: number
  /** Rules that the record must show; after a minus, rules that it must not show. */
  readonly rules?: readonly number[]
}

const typed = 'Content-Type: application/x-www-form-urlencoded'
const rows: readonly Row[] = [
  { name: 'blank before the method', line: ' GET / HTTP/1.1', status: 400 },
  { name: 'tab before the method', line: '\tGET / HTTP/1.1', status: 400 },
  { name: 'target that begins with a backslash', line: 'GET \\x HTTP/1.1', status: 400, rules: [920100] },
  { name: 'more than three words', line: 'GET /a"b c>d HTTP/1.1', status: 400 },
  { name: 'CONNECT without a port', line: 'CONNECT localhost HTTP/1.1', status: 400 },
  {
    name: 'length that is no number',
    line: 'POST / HTTP/1.1',
    headers: ['Content-Length: x'],
    status: 400,
    rules: [920160],
  },
  { name: 'version with a backslash', line: 'GET / HTTP\\1.0', status: 400 },
  { name: 'version without a name', line: 'GET / 1.1', status: 400 },
  { name: 'version without a number', line: 'GET / TEST', status: 400, rules: [920430] },
  { name: 'version of another protocol', line: 'GET / JUNK/1.0', status: 400, rules: [920430] },
  { name: 'version 0.8', line: 'GET / HTTP/0.8', status: 400, rules: [920430] },
  { name: 'version 0.9', line: 'GET / HTTP/0.9', status: 400, rules: [920430] },
  { name: 'version 4.0', line: 'GET / HTTP/4.0', status: 400, rules: [920430] },
  { name: 'empty Host', line: 'GET / HTTP/1.1', headers: ['Host:'], status: 400, rules: [920290] },
  { name: 'no Host', line: 'GET / HTTP/1.1', headers: ['X-Host: none'], status: 400, rules: [920280] },
  { name: 'Host with %00', line: 'GET / HTTP/1.1', headers: ['Host: a%00b'], status: 400, rules: [920270] },
  { name: 'Host with %1F', line: 'GET / HTTP/1.1', headers: ['Host: a%1Fb'], status: 400 },
  { name: 'fragment', line: 'GET /a#b HTTP/1.1', status: 400, rules: [920610] },
  { name: 'header line without a colon', line: 'GET / HTTP/1.1', headers: ['X-A: a', 'broken'], status: 400 },
  {
    name: 'method of 22 letters',
    line: 'ABCDEFGHIJKLMNOPQRSTUV / HTTP/1.1',
    status: 400,
    rules: [911100, 920100],
  },
  { name: 'method with a bar', line: '|GET / HTTP/1.1', status: 400, rules: [920100] },
  {
    name: 'length and chunks',
    line: 'POST / HTTP/1.1',
    headers: ['Content-Length: 7', 'Transfer-Encoding: chunked'],
    body: '1\r\na\r\n0\r\n\r\n',
    status: 400,
  },
  { name: 'version 2.0', line: 'GET / HTTP/2.0', status: 200, rules: [-920430] },
  { name: 'colon in the path', line: 'GET /get/index.html:80 HTTP/1.1', status: 200, rules: [-920100] },
  {
    name: 'empty Host in HTTP/1.0',
    line: 'GET / HTTP/1.0',
    headers: ['Host:'],
    status: 200,
    rules: [920290],
  },
  {
    name: 'no Host in HTTP/1.0',
    line: 'GET / HTTP/1.0',
    headers: ['X-Host: none'],
    status: 200,
    rules: [920280],
  },
  {
    name: 'body of a GET',
    line: 'GET / HTTP/1.1',
    headers: ['Content-Length: 3'],
    body: 'abc',
    status: 200,
    rules: [920170],
  },
  {
    name: 'body of a HEAD',
    line: 'HEAD / HTTP/1.1',
    headers: ['Content-Length: 3'],
    body: 'abc',
    status: 200,
    rules: [920170],
  },
  {
    name: 'chunks of a GET',
    line: 'GET / HTTP/1.1',
    headers: ['Transfer-Encoding: chunked'],
    body: '1\r\na\r\n0\r\n\r\n',
    status: 200,
    rules: [920171],
  },
  {
    name: 'header names with an underline',
    line: 'GET / HTTP/1.1',
    headers: ['X_Filename: a.php'],
    status: 200,
    rules: [933110],
  },
  {
    name: 'header names with a dot',
    line: 'GET / HTTP/1.1',
    headers: ['X.Filename: a.php'],
    status: 200,
    rules: [933110],
  },
  {
    name: 'two Content-Types stay apart',
    line: 'GET / HTTP/1.1',
    headers: [typed, typed],
    status: 200,
    rules: [920620, -920470],
  },
  {
    name: 'bytes behind a request without a body',
    line: 'POST /?q=1+union+select+2 HTTP/1.1',
    headers: [typed],
    body: 'a=b',
    status: 200,
    rules: [942190],
  },
  {
    name: 'bytes behind an empty body',
    line: 'POST /?q=1+union+select+2 HTTP/1.1',
    headers: [typed, 'Content-Length: 0'],
    body: 'a=b',
    status: 200,
    rules: [942190],
  },
  {
    name: 'bytes behind a body',
    line: 'POST /?a=union+select+1 HTTP/1.1',
    headers: [typed, 'Content-Length: 3'],
    body: 'a=bcdef',
    status: 200,
    rules: [942190],
  },
  {
    name: 'bytes behind chunks',
    line: 'POST /?a=union+select+1 HTTP/1.1',
    headers: [typed, 'Transfer-Encoding: chunked'],
    body: '3\r\na=b\r\n0\r\n\r\ncdef',
    status: 200,
    rules: [942190],
  },
  {
    name: 'bytes behind a GET',
    line: 'GET /?a=union+select+1 HTTP/1.1',
    body: 'a=b',
    status: 200,
    rules: [942190],
  },
]

for (const [index, { name, line, headers = [], body = '', status, rules = [] }] of rows.entries()) {
  test(`${name}: ${status}`, { skip }, async () => {
    const marker = `edge${index}`
    const hasHost = headers.some(header => /^(?:X-)?Host:/.test(header))
    const lines = [
      line,
      ...(hasHost ? [] : ['Host: localhost']),
      `X-CRS-Test: ${marker}`,
      'Accept: */*',
      'User-Agent: x',
    ]
    const head = [...lines, ...headers, 'Connection: close', '', ''].join('\r\n')
    const answer = await send(sluice.edgePort, Buffer.from(head + body, 'latin1'))
    assert.equal(answer.status, status)
    const record = await records.find(marker, 2000)
    assert.ok(record !== undefined, 'the request is in the audit log')
    const matched = record.matched.map(match => match.id)
    for (const rule of rules)
      assert.equal(matched.includes(Math.abs(rule)), rule > 0, `${rule} of ${matched}`)
  })
}
