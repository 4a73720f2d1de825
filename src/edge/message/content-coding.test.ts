import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  type InputType,
  zstdCompressSync,
} from 'node:zlib'
import type { PlanAction } from '../../rulesets/plan/plan.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import {
  eventually,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'

/** Strong compression of so much data is slow. */
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const mebibyte = 1024 * 1024
const attack = Buffer.from(`q=${'harmless '.repeat(2000)}attack`)

async function edgeWith(
  t: Parameters<typeof startOrigin>[0],
  options: {
    readonly reject?: boolean
    readonly action?: PlanAction
    readonly inspectedBodyBytesMax?: number
  } = {},
) {
  const arrived: Buffer[] = []
  const origin = await startOrigin(t, async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    arrived.push(Buffer.concat(parts))
    response.end(request.headers['content-encoding'])
  })
  const program = fakeProgram()
  const settings = { wafBodyLimitAction: options.reject === true ? 'reject' : 'process_partial' } as const
  const managed = [rule(execution(program, options.action === undefined ? {} : { action: options.action }))]
  const { inspectedBodyBytesMax } = options
  const edge = await startEdge(t, planFor(origin.url, { managed, settings }), {
    ...(inspectedBodyBytesMax === undefined ? {} : { limits: { inspectedBodyBytesMax } }),
  })
  const send = (coding: string, body: Buffer) =>
    fetch(edge.url, { method: 'POST', body, headers: { 'content-encoding': coding } })
  return { ...edge, program, arrived, send }
}

const codings: readonly (readonly [coding: string, encode: (bytes: InputType) => Buffer])[] = [
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['deflate, gzip', bytes => gzipSync(deflateSync(bytes))],
  ['identity,br , ', brotliCompressSync],
  ['gzip', bytes => Buffer.concat([gzipSync(bytes), gzipSync('more')])],
]

test('a compressed body is inspected decoded, and forwarded unchanged', async t => {
  const { send, program, arrived } = await edgeWith(t)
  for (const [coding, encode] of codings) {
    assert.equal((await send(coding, encode(attack))).status, 403, coding)
    assert.ok(program.bodies.at(-1)!.bytes.includes(attack), coding)
    const harmless = encode('nothing of that kind')
    const passed = await send(coding, harmless)
    assert.equal(passed.status, 200, coding)
    assert.equal((await passed.text()).trim(), coding.trim())
    assert.deepEqual(arrived.at(-1), harmless, coding)
    assert.equal(program.bodies.at(-1)!.complete, true)
  }
})

test('bytes after the end of compressed content make a body incomplete', async t => {
  const { send } = await edgeWith(t)
  const quiet = 'nothing of that kind'
  const rows: readonly (readonly [coding: string, body: Buffer, refused: boolean])[] = [
    ['gzip', Buffer.concat([gzipSync(quiet), Buffer.alloc(8)]), false],
    ['gzip', Buffer.concat([gzipSync(quiet), Buffer.from([0]), gzipSync(attack)]), true],
    ['gzip', Buffer.concat([gzipSync(quiet), Buffer.from(attack)]), true],
    ['zstd', Buffer.concat([zstdCompressSync(quiet), Buffer.from(attack)]), true],
    ['br', Buffer.concat([brotliCompressSync(quiet), Buffer.from(attack)]), true],
  ]
  for (const [coding, body, refused] of rows)
    assert.notEqual((await send(coding, body)).status === 200, refused, `${coding} ${body.length}`)
})

/** A gzip file with optional fields in its header. */
function gzipWith(flags: number, ...fields: readonly Buffer[]): Buffer {
  const file = gzipSync('nothing of that kind')
  file[3] = flags
  return Buffer.concat([file.subarray(0, 10), ...fields, file.subarray(10)])
}

const zeroEnded = (text: string) => Buffer.from(`${text}\0`)
const skippable = (text: string, kind = 0x50) =>
  Buffer.concat([Buffer.of(kind, 0x2a, 0x4d, 0x18, text.length, 0, 0, 0), Buffer.from(text)])
const quietGzip = gzipSync('nothing of that kind')
const quietZstd = zstdCompressSync('nothing of that kind')

