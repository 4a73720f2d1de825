import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { type S3Server, s3Credentials, startS3 } from '../../../../test/support/s3-server.ts'
import { aBatch, readFrom, soon } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import { SinkError, type Target } from '../sink.ts'
import { parseS3Settings } from './settings.ts'
import { s3Sink } from './target.ts'

let s3: S3Server

before(async () => {
  s3 = await startS3(['logs', 'old'])
})
after(() => s3.close())
beforeEach(() => {
  s3.requests.length = 0
  s3.conditions = true
  s3.refuses = () => undefined
})

const keys = `access-key-id=${s3Credentials.accessKeyId}&secret-access-key=${s3Credentials.secretAccessKey}`

function destination(parameters = ''): string {
  return `s3://logs/folder?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}&${keys}${parameters}`
}

function target(text: string): Target {
  const parsed = s3Sink.parse(text)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.value
}

async function put(
  text: string,
  path: string,
  gzip: Uint8Array = Buffer.from('zipped'),
): Promise<number | undefined> {
  const sink = await target(text).open(onThisMachine)
  try {
    return await sink.put(aBatch(['{}'], { path, content: gzip }), soon())
  } finally {
    sink.close()
  }
}

test('parsing an s3:// destination', () => {
  const rows: [text: string, want: object][] = [
    [
      's3://bucket/a/b/{DATE}?region=eu-west-1',
      {
        bucket: 'bucket',
        folder: 'a/b/{DATE}',
        endpoint: undefined,
        pathStyle: false,
        credentials: undefined,
      },
    ],
    ['s3://bucket?region=eu-west-1&sse=AES256', { folder: '', serverSideEncryption: 'AES256' }],
    ['s3://with.dot/a?region=eu-west-1', { pathStyle: true }],
    [
      's3://bucket/a%20b/?region=r&endpoint=s3.example.com',
      { folder: 'a b', endpoint: 'https://s3.example.com', pathStyle: true },
    ],
    ['s3://bucket/a?region=r&endpoint=s3.example.com&addressing=host', { pathStyle: false }],
    ['s3://bucket/a?region=r&addressing=path', { pathStyle: true }],
    [
      's3://bucket/a?region=r&access-key-id=K&secret-access-key=a+b%2Fc',
      { credentials: { accessKeyId: 'K', secretAccessKey: 'a+b/c' } },
    ],
  ]
  for (const [text, want] of rows) {
    const settings = parseS3Settings(text)
    assert.ok(settings.ok, text)
    assert.deepEqual({ ...settings.value, ...want }, settings.value, text)
  }
  const refused: [text: string, why: RegExp][] = [
    ['s3:///a?region=r', /form s3:\/\/BUCKET/],
    ['s3://B/a?region=r', /its bucket must have 3 to 63 lower-case/],
    ['s3://bucket/a', /region=REGION/],
    ['s3://bucket/a?region=r&sse=aws:kms', /sse can only be AES256/],
    ['s3://bucket/a?region=r&access-key-id=K', /go together/],
    ['s3://bucket/a?region=r&endpoint=https://h/path', /endpoint must be a host/],
    ['s3://bucket/a?region=r&addressing=both', /path or host/],
    ['s3://bucket/a?region=r&token=x', /no parameter "token"/],
    ['s3://bucket/a?region=r&manifest=daily', /manifest can only be hourly/],
  ]
  for (const [text, why] of refused) {
    const settings = parseS3Settings(text)
    assert.ok(!settings.ok, text)
    assert.match(settings.problem.message, why)
  }
})

test('a batch is written once, even when it is written again', async () => {
  assert.equal(await put(destination(), 'folder/one.log.gz', Buffer.from('first')), 200)
  const again = put(destination(), 'folder/one.log.gz', Buffer.from('second'))
  await assert.rejects(again, { code: 'name-taken', retry: 'never', status: 412 })
  assert.equal((await s3.read('logs', 'folder/one.log.gz')).toString(), 'first')
  assert.deepEqual(
    s3.requests.filter(({ line }) => line.startsWith('PUT')).map(({ headers }) => headers['if-none-match']),
    ['*', '*'],
  )
  assert.equal(await readFrom(destination(), 'folder/one.log.gz'), 'first')
  s3.refuses = ({ line }) => (line.startsWith('GET') ? { status: 403, code: 'AccessDenied' } : undefined)
  assert.equal(await readFrom(destination(), 'folder/one.log.gz'), undefined)
})

