import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { postProblem, type Receiver, startReceiver } from '../../../../test/support/receivers/receiver.ts'
import { aBatch, soon } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import { parseReceiver } from '../receiver-settings.ts'
import { SinkError } from '../sink.ts'
import { parseDestination } from '../table.ts'

const lines = ['{"RayID":"a"}', '{"RayID":"b"}']

function accepting(t: TestContext, options?: { tls?: boolean; trusted?: boolean }): Promise<Receiver> {
  return startReceiver(t, request => postProblem(request) ?? { status: 200 }, options)
}

async function put(text: string, batch = aBatch(lines), policy = onThisMachine): Promise<void> {
  const target = parseDestination(text)
  assert.ok(target.ok, JSON.stringify(target))
  const sink = await target.value.open(policy)
  try {
    await sink.put(batch, soon())
  } finally {
    sink.close()
  }
}

test('parsing an address', () => {
  const rows: [text: string, url: string, headers: Record<string, string>][] = [
    [
      'https://in.test/cf?header_Authorization=Basic%20abc&tags=env:prod,team:web',
      'https://in.test/cf?tags=env:prod,team:web',
      { authorization: 'Basic abc' },
    ],
    ['https://in.test?header_X-Api-Key=a%2Bb+c', 'https://in.test/', { 'x-api-key': 'a+b+c' }],
    [
      'https://mary:p%40ss@in.test:8443/a',
      'https://in.test:8443/a',
      { authorization: `Basic ${btoa('mary:p@ss')}` },
    ],
    ['https://in.test/a%20b?q=%3F&q=2&updated=true', 'https://in.test/a%20b?q=%3F&q=2&updated=true', {}],
  ]
  for (const [text, url, headers] of rows) {
    const settings = parseReceiver(text, 'https')
    assert.ok(settings.ok, text)
    assert.equal(settings.value.url.href, url)
    assert.deepEqual(settings.value.headers, headers)
  }
  const refused: [text: string, why: RegExp][] = [
    ['https://', /must have the form/],
    ['https://in.test/#a', /must have the form/],
    ['https:///mary:word@in.test/', /must have the form/],
    ['https://in.test\\a', /must have the form/],
    ['https://in.te\nst/', /must have the form/],
    ['https://in.test/?header_Content-Length=1', /content-length cannot be set/],
    ['https://in.test/?header_Host=other', /host cannot be set/],
    ['https://in.test/?header_a%20b=1', /'a b' is no name of a header/],
    ['https://in.test/?header_a=1%0d%0aX:y', /characters that headers cannot have/],
    [
      `https://in.test/?${Array.from({ length: 51 }, (_, n) => `header_a${n}=1`).join('&')}`,
      /more than 50 headers/,
    ],
  ]
  for (const [text, why] of refused) {
    const settings = parseReceiver(text, 'https')
    assert.ok(!settings.ok, text)
    assert.match(settings.problem.message, why)
  }
})

test('a batch is posted compressed, with its headers and an id that a replay repeats', async t => {
  const receiver = await accepting(t)
  const destination = `https://mary:secret@${receiver.host}/in/put?header_Content-Type=application%2Fjson&header_X-Team=a%20b&keep=1%2C2`
  await put(destination)
  await put(destination)
  const [first, second] = receiver.requests
  assert.equal(first!.text, '{"RayID":"a"}\n{"RayID":"b"}\n')
  assert.equal(first!.url.pathname + first!.url.search, '/in/put?keep=1%2C2')
  assert.equal(first!.headers['content-type'], 'application/json')
  assert.equal(first!.headers['x-team'], 'a b')
  assert.equal(first!.headers['authorization'], `Basic ${btoa('mary:secret')}`)
  assert.equal(first!.headers['content-length'], String(first!.raw.length))
  assert.equal(first!.headers['idempotency-key'], '"00112233445566778899aabbccddeeff"')
  assert.deepEqual(
    [second!.raw, second!.headers['idempotency-key']],
    [first!.raw, first!.headers['idempotency-key']],
  )
})

test('plain http is accepted too', async t => {
  const receiver = await accepting(t, { tls: false })
  await put(`http://${receiver.host}/`)
  assert.equal(receiver.requests.length, 1)
})

test('the test upload equals Cloudflare’s', async t => {
  const receiver = await accepting(t)
  assert.deepEqual(await checkDestination(`https://${receiver.host}/`, onThisMachine), {
    valid: true,
    message: '',
  })
  assert.equal(receiver.requests[0]!.text, '{"content":"tests"}\n')
})

