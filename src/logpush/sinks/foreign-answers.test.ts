import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Received,
  type Receiver,
  type Reply,
  startReceiver,
} from '../../../test/support/receivers/receiver.ts'
import { aBatch, deliverTo } from '../testing/batch.ts'
import type { Answer } from './outgoing.ts'
import { quotedAnswer } from './quoted-answer.ts'
import { SinkError } from './sink.ts'
import { destinationSchemes } from './table.ts'

/** Answers of proxies, gateways and login pages in front of a destination, outside of its protocol. */

const channel = 'channel=5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab'
const loginPage = '\n<!doctype html><html><title>Sign in</title><form action="/login"></form></html>'

/** A destination of every kind that answers over HTTP. */
function destinations({ host }: Pick<Receiver, 'host'>): Readonly<Record<string, string>> {
  return {
    s3: `s3://logs/a?region=r&endpoint=${encodeURIComponent(`https://${host}`)}&access-key-id=K&secret-access-key=S`,
    azure: `azure://${host}/logs/a?sv=1&sp=w&sig=x`,
    https: `https://${host}/logs`,
    splunk: `splunk://${host}/services/collector/raw?${channel}&header_Authorization=Splunk%20token`,
    sentinelone: `sentinelone://${host}/services/collector/raw?header_Authorization=Bearer%20token`,
    datadog: `datadog://${host}/api/v2/logs?header_DD-API-KEY=key`,
    newrelic: `newrelic://${host}/log/v1?Api-Key=key`,
    sumo: `sumo://${host}/receiver/v1/http/some-token`,
    elastic: `elastic://${host}/logs`,
    loki: `loki://${host}?label_app=shop`,
  }
}

/** Kinds with the code of another one, and kinds without answers over HTTP. Google’s address is fixed. */
const others = ['r2', 'gs', 'http', 'kafka', 'file', 'stdout']

test('every kind of destination is among them', () => {
  const tested = Object.keys(destinations({ host: 'h' }))
  assert.deepEqual(new Set([...tested, ...others]), new Set(destinationSchemes))
})

async function failureOf(destination: string): Promise<SinkError | undefined> {
  try {
    await deliverTo(destination, aBatch(['{"a":1}']))
    return undefined
  } catch (error) {
    assert.ok(error instanceof SinkError, String(error))
    return error
  }
}

test('a refusal keeps its status, with any body', async t => {
  const receiver = await startReceiver(t, () => ({ status: 500 }))
  const bodies: readonly Omit<Reply, 'status'>[] = [
    { body: 'the upstream server is away' },
    {
      body: '<html><head><title>Sorry</title></head><body>no</body></html>',
      headers: { 'content-type': 'text/html' },
    },
    { body: '{"error":"no"}', headers: { 'content-type': 'application/json' } },
    { body: '<Error><Code>half of it' },
    { body: '' },
  ]
  const rows: [status: number, retry: string, step: string][] = [
    [302, 'never', 'write'],
    [401, 'never', 'authenticate'],
    [403, 'never', 'authenticate'],
    [404, 'never', 'write'],
    [413, 'never', 'write'],
    [429, 'later', 'write'],
    [503, 'later', 'write'],
    [507, 'later', 'write'],
  ]
  for (const [at, [kind, destination]] of Object.entries(destinations(receiver)).entries())
    for (const [row, [status, retry, step]] of rows.entries()) {
      // Each kind gets every status and every body, and all kinds together every pair of them.
      const { body, headers } = bodies[(at + row) % bodies.length]!
      receiver.instead = () => ({ status, headers: { 'retry-after': '20', ...headers }, body: body! })
      const failure = await failureOf(destination)
      assert.deepEqual(
        [failure?.status, failure?.retry, failure?.step, failure?.retryAfterMs],
        [status, retry, step, 20_000],
        `${kind} ${status} ${body}: ${failure?.message}`,
      )
      assert.match(failure!.message, new RegExp(`answered ${status}`))
    }
})