test('a server without conditional writes is written to without conditions, and not tried again', async () => {
  s3.conditions = false
  await put(destination().replace('//logs/', '//old/'), 'folder/two.log.gz', Buffer.from('first'))
  await put(destination().replace('//logs/', '//old/'), 'folder/two.log.gz', Buffer.from('second'))
  assert.equal((await s3.read('old', 'folder/two.log.gz')).toString(), 'second')
  assert.deepEqual(
    s3.requests.filter(({ line }) => line.startsWith('PUT')).map(({ headers }) => headers['if-none-match']),
    ['*', undefined, undefined],
  )
})

test('the bucket is in the path or in the host name; keys keep their characters', async () => {
  const hostStyle = destination('&addressing=host').replace('127.0.0.1', 'localhost')
  await put(hostStyle, 'folder/a b/+ü(1).gz')
  await put(destination('&sse=AES256'), 'folder/x=1/y.gz')
  const puts = s3.requests.filter(({ line }) => line.startsWith('PUT'))
  assert.match(puts[0]!.headers.host!, /^logs\.localhost:/)
  assert.equal(puts.at(-1)!.headers['x-amz-server-side-encryption'], 'AES256')
  assert.ok((await s3.keys('logs', 'folder/')).includes('folder/a b/+ü(1).gz'))
})

test('a large batch is sent in parts, and appears complete and once', async () => {
  const large = randomBytes(20 * 1024 * 1024)
  const other = Buffer.concat([Buffer.from('x'), large])
  let failures = 2
  s3.refuses = ({ line }) =>
    line.includes('partNumber=2') && failures-- > 0 ? { status: 500, code: 'InternalError' } : undefined
  assert.equal(await put(destination('&sse=AES256'), 'folder/large.log.gz', large), 200)
  const begun = s3.requests.find(({ line }) => line.startsWith('POST') && line.includes('?uploads'))
  assert.equal(begun?.headers['x-amz-server-side-encryption'], 'AES256')
  assert.ok(large.equals(await s3.read('logs', 'folder/large.log.gz')))
  const parts = s3.requests.map(({ line }) => /partNumber=(\d+)/.exec(line)?.[1]).filter(Boolean)
  assert.deepEqual(parts, ['1', '2', '2', '2', '3'])

  s3.requests.length = 0
  await assert.rejects(put(destination(), 'folder/large.log.gz', other), { code: 'name-taken' })
  assert.ok(large.equals(await s3.read('logs', 'folder/large.log.gz')))
  assert.ok(s3.requests.some(({ line }) => line.startsWith('DELETE') && line.includes('uploadId=')))
})

test('a failed multipart upload is aborted', async () => {
  s3.refuses = ({ line }) => (line.includes('partNumber=3') ? { status: 503, code: 'SlowDown' } : undefined)
  await assert.rejects(
    put(destination(), 'folder/broken.log.gz', randomBytes(20 * 1024 * 1024)),
    (error: SinkError) =>
      error instanceof SinkError && error.retry === 'later' && /SlowDown/.test(error.message),
  )
  assert.match(s3.requests.at(-1)!.line, /^DELETE \/logs\/folder\/broken\.log\.gz\?.*uploadId=/)
  assert.ok(!(await s3.keys('logs')).includes('folder/broken.log.gz'))
})

test('the test upload is deleted, or remains where deleting is forbidden', async () => {
  const before = await s3.keys('logs')
  assert.deepEqual(await checkDestination(destination(), onThisMachine), { valid: true, message: '' })
  assert.deepEqual(await s3.keys('logs'), before)
  s3.refuses = ({ line }) => (line.startsWith('DELETE') ? { status: 403, code: 'AccessDenied' } : undefined)
  assert.deepEqual(await checkDestination(destination(), onThisMachine), { valid: true, message: '' })
})

