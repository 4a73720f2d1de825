import assert from 'node:assert/strict'
import { get, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { CompressionAlgorithm } from '../../../rulesets/plan/plan.ts'
import { execution, fakeProgram } from '../../testing/fake-program.ts'
import { eventually, planFor, planPhase, rule, startEdge, startOrigin } from '../../testing/fixture.ts'
import { openHttp2, startTls } from '../../testing/tls-edge.ts'

const page = Buffer.from('<p>The kettle arrived on Tuesday and works well.</p>\n'.repeat(2000))
const coders = {
  gzip: { code: gzipSync, decode: gunzipSync },
  br: { code: brotliCompressSync, decode: brotliDecompressSync },
  zstd: { code: zstdCompressSync, decode: zstdDecompressSync },
}

/** `/gzip+auto/…` has the algorithms gzip and auto; `/off` has no rule. */
function compressingPlan(originUrl: string) {
  const all: readonly (readonly CompressionAlgorithm[])[] = [
    ['none'],
    ['auto'],
    ['default'],
    ['gzip'],
    ['brotli'],
    ['zstd'],
    ['zstd', 'brotli', 'gzip'],
    ['gzip', 'auto'],
  ]
  const compression = all.map(algorithms =>
    rule({ kind: 'compress', algorithms }, view => view.path.startsWith(`/${algorithms.join('+')}/`)),
  )
  return planFor(originUrl, { compression })
}

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

function fetchRaw(port: number, path: string, headers: object, method = 'GET'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = get({ port, host: '127.0.0.1', path, method, headers: { ...headers } }, response => {
      const { statusCode, headers } = response
      buffer(response).then(body => resolve({ status: statusCode!, headers, body }), reject)
    })
    request.on('error', reject)
  })
}

const browser = 'gzip, deflate, br, zstd'
const html = { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length, etag: '"1"' }

/** The origin's answer by the last part of the path. */
const answers: Readonly<Record<string, readonly [status: number, headers: object, body: Buffer]>> = {
  page: [200, html, page],
  image: [200, { ...html, 'content-type': 'image/png' }, page],
  coded: [
    200,
    { ...html, 'content-encoding': 'gzip', 'content-length': gzipSync(page).length },
    gzipSync(page),
  ],
  kept: [200, { ...html, 'cache-control': 'public, no-transform' }, page],
  part: [206, { ...html, 'content-range': `bytes 0-${page.length - 1}/999999` }, page],
  error: [500, html, page],
  missing: [404, html, page],
  tiny: [200, { 'content-type': 'text/html', 'content-length': 47 }, page.subarray(0, 47)],
  small: [200, { 'content-type': 'text/html', 'content-length': 48 }, page.subarray(0, 48)],
  odd: [200, { ...html, 'content-encoding': 'exi' }, page],
  broken: [200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }, page],
  'not-modified': [304, { etag: '"1"' }, Buffer.alloc(0)],
  weak: [200, { ...html, etag: 'W/"1"', vary: 'Origin, Accept-Encoding', 'accept-ranges': 'bytes' }, page],
}
const origin: RequestListener = (request, response) => {
  const [status, headers, body] = answers[request.url!.split('/').at(-1)!]!
  response.writeHead(status, { ...headers }).end(body)
}

const rows: readonly (readonly [
  path: string,
  accepts: string | undefined,
  coding: keyof typeof coders | undefined,
])[] = [
  ['/off/page', browser, undefined],
  ['/gzip/page', browser, 'gzip'],
  ['/gzip/page', 'x-gzip', 'gzip'],
  ['/gzip/page', 'gzip;q=0, br', undefined],
  ['/gzip/page', '*', 'gzip'],
  ['/gzip/page', undefined, undefined],
  ['/brotli/page', browser, 'br'],
  ['/zstd/page', browser, 'zstd'],
  ['/zstd/page', 'gzip', undefined],
  ['/zstd+brotli+gzip/page', 'gzip, BR;q=0.5', 'br'],
  ['/gzip+auto/page', 'zstd', 'zstd'],
  ['/auto/page', browser, 'br'],
  ['/auto/image', 'gzip', 'gzip'],
  ['/default/page', 'gzip', 'gzip'],
  ['/default/image', browser, undefined],
  ['/none/page', browser, undefined],
  ['/gzip/coded', browser, 'gzip'],
  ['/brotli/coded', browser, 'br'],
  ['/none/coded', browser, undefined],
  ['/off/coded', browser, 'gzip'],
  ['/default/missing', browser, 'br'],
  ['/gzip/error', browser, undefined],
  ['/gzip/kept', browser, undefined],
  ['/gzip/part', browser, undefined],
  ['/gzip/tiny', browser, undefined],
  ['/gzip/small', browser, 'gzip'],
  ['/brotli/small', browser, undefined],
]

