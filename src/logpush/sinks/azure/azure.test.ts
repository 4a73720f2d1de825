import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAzure } from '../../../../test/support/receivers/azure.ts'
import { issueOwnership } from '../../jobs/ownership.ts'
import { aBatch, deliverTo, readFrom } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import type { SinkError } from '../sink.ts'
import { hasAccountInPath } from './settings.ts'
import { azureSink } from './target.ts'

test('parsing an azure:// destination', () => {
  const sas = 'sv=2021-08-06&ss=b&srt=o&sp=w&se=2099-01-01T00:00:00Z&sig=a%2Bb%3D'
  const target = azureSink.parse(`azure://a.blob.core.windows.net/c/f%20g/{DATE}?${sas}`)
  assert.ok(target.ok)
  assert.deepEqual([target.value.folder, target.value.needsOwnership], ['f g/{DATE}', false])
  const rows: [text: string, why: RegExp][] = [
    ['azure://', /must have the form/],
    [`azure://a.blob.core.windows.net?${sas}`, /must have the form/],
    ['azure://a.blob.core.windows.net/c', /needs a shared access signature/],
    [`azure://a/c?${sas.replace('srt=o', 'srt=sco')}`, /signedResourceTypes must be Object only \(srt=o\)/],
    [`azure://a/c?${sas.replace('ss=b', 'ss=q')}`, /not for the blob service/],
    [`azure://a/c?${sas.replace('sp=w', 'sp=r')}`, /no permission to write/],
    [`azure://a/c?${sas}&manifest=daily`, /manifest can only be hourly/],
    [`azure:///a@b/c?${sas}`, /must have the form/],
    [`azure://mary@a/c?${sas}`, /must have the form/],
  ]
  for (const [text, why] of rows) {
    const refused = azureSink.parse(text)
    assert.ok(!refused.ok, text)
    assert.match(refused.problem.message, why)
  }
})

test('a batch is written once, even when it is written again', async t => {
  const azure = await startAzure(t, 'logs')
  const destination = `azure://${azure.host}/logs/a?${azure.sas()}`
  const path = 'a/20260812/x y+ü?#%.log.gz'
  await deliverTo(destination, aBatch(['{}'], { path, content: Buffer.from('first') }))
  const again = deliverTo(destination, aBatch(['{}'], { path, content: Buffer.from('second') }))
  await assert.rejects(again, { code: 'name-taken', retry: 'never', status: 409 })
  assert.equal(await readFrom(destination, path), undefined)
  assert.equal(await readFrom(destination.replace(azure.sas(), azure.sas({ sp: 'rw' })), path), 'first')
  assert.deepEqual(
    [...azure.blobs],
    [[`logs/${path}`, { body: Buffer.from('first'), type: 'application/gzip' }]],
  )
})

test('the test upload is deleted where that is allowed, and remains otherwise', async t => {
  const azure = await startAzure(t, 'logs')
  for (const [sp, left] of [
    ['wd', 0],
    ['c', 1],
  ] as const) {
    const checked = await checkDestination(`azure://${azure.host}/logs/a?${azure.sas({ sp })}`, onThisMachine)
    assert.deepEqual(checked, { valid: true, message: '' })
    assert.equal(azure.blobs.size, left)
  }
})

test('a challenge replaces the previous one', async t => {
  const azure = await startAzure(t, 'logs')
  const owner = { scope: 'zone', id: 'z', key: 'k', clock: { nowMs: () => Date.now() } } as const
  for (const _ of [1, 2])
    assert.ok(
      (await issueOwnership(`azure://${azure.host}/logs/a?${azure.sas()}`, owner, onThisMachine)).valid,
    )
  assert.equal(azure.blobs.size, 1)
})

test('a refusal names the missing permission, and not the signature', async t => {
  const azure = await startAzure(t, 'logs')
  const good = azure.sas()
  const rows: [destination: string, words: RegExp][] = [
    [
      `azure://${azure.host}/account/missing/a?${good}`,
      /404 ContainerNotFound: there is no container missing.*failed step: write/,
    ],
    [
      `azure://${azure.host}/logs/a?${good.replace(/sig=\w/, 'sig=_')}`,
      /403 AuthenticationFailed: the signature is wrong.*failed step: authenticate/,
    ],
  ]
  for (const [destination, words] of rows) {
    const { message } = await checkDestination(destination, onThisMachine)
    assert.match(message, words)
    assert.doesNotMatch(message, /sig=/)
  }
  azure.instead = () => ({ status: 403, headers: { 'x-ms-error-code': 'AuthorizationPermissionMismatch' } })
  const { message } = await checkDestination(`azure://${azure.host}/logs/a?${good}`, onThisMachine)
  assert.match(message, /gives no permission to write \(sp=w\)/)
})

test('only the addresses of an emulator have the account before the container', () => {
  const rows: [hostname: string, want: boolean][] = [
    ['shoplogs.blob.core.windows.net', false],
    ['logs.example.com', false],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['localhost', true],
    ['azurite', true],
    ['host.docker.internal', true],
  ]
  for (const [hostname, want] of rows) assert.equal(hasAccountInPath(hostname), want, hostname)
})

test('an expired signature is reported; the job is still readable', async t => {
  const azure = await startAzure(t, 'logs')
  const destination = `azure://${azure.host}/logs/a?${azure.sas({ se: '2019-01-01T00:00:00Z' })}`
  assert.ok(azureSink.parse(destination).ok)
  await assert.rejects(deliverTo(destination, aBatch(['{}'])), (error: SinkError) => {
    assert.deepEqual([error.retry, error.step], ['never', 'authenticate'])
    assert.match(error.message, /expired on 2019-01-01/)
    return true
  })
})

test('which refusals are temporary', async t => {
  const azure = await startAzure(t, 'logs')
  const rows: [status: number, code: string, retry: string][] = [
    [403, 'AuthorizationFailure', 'never'],
    [404, 'ContainerNotFound', 'never'],
    [409, 'ContainerBeingDeleted', 'later'],
    [412, 'LeaseIdMissing', 'never'],
    [500, 'OperationTimedOut', 'later'],
    [503, 'ServerBusy', 'later'],
  ]
  for (const [status, code, want] of rows) {
    azure.instead = () => ({ status, headers: { 'x-ms-error-code': code, 'retry-after': '7' } })
    const error = await deliverTo(`azure://${azure.host}/logs/a?${azure.sas()}`, aBatch(['{}'])).then(
      () => undefined,
      (thrown: SinkError) => thrown,
    )
    assert.equal(error?.retry, want, code)
    const waits = error?.code === 'name-taken' ? undefined : 7000
    assert.deepEqual([error?.status, error?.retryAfterMs], [status, waits])
  }
})

test('manifest=hourly is ours, and not sent', async t => {
  const azure = await startAzure(t, 'logs')
  const destination = `azure://${azure.host}/logs/a?manifest=hourly&${azure.sas()}`
  const target = azureSink.parse(destination)
  assert.ok(target.ok && target.value.manifest)
  assert.equal(await deliverTo(destination, aBatch(['{}'])), 201)
  assert.ok(!azure.requests[0]!.url.search.includes('manifest'))
})
