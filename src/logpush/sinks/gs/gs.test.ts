import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Google, startGoogle } from '../../../../test/support/receivers/google.ts'
import { type Reply, startReceiver } from '../../../../test/support/receivers/receiver.ts'
import { aBatch, soon } from '../../testing/batch.ts'
import { type Sink, SinkError } from '../sink.ts'
import { openGs } from './deliver.ts'
import { gsSink } from './target.ts'

/** The server, and a sink of its bucket with credentials that it knows. */
async function opened(t: TestContext, bucket = 'logs'): Promise<{ google: Google; sink: Sink }> {
  const google = await startGoogle(t, 'logs')
  withCredentials(t, google.keyFile)
  const sink = openGs({ bucket, api: `https://${google.host}` }, 'loopback')
  t.after(() => sink.close())
  return { google, sink }
}

test('a token that was revoked is replaced by a new one', async t => {
  const { google, sink } = await opened(t)
  await sink.put(aBatch(['{}'], { path: 'a/1' }), soon())
  let revoked = true
  google.instead = ({ url }) => {
    if (url.pathname === '/token') revoked = false
    else if (revoked) return { status: 401 }
    return undefined
  }
  assert.equal(await sink.put(aBatch(['{}'], { path: 'a/2' }), soon()), 200)
  google.instead = ({ url }) => (url.pathname === '/token' ? undefined : { status: 401 })
  await assert.rejects(
    sink.put(aBatch(['{}'], { path: 'a/3' }), soon()),
    (error: SinkError) => error.retry === 'never' && error.step === 'authenticate',
  )
})

test('without a key, the metadata service of the machine issues the token', async t => {
  const google = await startGoogle(t, 'logs')
  withCredentials(t, '')
  const sink = openGs({ bucket: 'logs', api: `https://${google.host}` }, 'loopback')
  t.after(() => sink.close())
  const flavor = { 'metadata-flavor': 'Google' }
  const token = JSON.stringify({ access_token: 'ya29.token', expires_in: 0, token_type: 'Bearer' })
  const rows: [reply: Reply, words: RegExp | undefined][] = [
    [{ status: 200, headers: flavor, body: token }, undefined],
    [{ status: 200, body: token }, /set GOOGLE_APPLICATION_CREDENTIALS.*or run on a machine at Google/],
    [{ status: 404, headers: flavor }, /the machine has no service account/],
    [{ status: 503, headers: flavor }, /gives no token \(503\)/],
    [{ status: 200, headers: flavor, body: '{' }, /gives no token \(200\)/],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /or run on a machine at Google/],
  ]
  for (const [reply, words] of rows) {
    const metadata = await startReceiver(
      t,
      ({ url, headers }) =>
        url.pathname === '/computeMetadata/v1/instance/service-accounts/default/token' &&
        headers['metadata-flavor'] === 'Google'
          ? reply
          : { status: 403 },
      { tls: false },
    )
    withMetadata(t, metadata.host)
    const put = sink.put(aBatch(['{}']), soon())
    if (words === undefined) assert.equal(await put, 200)
    else
      await assert.rejects(put, (error: SinkError) => {
        assert.deepEqual([error.retry, error.step], ['later', 'authenticate'])
        assert.match(error.message, words)
        return true
      })
  }
})

function withMetadata(t: TestContext, host: string): void {
  process.env['GCE_METADATA_HOST'] = host
  t.after(() => delete process.env['GCE_METADATA_HOST'])
}

function withCredentials(t: TestContext, path: string): void {
  const before = process.env['GOOGLE_APPLICATION_CREDENTIALS']
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = path
  t.after(() => {
    if (before === undefined) delete process.env['GOOGLE_APPLICATION_CREDENTIALS']
    else process.env['GOOGLE_APPLICATION_CREDENTIALS'] = before
  })
}

test('parsing a gs:// destination', () => {
  const target = gsSink.parse('gs://my_logs.example/a/{DATE}/')
  assert.ok(target.ok && target.value.folder === 'a/{DATE}' && target.value.needsOwnership)
  for (const text of ['gs://', 'gs:///a', 'gs://logs/a?manifest=hourly#', 'gs://logs#a']) {
    const refused = gsSink.parse(text)
    assert.ok(!refused.ok && /must have the form gs:\/\/BUCKET\/FOLDER/.test(refused.problem.message), text)
  }
  const upper = gsSink.parse('gs://UPPER/a')
  assert.ok(!upper.ok && /its bucket must have 3 to 222 lower-case/.test(upper.problem.message))
  for (const text of ['gs://logs/a?x=1', 'gs://logs/a?manifest=daily'])
    assert.ok(!gsSink.parse(text).ok, text)
  const listed = gsSink.parse('gs://logs/a/{HOUR}?manifest=hourly')
  assert.ok(listed.ok && listed.value.manifest && listed.value.folder === 'a/{HOUR}')
})