const extras: readonly (readonly [name: string, coding: string, body: Buffer, status: number])[] = [
  ['the name of a file', 'gzip', gzipWith(8, zeroEnded('Report 2026-01_final.json')), 200],
  ['no name', 'gzip', gzipWith(8, zeroEnded('')), 200],
  ['an unusual name', 'gzip', gzipWith(8, zeroEnded("&id=1' or 1=1--")), 400],
  ['an unterminated name', 'gzip', gzipWith(8, Buffer.from('a'.repeat(300)), zeroEnded('')), 400],
  ['a comment', 'x-gzip', gzipWith(16, zeroEnded('<script>')), 400],
  ['an extra field', 'gzip', gzipWith(4, Buffer.of(4, 0), Buffer.from(';id;')), 400],
  ['a name and a comment', 'gzip', gzipWith(24, zeroEnded('a.txt'), zeroEnded('<script>')), 400],
  ['a comment of the second member', 'gzip', Buffer.concat([quietGzip, gzipWith(16, zeroEnded('x'))]), 400],
  ['a name of the second member', 'gzip', Buffer.concat([quietGzip, gzipWith(8, zeroEnded('b.txt'))]), 200],
  ['in an inner layer', 'gzip, br', brotliCompressSync(gzipWith(16, zeroEnded('<script>'))), 400],
  ['a skippable frame', 'zstd', Buffer.concat([skippable('<script>'), quietZstd]), 400],
  ['a skippable frame at the end', 'zstd', Buffer.concat([quietZstd, skippable('<script>', 0x5f)]), 400],
]
for (const [name, coding, body, status] of extras)
  test(`data beside the content of a coding is refused: ${name}`, async t => {
    const { send, arrived } = await edgeWith(t)
    assert.equal((await send(coding, body)).status, status)
    assert.equal(arrived.length, status === 200 ? 1 : 0)
  })

test('compressed bytes that look like a header are accepted', async t => {
  const { send } = await edgeWith(t)
  // A stored block contains incompressible data unchanged.
  const looks = [gzipWith(16, zeroEnded('x')).subarray(0, 12), skippable('x').subarray(0, 8)]
  const content = Buffer.concat(looks.flatMap(bytes => [Buffer.alloc(8, 0xff), bytes, Buffer.of(0xff)]))
  for (const [coding, bytes] of [
    ['gzip', gzipSync(content, { level: 0 })],
    ['gzip', gzipSync(gzipSync('', { level: 0 }))],
  ] as const)
    assert.equal((await send(coding, bytes)).status, 200)
})