test('a page with a good status is no success, and pauses', async t => {
  const receiver = await startReceiver(t, () => ({ status: 500 }))
  const pages: readonly Reply[] = [
    { status: 200, headers: { 'content-type': 'text/html', etag: '"static"' }, body: loginPage },
    { status: 200, body: loginPage },
  ]
  for (const [kind, destination] of Object.entries(destinations(receiver))) {
    if (kind === 'https') continue
    for (const page of pages) {
      receiver.instead = () => page
      const failure = await failureOf(destination)
      assert.deepEqual([failure?.status, failure?.retry], [200, 'never'], kind)
      assert.match(failure!.message, /answered 200 without .*whether a proxy answers with its own page/)
    }
  }
})

test('a multipart upload begins and ends with a result of S3', async t => {
  const receiver = await startReceiver(t, () => ({ status: 500 }))
  const gzip = Buffer.alloc(17 * 1024 * 1024)
  const begun = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'
  const real = ({ method, url }: Received): Reply => {
    if (method === 'PUT') return { status: 200, headers: { etag: '"e"' } }
    if (url.searchParams.has('uploads')) return { status: 200, body: begun }
    return { status: 200, body: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' }
  }
  const { s3 } = destinations(receiver)
  receiver.instead = real
  assert.equal(await deliverTo(s3!, aBatch(['{}'], { content: gzip })), 200)
  for (const page of ['uploads', 'uploadId']) {
    receiver.instead = request =>
      request.method === 'POST' && request.url.searchParams.has(page)
        ? { status: 200, body: loginPage }
        : real(request)
    await assert.rejects(deliverTo(s3!, aBatch(['{}'], { content: gzip })), (error: SinkError) => {
      assert.deepEqual([error.status, error.retry], [200, 'never'], page)
      return true
    })
  }
})

test('a part of an object is not repeated before the delay that the server asks for', async t => {
  const receiver = await startReceiver(t, () => ({ status: 500 }))
  const gzip = Buffer.alloc(17 * 1024 * 1024)
  const begun = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'
  const busy = '<Error><Code>SlowDown</Code><Message>less</Message></Error>'
  for (const [body, retryAfter, parts] of [
    [busy, '20', 1],
    ['the gateway is busy', '20', 1],
    [busy, undefined, 3],
  ] as const) {
    let sent = 0
    receiver.instead = ({ method, url }) => {
      if (method === 'POST' && url.searchParams.has('uploads')) return { status: 200, body: begun }
      if (method === 'PUT') sent++
      return { status: 503, body, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }
    }
    await assert.rejects(
      deliverTo(destinations(receiver)['s3']!, aBatch(['{}'], { content: gzip })),
      (error: SinkError) => {
        assert.equal(error.retryAfterMs, retryAfter === undefined ? undefined : 20_000)
        return true
      },
    )
    assert.equal(sent, parts, body)
  }
})

test('a generic receiver may send any body with 2xx; Loki and SentinelOne may send none', async t => {
  const receiver = await startReceiver(t, () => ({ status: 200 }))
  const { https, loki, sentinelone } = destinations(receiver)
  for (const destination of [https, loki, sentinelone]) assert.equal(await failureOf(destination!), undefined)
  receiver.instead = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: 'OK' })
  assert.equal(await failureOf(https!), undefined)
})

test('answers of servers on this machine are not repeated; a receiver on the internet is quoted', async t => {
  const receiver = await startReceiver(t, () => ({ status: 403, body: 'the inner service and its secret' }))
  for (const [kind, destination] of Object.entries(destinations(receiver)))
    assert.doesNotMatch((await failureOf(destination))!.message, /inner service/, kind)
  const answer: Answer = {
    status: 403,
    headers: {},
    body: Buffer.from('you said\0abcdef twice\r\n'),
    whole: true,
    fromInside: false,
  }
  assert.equal(quotedAnswer(answer, ['abcdef']), 'you said … twice')
  // The end of what was cut off may be the beginning of a secret.
  assert.equal(quotedAnswer({ ...answer, whole: false }, ['abcdef']), 'you said … t')
  assert.equal(quotedAnswer({ ...answer, fromInside: true }, []), '')
})