test("without keys the process's own are used, and the bucket's owner has to prove the ownership", async t => {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const
  const before = names.map(name => process.env[name])
  t.after(() =>
    names.forEach((name, n) => {
      if (before[n] === undefined) delete process.env[name]
      else process.env[name] = before[n]
    }),
  )
  process.env.AWS_ACCESS_KEY_ID = s3Credentials.accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = s3Credentials.secretAccessKey
  const text = destination().replace(`&${keys}`, '')
  assert.equal(target(text).needsOwnership, true)
  assert.equal(target(destination()).needsOwnership, false)
  assert.equal(await put(text, 'folder/own.log.gz'), 200)
})

test('which refusals are temporary', async () => {
  const rows: [status: number, code: string, retry: string][] = [
    [400, 'InvalidRequest', 'never'],
    [400, 'ExpiredToken', 'never'],
    [400, 'RequestTimeout', 'later'],
    [400, 'BadDigest', 'later'],
    [403, 'AccessDenied', 'never'],
    [403, 'InvalidAccessKeyId', 'never'],
    [404, 'NoSuchBucket', 'never'],
    [409, 'OperationAborted', 'later'],
    [429, 'TooManyRequests', 'later'],
    [500, 'InternalError', 'later'],
    [503, 'SlowDown', 'later'],
  ]
  for (const [status, code, retry] of rows) {
    s3.refuses = () => ({ status, code })
    await assert.rejects(put(destination(), 'folder/refused.log.gz'), (error: SinkError) => {
      assert.deepEqual([error.retry, error.status, error.code], [retry, status, code])
      return true
    })
  }
})

test('a multipart upload that another client aborted is started again', async () => {
  s3.refuses = ({ line }) =>
    line.includes('partNumber=2') ? { status: 404, code: 'NoSuchUpload' } : undefined
  await assert.rejects(
    put(destination(), 'folder/given-up.log.gz', randomBytes(17 * 1024 * 1024)),
    (error: SinkError) => error.retry === 'later',
  )
})

test('a refusal names the step and the permission, and no secret', async () => {
  const rows: [text: string, refusal: { status: number; code: string } | undefined, want: RegExp][] = [
    [
      destination(),
      { status: 403, code: 'AccessDenied' },
      /403 AccessDenied: the credentials lack the permission s3:PutObject on arn:aws:s3:::logs\/folder\/.*failed step: authenticate/,
    ],
    [destination(), { status: 404, code: 'NoSuchBucket' }, /there is no bucket logs.*failed step: write/],
    [destination(), { status: 301, code: 'PermanentRedirect' }, /in a region other than us-east-1/],
    [
      destination().replace(s3Credentials.secretAccessKey, 'not-the-secret'),
      undefined,
      /the secret-access-key does not fit.*failed step: authenticate/,
    ],
    [
      destination().replace(/endpoint=[^&]*/, 'endpoint=http://127.0.0.1:1'),
      undefined,
      /refuses connections.*failed step: connect/,
    ],
    [
      destination().replace(/endpoint=[^&]*/, 'endpoint=http://nowhere.invalid'),
      undefined,
      /failed step: resolve name/,
    ],
    [
      destination().replace(/endpoint=[^&]*/, 'endpoint=http://10.0.0.1'),
      undefined,
      /has a private address.*SLUICE_DESTINATIONS=loopback/,
    ],
    [
      destination().replace(/endpoint=http/, 'endpoint=https'),
      undefined,
      /does not speak TLS on this port.*failed step: TLS/,
    ],
  ]
  for (const [text, refusal, want] of rows) {
    s3.refuses = () => refusal
    const { valid, message } = await checkDestination(text, onThisMachine)
    assert.equal(valid, false)
    assert.match(message, want)
    assert.doesNotMatch(message, /the-right-secret|not-the-secret/)
  }
})

test('an answer without end is cut off', async () => {
  const endless = createServer((request, response) => {
    request.resume()
    response.writeHead(403, { 'content-type': 'application/xml' })
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65536)));
    }
    response.on('drain', write)
    write()
  })
  await new Promise<void>(resolve => endless.listen(0, '127.0.0.1', resolve))
  const { port } = endless.address() as AddressInfo
  const text = destination().replace(/endpoint=[^&]*/, `endpoint=http://127.0.0.1:${port}`)
  const { valid, message } = await checkDestination(text, onThisMachine)
  endless.closeAllConnections()
  endless.close()
  assert.equal(valid, false)
  assert.match(message, /127\.0\.0\.1/)
})