test('the first algorithm that the client accepts codes the response', async t => {
  const { url } = await startOrigin(t, origin)
  const { port, records } = await startEdge(t, compressingPlan(url))
  for (const [path, accepts, coding] of rows) {
    records.length = 0
    const name = `${path} for ${accepts}`
    const got = await fetchRaw(port, path, accepts === undefined ? {} : { 'accept-encoding': accepts })
    const [status, , sent] = answers[path.split('/').at(-1)!]!
    assert.equal(got.status, status, name)
    assert.equal(got.headers['content-encoding'], coding, name)
    const plain = path.endsWith('/coded') ? page : sent
    const decoded = coding === undefined ? got.body : coders[coding].decode(got.body)
    assert.ok(decoded.equals(plain), name)
    await eventually(() => records.length === 1)
    const [record] = records
    assert.equal(record!['EdgeResponseBodyBytes'], got.body.length, name)
    assert.equal(record!['OriginResponseBytes'], sent.length, name)
    const ownCoding = coding !== undefined && !(path.endsWith('/coded') && coding === 'gzip')
    const ratio = ownCoding ? plain.length / got.body.length : undefined
    assert.equal(record!['EdgeResponseCompressionRatio'] || undefined, ratio, name)
  }
})

test('headers of a response that the edge codes, and of one that it leaves alone', async t => {
  const { url } = await startOrigin(t, origin)
  const { port } = await startEdge(t, compressingPlan(url))
  const shown = async (path: string, method = 'GET') => {
    const { headers } = await fetchRaw(port, path, { 'accept-encoding': 'gzip' }, method)
    return [
      headers.etag,
      headers.vary,
      headers['content-encoding'],
      headers['content-length'],
      headers['accept-ranges'],
    ]
  }
  const coded = ['W/"1"', 'Accept-Encoding', 'gzip', undefined, undefined]
  assert.deepEqual(await shown('/gzip/page'), coded)
  assert.deepEqual(await shown('/gzip/page', 'HEAD'), coded)
  assert.deepEqual(await shown('/gzip/weak'), [
    'W/"1"',
    'Origin, Accept-Encoding',
    'gzip',
    undefined,
    undefined,
  ])
  assert.deepEqual(await shown('/brotli/page'), [
    '"1"',
    'Accept-Encoding',
    undefined,
    String(page.length),
    undefined,
  ])
  assert.deepEqual(await shown('/none/coded'), ['W/"1"', undefined, undefined, undefined, undefined])
  assert.deepEqual(await shown('/gzip/kept'), ['"1"', undefined, undefined, String(page.length), undefined])
  assert.deepEqual(await shown('/gzip/not-modified'), ['"1"', undefined, undefined, undefined, undefined])
  assert.deepEqual((await shown('/gzip/odd'))[2], 'exi')
})

test('over HTTP/2', async t => {
  const { url } = await startOrigin(t, origin)
  const { tlsPort } = await startTls(t, compressingPlan(url))
  const stream = openHttp2(t, tlsPort).request({ ':path': '/zstd/page', 'accept-encoding': browser })
  let coding: unknown
  stream.on('response', headers => {
    coding = headers['content-encoding']
  })
  const body = await buffer(stream)
  assert.equal(coding, 'zstd')
  assert.ok(zstdDecompressSync(body).equals(page))
})

test('a body that does not match its coding breaks off, and is recorded as a failure of the origin', async t => {
  const { url } = await startOrigin(t, origin)
  const { port, records } = await startEdge(t, compressingPlan(url))
  await assert.rejects(fetchRaw(port, '/brotli/broken', { 'accept-encoding': 'br' }))
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 502)
})

test('rules for responses inspect the plain text', async t => {
  const { url } = await startOrigin(t, origin)
  const program = fakeProgram()
  const response = planPhase('http_response_firewall_managed', { zone: [rule(execution(program))] })
  const { port } = await startEdge(t, { ...compressingPlan(url), response })
  const got = await fetchRaw(port, '/gzip/page', { 'accept-encoding': 'gzip' })
  assert.ok(gunzipSync(got.body).equals(page))
  assert.ok(program.bodies.at(-1)!.bytes.equals(page))
})

const junk = Buffer.from('\n<!-- generated in 3 ms -->')
const gzippedPage = gzipSync(page)
const empty = Buffer.alloc(0)

/** Bodies of the origin by path, one part after another, and what a client gets; undefined: it gets no end. */
const bodies: Readonly<
  Record<string, readonly [coding: string, parts: readonly Uint8Array[], plain: Buffer | undefined]>
> = {
  'empty-gzip': ['gzip', [], empty],
  'empty-br': ['br', [], empty],
  'empty-zstd': ['zstd', [], empty],
  'junk-behind': ['gzip', [gzippedPage, junk], page],
  'junk-beside': ['gzip', [Buffer.concat([gzippedPage, junk])], page],
  'junk-of-one-byte': ['gzip', [gzippedPage, junk.subarray(0, 1)], page],
  padded: ['gzip', [Buffer.concat([gzippedPage, Buffer.alloc(9000)])], page],
  members: [
    'gzip',
    [Buffer.concat([gzippedPage, gzippedPage]), gzippedPage],
    Buffer.concat([page, page, page]),
  ],
  'byte-by-byte': ['gzip', [...gzipSync('kettle')].map(byte => Buffer.of(byte)), Buffer.from('kettle')],
  'empty-member': ['gzip', [Buffer.concat([gzipSync(''), junk])], empty],
  cut: ['gzip', [gzippedPage.subarray(0, -1)], undefined],
  'cut-header': ['gzip', [gzippedPage.subarray(0, 5)], undefined],
  'second-cut': ['gzip', [gzippedPage, gzippedPage.subarray(0, -9)], undefined],
}