test('every answer of a receiver is explained in words, with the step and without secrets', async t => {
  const receiver = await accepting(t)
  const secret = 'hunter2-and-more'
  const rows: [status: number, retry: 'later' | 'never', step: string, words: RegExp][] = [
    [302, 'never', 'write', /answered 302, a redirect, which is not followed/],
    [400, 'never', 'write', /answered 400$/],
    [401, 'never', 'authenticate', /the credentials are missing or wrong/],
    [403, 'never', 'authenticate', /may not write there/],
    [404, 'never', 'write', /nothing at this path/],
    [405, 'never', 'write', /does not take this method/],
    [407, 'never', 'authenticate', /answered 407/],
    [408, 'later', 'write', /answered 408/],
    [409, 'later', 'write', /answered 409/],
    [410, 'never', 'write', /answered 410/],
    [413, 'never', 'write', /lower max_upload_bytes/],
    [415, 'never', 'write', /header_Content-Type/],
    [425, 'later', 'write', /answered 425/],
    [429, 'later', 'write', /busy/],
    [500, 'later', 'write', /answered 500/],
    [503, 'later', 'write', /answered 503/],
  ]
  for (const [status, retry, step, words] of rows) {
    receiver.instead = ({ headers, url }) => ({
      status,
      headers: { location: 'http://169.254.169.254/' },
      body: `you said\u0000${headers.authorization} and ${url.searchParams.get('key')}\r\n`,
    })
    const failure = put(`https://${receiver.host}/?header_Authorization=Bearer%20${secret}&key=${secret}-2`)
    await assert.rejects(failure, (error: SinkError) => {
      assert.ok(error instanceof SinkError)
      assert.deepEqual([error.retry, error.step, error.status], [retry, step, status], String(status))
      assert.match(error.message, words)
      assert.doesNotMatch(error.message, /hunter2/)
      return true
    })
  }
  assert.equal(receiver.requests.length, rows.length, 'no redirect was followed')
})

test('a receiver may request a delay', async t => {
  const receiver = await accepting(t)
  const inTenSeconds = () => new Date(Date.now() + 10_000).toUTCString()
  const rows: [header: string, fromMs: number | undefined, toMs: number][] = [
    ['120', 120_000, 120_000],
    ['99999999', 3_600_000, 3_600_000],
    [inTenSeconds(), 1, 10_000],
    ['0', undefined, 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined, 0],
    ['soon', undefined, 0],
    ['-5', undefined, 0],
  ]
  for (const [header, fromMs, toMs] of rows) {
    receiver.instead = () => ({ status: 503, headers: { 'retry-after': header } })
    await assert.rejects(put(`https://${receiver.host}/`), ({ retryAfterMs }: SinkError) => {
      if (fromMs === undefined) assert.equal(retryAfterMs, undefined, header)
      else assert.ok(retryAfterMs! >= fromMs && retryAfterMs! <= toMs, header)
      return true
    })
  }
})

describe('within ten seconds', { concurrency: true }, () => {
  test('an answer without end, or none, does not hold a check up', async t => {
    const receiver = await accepting(t)
    receiver.instead = () => 'endless'
    assert.deepEqual(await checkDestination(`https://${receiver.host}/`, onThisMachine), {
      valid: true,
      message: '',
    })
    receiver.instead = () => 'hang'
    const silent = await checkDestination(`https://${receiver.host}/`, onThisMachine)
    assert.match(silent.message, /does not answer the request \(failed step: write\)/)
  })

  test('a silent listener fails at TLS', async t => {
    const mute = createServer(() => {})
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
    t.after(() => mute.close())
    const { port } = mute.address() as { port: number }
    const { message } = await checkDestination(`https://127.0.0.1:${port}/`, onThisMachine)
    assert.match(message, /does not finish the TLS handshake.*failed step: TLS/)
  })
})

test('a black hole, a closed port, a name without address, an unsigned certificate', async t => {
  const unknown = await accepting(t, { trusted: false })
  const rows: [destination: string, words: RegExp][] = [
    [
      'https://192.0.2.1/',
      /192\.0\.2\.1:443 (?:does not answer|cannot be reached|refuses connections).*failed step: connect/,
    ],
    ['https://127.0.0.1:1/', /127\.0\.0\.1:1 refuses connections.*failed step: connect/],
    ['https://nowhere.invalid/', /name nowhere\.invalid: correct the name.* \(failed step: resolve name\)/],
    [`https://${unknown.host}/`, /certificate of 127\.0\.0\.1 is not valid: self-signed.*failed step: TLS/],
  ]
  for (const [destination, words] of rows) {
    const { valid, message } = await checkDestination(destination, onThisMachine)
    assert.equal(valid, false)
    assert.match(message, words)
  }
})
