import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { openTestApi, type TestApi } from '../testing/test-api.ts'
import { readDashboard } from './dashboard-files.ts'

const script = 'export const a = 1\n'.repeat(100)
const directory = mkdtempSync(join(tmpdir(), 'sluice-page-'))
let api: TestApi

before(async () => {
  mkdirSync(join(directory, 'assets'))
  const put = (name: string, bytes: string | Buffer) => writeFileSync(join(directory, name), bytes)
  put('index.html', '<!doctype html><meta name="style-nonce" content="__STYLE_NONCE__" /><div id="root">')
  put('icon.svg', '<svg/>')
  put('sources.sha256', 'abc')
  put('assets/main-1a2b.js', script)
  put('assets/main-1a2b.js.br', brotliCompressSync(script))
  put('assets/main-1a2b.js.gz', gzipSync(script))
  api = await openTestApi({ dashboard: readDashboard(directory) })
})
after(async () => {
  rmSync(directory, { recursive: true })
  await api.close()
})

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  api.app.inject({ method, url, headers })

test('the page has a strict content policy, and each load a new nonce', async () => {
  const [first, second] = [await get('/', browser), await get('/', browser)]
  assert.equal(first.statusCode, 200)
  const policy = String(first.headers['content-security-policy'])
  const nonce = /content="([^"]+)"/.exec(first.body)![1]!
  assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`), policy)
  assert.match(policy, /default-src 'none'; script-src 'self';/)
  assert.doesNotMatch(policy, /unsafe|https?:/)
  assert.ok(!second.body.includes(nonce))
  assert.equal(first.headers['cache-control'], 'no-cache')
  assert.equal(first.headers['x-content-type-options'], 'nosniff')
  assert.equal(first.headers['referrer-policy'], 'no-referrer')
})

test('screen addresses answer browsers with the page and programs with 404', async () => {
  for (const path of ['/sign-in', '/zones/0123/live?filter=a', '/nowhere']) {
    const page = await get(path, browser)
    assert.equal(page.statusCode, 200, path)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.equal((await get(path)).statusCode, 404, path)
    assert.equal((await get(path, browser, 'POST')).statusCode, 404, path)
  }
})

test('paths of the API and files keep their responses', async () => {
  for (const path of [
    '/client/v4/nothing',
    '/client',
    '/docs/nothing',
    '/assets/gone-3c4d.js',
    '/robots.txt',
    '/metrics/x',
    '/sources.sha256',
    '/../package.json',
  ]) {
    const { statusCode, headers, body } = await get(path, browser)
    assert.equal(statusCode, 404, path)
    assert.match(String(headers['content-type']), /^application\/json/, path)
    assert.equal(JSON.parse(body).success, false)
  }
  assert.equal((await get('/healthz', browser)).json().success, true)
})

test('files are compressed as accepted, and cached permanently if their names have a hash', async t => {
  const path = '/assets/main-1a2b.js'
  const rows: [accept: string, encoding: string | undefined, read: (bytes: Buffer) => Buffer][] = [
    ['', undefined, bytes => bytes],
    ['identity', undefined, bytes => bytes],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['br;q=0.0, gzip; q=0', undefined, bytes => bytes],
    ['*', 'br', brotliDecompressSync],
  ]
  for (const [accept, encoding, read] of rows)
    await t.test(accept || 'nothing', async () => {
      const answer = await get(path, { 'accept-encoding': accept })
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-encoding'], encoding)
      assert.equal(read(answer.rawPayload).toString(), script)
      assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(answer.headers['vary'], 'accept-encoding')
      assert.match(String(answer.headers['content-type']), /^text\/javascript/)
    })
  assert.equal((await get('/icon.svg')).headers['cache-control'], 'public, max-age=3600')
})

test('cached files are not sent again, and HEAD has no body', async () => {
  const path = '/assets/main-1a2b.js'
  const { headers, rawPayload } = await get(path)
  const etag = String(headers['etag'])
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get(path, { 'if-none-match': known })
    assert.equal(again.statusCode, 304, known)
    assert.equal(again.body, '')
    assert.equal(again.headers['etag'], etag)
  }
  assert.equal((await get(path, { 'if-none-match': '"other"' })).statusCode, 200)
  // Each representation is another one.
  assert.equal((await get(path, { 'if-none-match': etag, 'accept-encoding': 'br' })).statusCode, 200)
  const head = await get(path, {}, 'HEAD')
  assert.equal(head.statusCode, 200)
  assert.equal(head.headers['content-length'], String(rawPayload.length))
  assert.equal(head.body, '')
  assert.equal((await get('/sign-in', browser, 'HEAD')).body, '')
})