test('a batch is written once, even when it is written again, and one token suffices for both', async t => {
  const { google, sink } = await opened(t)
  const path = 'a/20260812/x y+ü?.log.gz'
  await sink.put(aBatch(['{}'], { path, content: Buffer.from('first') }), soon())
  const again = sink.put(aBatch(['{}'], { path, content: Buffer.from('second') }), soon())
  await assert.rejects(again, { code: 'name-taken', retry: 'never', status: 412 })
  assert.deepEqual(await sink.read!(path, 1000, soon()), Buffer.from('first'))
  assert.equal(await sink.read!(path, 4, soon()), undefined)
  assert.deepEqual([...google.objects], [[path, { body: Buffer.from('first'), type: 'application/gzip' }]])
  assert.equal(google.requests.filter(({ url }) => url.pathname === '/token').length, 1)
})

test('the test upload is deleted; a challenge replaces the previous one', async t => {
  const { google, sink } = await opened(t)
  await sink.probe(aBatch(['{}']), soon())
  assert.equal(google.objects.size, 0)
  await sink.leave('a/ownership-challenge.txt', 'one', soon())
  await sink.leave('a/ownership-challenge.txt', 'two', soon())
  assert.equal(google.objects.get('a/ownership-challenge.txt')?.body.toString(), 'two')
})

test('a refusal names the missing permission', async t => {
  const { google, sink } = await opened(t, 'others')
  const rows: [status: number | undefined, retry: string, step: string, words: RegExp][] = [
    [undefined, 'never', 'write', /404: there is no bucket others/],
    [403, 'never', 'authenticate', /lacks storage\.objects\.create on the bucket others/],
    [408, 'later', 'write', /408/],
    [429, 'later', 'write', /429/],
    [503, 'later', 'write', /503/],
  ]
  for (const [status, retry, step, words] of rows) {
    google.instead = ({ url }) => (status === undefined || url.pathname === '/token' ? undefined : { status })
    await assert.rejects(sink.put(aBatch(['{}']), soon()), (error: SinkError) => {
      assert.deepEqual([error.retry, error.step], [retry, step])
      assert.match(error.message, words)
      return true
    })
  }
})

test('a token server that is busy sets the delay', async t => {
  const { google, sink } = await opened(t)
  google.instead = () => ({ status: 503, headers: { 'retry-after': '20' } })
  await assert.rejects(sink.put(aBatch(['{}']), soon()), (error: SinkError) => {
    assert.deepEqual([error.retry, error.step, error.retryAfterMs], ['later', 'authenticate', 20_000])
    return true
  })
})

test('a page with a good status is no success', async t => {
  const { google, sink } = await opened(t)
  google.instead = ({ url }) =>
    url.pathname === '/token' ? undefined : { status: 200, body: '<html>Sign in</html>' }
  await assert.rejects(sink.put(aBatch(['{}']), soon()), (error: SinkError) => {
    assert.deepEqual([error.retry, error.status], ['never', 200])
    return true
  })
})

test('credentials that are missing, unreadable or revoked are reported as such', async t => {
  const google = await startGoogle(t, 'logs')
  const sink = openGs({ bucket: 'logs', api: `https://${google.host}` }, 'loopback')
  t.after(() => sink.close())
  const rows: [path: string, words: RegExp][] = [
    ['', /set GOOGLE_APPLICATION_CREDENTIALS to the key file/],
    ['/nowhere/key.json', /cannot be read: ENOENT/],
    [import.meta.filename, /holds neither the key of a service account/],
    [google.keyFile, /gives no token \(400 invalid_grant\)/],
  ]
  google.instead = () => ({ status: 400, body: '{"error":"invalid_grant"}' })
  withMetadata(t, '127.0.0.1:1')
  for (const [path, words] of rows) {
    withCredentials(t, path)
    await assert.rejects(sink.put(aBatch(['{}']), soon()), (error: SinkError) => {
      assert.ok(error instanceof SinkError && error.step === 'authenticate')
      assert.match(error.message, words)
      return true
    })
  }
})
