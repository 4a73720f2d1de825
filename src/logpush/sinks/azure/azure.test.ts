import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAzure } from '../../../../test/support/receivers/azure.ts'
import { checkDestination } from '../../destination.ts'
import { issueOwnership } from '../../ownership.ts'
import { aBatch, deliverTo } from '../batch.test-support.ts'
import { azureSink } from './target.ts'

test('what an azure:// destination says', () => {
  const sas = 'sv=2021-08-06&ss=b&srt=o&sp=w&se=2099-01-01T00:00:00Z&sig=a%2Bb%3D'
  const target = azureSink.parse(`azure://a.blob.core.windows.net/c/f%20g/{DATE}?${sas}`)
  assert.ok(target.ok)
  assert.deepEqual([target.value.folder, target.value.needsOwnership], ['f g/{DATE}', false])
  const rows: [text: string, why: RegExp][] = [
    ['azure://', /has the form/],
    [`azure://a.blob.core.windows.net?${sas}`, /has the form/],
    ['azure://a.blob.core.windows.net/c', /needs a shared access signature/],
    [`azure://a/c?${sas.replace('srt=o', 'srt=sco')}`, /signedResourceTypes must be Object only \(srt=o\)/],
    [`azure://a/c?${sas.replace('ss=b', 'ss=q')}`, /not for the blob service/],
    [`azure://a/c?${sas.replace('sp=w', 'sp=r')}`, /no permission to write/],
    [`azure://a/c?${sas.replace('2099', '2019')}`, /run out on 2019-01-01/],
  ]
  for (const [text, why] of rows) {
    const refused = azureSink.parse(text)
    assert.ok(!refused.ok, text)
    assert.match(refused.problem.message, why)
  }
})

test('a batch is written once, also when it is written again', async t => {
  const azure = await startAzure(t, 'logs')
  const destination = `azure://${azure.host}/logs/a?${azure.sas()}`
  const path = 'a/20260812/x y+ü?#%.log.gz'
  await deliverTo(destination, aBatch(['{}'], { path, gzip: Buffer.from('first') }))
  await deliverTo(destination, aBatch(['{}'], { path, gzip: Buffer.from('second') }))
  assert.deepEqual(
    [...azure.blobs],
    [[`logs/${path}`, { body: Buffer.from('first'), type: 'application/gzip' }]],
  )
})

test('the test upload goes away where that is allowed, and stays otherwise', async t => {
  const azure = await startAzure(t, 'logs')
  for (const [sp, left] of [
    ['wd', 0],
    ['c', 1],
  ] as const) {
    const checked = await checkDestination(`azure://${azure.host}/logs/a?${azure.sas({ sp })}`, 'loopback')
    assert.deepEqual(checked, { valid: true, message: '' })
    assert.equal(azure.blobs.size, left)
  }
})

test('a challenge replaces the last one', async t => {
  const azure = await startAzure(t, 'logs')
  const owner = { scope: 'zone', id: 'z', key: 'k', clock: { nowMs: () => Date.now() } } as const
  for (const _ of [1, 2])
    assert.ok((await issueOwnership(`azure://${azure.host}/logs/a?${azure.sas()}`, owner, 'loopback')).valid)
  assert.equal(azure.blobs.size, 1)
})

test('a refusal names what is missing, and not the signature', async t => {
  const azure = await startAzure(t, 'logs')
  const good = azure.sas()
  const rows: [destination: string, words: RegExp][] = [
    [
      `azure://${azure.host}/other/a?${good}`,
      /404 ContainerNotFound: there is no container other.*failed step: write/,
    ],
    [
      `azure://${azure.host}/logs/a?${good.replace(/sig=\w/, 'sig=_')}`,
      /403 AuthenticationFailed: the signature is wrong.*failed step: authenticate/,
    ],
  ]
  for (const [destination, words] of rows) {
    const { message } = await checkDestination(destination, 'loopback')
    assert.match(message, words)
    assert.doesNotMatch(message, /sig=/)
  }
  azure.instead = () => ({ status: 403, headers: { 'x-ms-error-code': 'AuthorizationPermissionMismatch' } })
  const { message } = await checkDestination(`azure://${azure.host}/logs/a?${good}`, 'loopback')
  assert.match(message, /gives no permission to write \(sp=w\)/)
})
