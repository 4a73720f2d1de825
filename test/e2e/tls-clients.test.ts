import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { without } from '../../src/agents/testing/proxies.ts'
import { eventually, planFor, rule, startOrigin } from '../../src/edge/testing/fixture.ts'
import { startTls } from '../../src/edge/testing/tls-edge.ts'
import { borrowBrowser, returnBrowser } from '../support/browser.ts'

/** Clients that people use, against an edge over TLS. */

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-clients-'))
})
after(() => rm(folder, { recursive: true }))

const page = `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
<script src="/script.js"></script><img src="/image.svg" alt="">`
const content: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/': ['text/html', page],
  '/script.js': ['text/javascript', 'document.title += " is open"'],
  '/image.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
}

/** An edge for `localhost`. Its origin sends the number of bytes of a body back. */
async function start(t: TestContext) {
  const origin = await startOrigin(t, async (request, response) => {
    let bytes = 0
    for await (const part of request) bytes += part.length
    const [type, body] = content[request.url!] ?? ['text/plain', `${bytes} bytes`]
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  const custom = [
    rule({ kind: 'action', action: 'block' }, view => view.path === '/blocked'),
    rule({ kind: 'action', action: 'managed_challenge' }, view => view.path === '/challenged'),
  ]
  const plan = planFor(origin.url, { custom })
  const started = await startTls(t, plan, {}, { plans: { find: () => plan } })
  return { ...started, site: `https://localhost:${started.tlsPort}` }
}

async function run(program: string, words: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => {}).end(input)
  return text(child.stdout)
}

test('curl', { skip: without('curl') }, async t => {
  const { site, records } = await start(t)
  const long = join(folder, 'long')
  await writeFile(long, Buffer.alloc(3_000_000, 'a'))
  const curl = (...words: string[]) =>
    run('curl', ['-sk', '-w', ' %{http_version} %{response_code}\n', ...words])
  const rows: [words: string[], answer: string][] = [
    [['--http2', `${site}/x`], '0 bytes 2 200\n'],
    [['--http1.1', `${site}/x`], '0 bytes 1.1 200\n'],
    [['--http2', '--tls-max', '1.2', `${site}/x`], '0 bytes 2 200\n'],
    [['--http2', '--data-binary', `@${long}`, `${site}/x`], '3000000 bytes 2 200\n'],
    [['--http2', '-T', long, '-H', 'Expect: 100-continue', `${site}/x`], '3000000 bytes 2 200\n'],
    [['--http2', '-o', '/dev/null', `${site}/blocked`], ' 2 403\n'],
    [['--http2', '-I', '-o', '/dev/null', `${site}/x`], ' 2 200\n'],
    // Several requests of one connection.
    [['--http2', '--parallel', '-o', '/dev/null', `${site}/x?[1-20]`], ' 2 200\n'.repeat(20)],
  ]
  for (const [words, answer] of rows) assert.equal(await curl(...words), answer, words.join(' '))
  await eventually(() => records.length === rows.length + 19)
})

test('openssl s_client', { skip: without('openssl') }, async t => {
  const { tlsPort } = await start(t)
  const ticket = join(folder, 'session')
  const connect = (words: readonly string[], input = '') =>
    run(
      'openssl',
      ['s_client', '-connect', `127.0.0.1:${tlsPort}`, '-servername', 'localhost', ...words],
      input,
    )
  const rows: [words: string[], shown: RegExp][] = [
    [['-alpn', 'h2,http/1.1'], /ALPN protocol: h2\n/],
    [['-alpn', 'http/1.1'], /ALPN protocol: http\/1\.1\n/],
    [['-tls1_3', '-sess_out', ticket, '-alpn', 'h2'], /New, TLSv1\.3,/],
    [['-tls1_2', '-sess_out', ticket], /New, TLSv1\.2,/],
    [['-tls1_2', '-sess_in', ticket], /Reused, TLSv1\.2,/],
    [['-tls1_1', '-cipher', 'ALL@SECLEVEL=0'], /no peer certificate available/],
    [['-tls1_2', '-cipher', 'NULL-SHA256:AES128-SHA@SECLEVEL=0'], /no peer certificate available/],
  ]
  for (const [words, shown] of rows) assert.match(await connect(words), shown, words.join(' '))
  const get = 'GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  assert.match(await connect(['-quiet'], get), /^HTTP\/1\.1 200 OK\r\n[\s\S]*0 bytes/)
})

test('h2load', { skip: without('h2load') }, async t => {
  const { site, edge, records } = await start(t)
  const body = join(folder, 'body')
  await writeFile(body, Buffer.alloc(20_000, 'a'))
  const rows: [words: string[], requests: number][] = [
    [['-n', '300', '-c', '3', '-m', '100'], 300],
    [['-n', '50', '-c', '5', '-m', '1', '--h1'], 50],
    [['-n', '100', '-c', '2', '-m', '20', '-d', body], 100],
    // Windows of 1 KB
    [['-n', '20', '-c', '1', '-m', '20', '-w', '10', '-W', '12'], 20],
  ]
  let sent = 0
  for (const [words, requests] of rows) {
    const report = await run('h2load', [...words, `${site}/x`])
    assert.match(report, new RegExp(`${requests} succeeded, 0 failed, 0 errored`), report)
    assert.match(report, new RegExp(`status codes: ${requests} 2xx`))
    sent += requests
    await eventually(() => records.length === sent)
  }
  await eventually(() => edge.stats().active === 0)
})

test('Chromium', async t => {
  const browser: Browser | undefined = await borrowBrowser()
  if (browser === undefined) return t.skip('no Chromium starts here')
  t.after(returnBrowser)
  const { site, records } = await start(t)
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const tab = await context.newPage()
  await tab.goto(`${site}/`)
  await tab.waitForFunction("document.title === 'Shop is open'")
  const protocols = await tab.evaluate(
    "['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type)).map(one => one.nextHopProtocol)",
  )
  assert.deepEqual(protocols, ['h2', 'h2', 'h2'])
  const answered = await tab.evaluate(async () =>
    (await fetch('/x', { method: 'POST', body: 'a'.repeat(500_000) })).text(),
  )
  assert.equal(answered, '500000 bytes')
  assert.equal(await tab.evaluate(async () => (await fetch('/blocked')).status), 403)
  // It solves the challenge, and is let through.
  const passed = tab.waitForResponse(answer => answer.url() === `${site}/challenged` && answer.ok())
  await tab.goto(`${site}/challenged`)
  await passed
  await eventually(() => records.length >= 7)
  for (const record of records) {
    assert.equal(record['ClientRequestProtocol'], 'HTTP/2')
    assert.match(String(record['JA4']), /^t13d\d{4}h2_/)
  }
})