test('single bytes', async t => {
  const { port, program } = await edgeWith(t)
  const body = gzipSync(attack)
  const client = new RawClient(port)
  client.send(
    `POST / HTTP/1.1\r\nHost: site.test\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  for (const byte of body) client.socket.write(Buffer.of(byte))
  await client.until('HTTP/1.1 403')
  assert.deepEqual(program.bodies[0], { bytes: attack, complete: true })
})

test('a decompression bomb costs no more than the inspected part', async t => {
  const { send, program, records } = await edgeWith(t)
  const bomb = gzipSync(Buffer.alloc(64 * mebibyte))
  for (const [coding, body] of [
    ['gzip', bomb],
    ['gzip, gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(Buffer.alloc(64 * mebibyte), fast)],
    ['zstd', zstdCompressSync(Buffer.alloc(64 * mebibyte))],
    // A layer that decodes to very many bytes, which are invalid in the next layer.
    ['gzip, gzip', gzipSync(Buffer.concat(Array(100_000).fill(gzipSync(''))))],
  ] as const) {
    assert.equal((await send(coding, body)).status, 200, coding)
    const { bytes, complete } = program.bodies.at(-1)!
    assert.ok(bytes.length <= mebibyte, coding)
    assert.equal(complete, false, coding)
  }
  await eventually(() => records.length === 5)
  assert.ok(records.every(({ WAFFlags }) => WAFFlags === '0x2'))
})

test('bodies that cannot be decoded', async t => {
  const rows: readonly (readonly [
    name: string,
    coding: string,
    body: Buffer,
    pass: number,
    reject: number,
  ])[] = [
    ['invalid gzip', 'gzip', attack, 400, 400],
    ['truncated gzip', 'gzip', gzipSync(attack).subarray(0, -9), 400, 400],
    ['further bytes after the end', 'br', Buffer.concat([brotliCompressSync('a'), attack]), 400, 400],
    ['an unknown coding', 'aws-chunked', Buffer.from('3\r\nabc'), 200, 415],
    ['an attack in an unknown coding', 'lzma', attack, 403, 415],
    ['too many codings', 'br, br, br, br', Buffer.from('abc'), 200, 415],
    ['an empty body', 'gzip', Buffer.alloc(0), 200, 200],
  ]
  for (const reject of [false, true]) {
    const { send, records } = await edgeWith(t, { reject })
    for (const [name, coding, body, passing, rejecting] of rows) {
      const answer = await send(coding, body)
      assert.equal(answer.status, reject ? rejecting : passing, name)
      if (answer.status === 415) assert.match(answer.headers.get('accept-encoding') ?? '', /gzip/)
    }
    await eventually(() => records.length === rows.length)
    for (const { EdgeResponseStatus, WAFFlags, SecurityAction } of records.slice(0, -1)) {
      if (EdgeResponseStatus !== 200) assert.equal(SecurityAction, 'block')
      assert.equal(WAFFlags, '0x2')
    }
  }
})

test('rules that only log refuse no body', async t => {
  const { send } = await edgeWith(t, { reject: true, action: 'log' })
  for (const coding of ['gzip', 'lzma']) assert.equal((await send(coding, attack)).status, 200)
})

for (const chunked of [false, true]) {
  test(`content beyond the inspected part, ${chunked ? 'chunked' : 'announced'}, passes and is recorded, or is refused`, async t => {
    const limit = 1000
    for (const [reject, bytes, status] of [
      [false, limit + 1, 200],
      [false, limit, 200],
      [true, limit, 200],
      [true, limit + 1, 413],
      [true, 3 * mebibyte, 413],
    ] as const) {
      const { url, records, events, arrived } = await edgeWith(t, { reject, inspectedBodyBytesMax: limit })
      const content = Buffer.alloc(bytes, 'x')
      const body = chunked ? new Blob([content]).stream() : content
      const answer = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
      assert.equal(answer.status, status)
      assert.equal(arrived.length, status === 200 ? 1 : 0)
      await eventually(() => records.length === 1)
      assert.equal(records[0]!['WAFFlags'], bytes > limit ? '0x2' : '')
      if (status === 413) assert.equal(events[0]!['Action'], 'block')
    }
  })
}

test('expressions see the decoded body', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('ok'))
  const blocks = rule({ kind: 'action', action: 'block' }, view => view.body.raw.includes('attack'))
  const request = [planPhase('http_request_firewall_custom', { zone: [blocks] }, true)]
  const { url } = await startEdge(t, planFor(origin.url, { request }))
  const headers = { 'content-encoding': 'gzip' }
  const send = (body: Buffer) => fetch(url, { method: 'POST', body, headers })
  assert.equal((await send(gzipSync(attack))).status, 403)
  assert.equal((await send(gzipSync('harmless'))).status, 200)
})

test('decoded bodies count as memory for bodies, until they are freed', async t => {
  const releases: (() => void)[] = []
  const origin = await startOrigin(t, async (_request, response) => {
    await new Promise<void>(resolve => releases.push(resolve))
    response.end('ok')
  })
  const program = fakeProgram()
  const parts = { managed: [rule(execution(program))], response: [rule(execution(program))] }
  const { url } = await startEdge(t, planFor(origin.url, parts), { limits: { bodyBytesMax: 1.5 * mebibyte } })
  const body = gzipSync(Buffer.alloc(mebibyte - 1))
  const send = () => fetch(url, { method: 'POST', body, headers: { 'content-encoding': 'gzip' } })
  for (let turn = 0; turn < 5; turn++) {
    const first = send()
    await eventually(() => releases.length === 1)
    assert.equal((await send()).status, 503)
    releases.pop()!()
    assert.equal((await first).status, 200)
  }
})