/** Sends each part by itself. */
const inParts: RequestListener = async (request, response) => {
  const [coding, parts] = bodies[request.url!.split('/').at(-1)!]!
  response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding }).flushHeaders()
  for (const part of parts) {
    response.write(part)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  response.end()
}

test('empty bodies in any coding, several members of gzip, and bytes behind them', async t => {
  const { url } = await startOrigin(t, inParts)
  const { port, records } = await startEdge(t, compressingPlan(url))
  for (const [path, [sent, , plain]] of Object.entries(bodies)) {
    for (const algorithm of ['none', 'brotli', 'zstd'] as const) {
      records.length = 0
      const name = `/${algorithm}/${path}`
      const got = fetchRaw(port, name, { 'accept-encoding': 'br, zstd' })
      if (plain === undefined) await assert.rejects(got, name)
      else {
        const { headers, body } = await got
        const coding = headers['content-encoding'] as 'br' | 'zstd' | undefined
        assert.ok(
          (coding === undefined || coding === sent ? body : coders[coding].decode(body)).equals(plain),
          name,
        )
      }
      await eventually(() => records.length === 1)
      assert.equal(records[0]!['EdgeResponseStatus'], plain === undefined ? 502 : 200, name)
    }
  }
})

test('a coded body that ends early: a short rest leaves the connection usable, an endless one costs it', async t => {
  const state = { connections: 0, closed: false }
  const { url, server } = await startOrigin(t, (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'br' })
    response.write(brotliCompressSync(page))
    if (request.url === '/gzip/short') return response.end(junk)
    const write = () => {
      while (!response.destroyed && response.write(page));
    }
    response.on('drain', write).on('close', () => {
      state.closed = true
    })
    write()
  })
  server.on('connection', () => {
    state.connections++
  })
  const { port } = await startEdge(t, compressingPlan(url))
  for (const path of ['/gzip/short', '/gzip/short', '/gzip/endless']) {
    const got = await fetchRaw(port, path, { 'accept-encoding': 'gzip' })
    assert.ok(gunzipSync(got.body).equals(page), path)
  }
  assert.equal(state.connections, 1)
  await eventually(() => state.closed)
})

/** An origin that writes the first event and waits. */
async function events(t: TestContext) {
  const state = { closed: false, sendMore: () => {} }
  const listener: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    state.sendMore = () => void response.write('data: 2\n\n')
    response.on('close', () => {
      state.closed = true
    })
  }
  return { url: (await startOrigin(t, listener)).url, state }
}

for (const algorithm of ['gzip', 'brotli', 'zstd'] as const) {
  test(`${algorithm}: events arrive one by one, and a client that leaves ends the request to the origin`, async t => {
    const { url, state } = await events(t)
    const { port, records } = await startEdge(t, compressingPlan(url))
    const parts: Buffer[] = []
    const coding = algorithm === 'brotli' ? 'br' : algorithm
    const headers = { 'accept-encoding': coding }
    const request = get({ port, host: '127.0.0.1', path: `/${algorithm}/events`, headers }, response => {
      response.on('data', part => parts.push(part))
      response.on('error', () => {})
    })
    request.on('error', () => {})
    await eventually(() => parts.length > 0)
    const before = parts.length
    state.sendMore()
    await eventually(() => parts.length > before)
    request.destroy()
    await eventually(() => state.closed && records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], 499)
  })
}

test('a body is read no faster than its client reads it', async t => {
  const bodyBytes = 256 * 1024 * 1024
  const random = Buffer.alloc(1024 * 1024, 0).map(() => Math.random() * 256)
  let taken = 0
  const { url } = await startOrigin(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const write = () => {
      while (taken < bodyBytes) {
        taken += random.length
        if (!response.write(random)) return
      }
      response.end()
    }
    response.on('drain', write)
    response.on('error', () => {})
    write()
  })
  const { port } = await startEdge(t, compressingPlan(url))
  const request = get({ port, host: '127.0.0.1', path: '/zstd/x', headers: { 'accept-encoding': 'zstd' } })
  request.on('error', () => {})
  await new Promise<void>(resolve => request.on('response', response => response.pause() && resolve()))
  let before = -1
  while (before !== taken) {
    before = taken
    await new Promise(resolve => setTimeout(resolve, 300))
  }
  request.destroy()
  assert.ok(taken < bodyBytes / 4, `${taken} bytes were read`)
})
