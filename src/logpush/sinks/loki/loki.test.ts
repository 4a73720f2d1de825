import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoki } from '../../../../test/support/receivers/engines.ts'
import { checkDestination } from '../../destination.ts'
import { aBatch, deliverTo, someLines } from '../batch.test-support.ts'
import { lokiSink } from './target.ts'

test('lines go to one stream with its labels; a replay adds none', async t => {
  const loki = await startLoki(t, 'shop')
  const destination = `loki://${loki.host}?tls=false&label_app=shop&label_env=prod%201&header_X-Scope-OrgID=shop`
  const lines = [...someLines(20, 200_000), '{"quote":"\\"ü"}']
  await deliverTo(destination, aBatch(lines))
  await deliverTo(destination, aBatch(lines))
  const [[stream, entries]] = [...loki.streams] as [[string, Map<string, string>]]
  assert.equal(stream, '{"app":"shop","env":"prod 1"}')
  assert.deepEqual([...entries.values()], lines)
  const times = [...entries.keys()].map(entry => BigInt(entry.slice(0, 19)))
  assert.deepEqual(
    times.map(time => time - times[0]!),
    lines.map((_, n) => BigInt(n)),
  )
  assert.equal(times[0]! / 1_000_000_000n, 1_786_573_800n)
  assert.equal(loki.requests.length, 6)
})

test('batches of the same second that hold the same lines are kept apart', async t => {
  const loki = await startLoki(t, 'shop')
  const destination = `loki://${loki.host}?tls=false&header_X-Scope-OrgID=shop`
  for (const id of ['a', 'b']) await deliverTo(destination, aBatch(['{}', '{}'], { id }))
  assert.equal([...loki.streams.values()][0]!.size, 4)
})

test('without a label there is one', async t => {
  const loki = await startLoki(t, 'shop')
  await deliverTo(`loki://${loki.host}/loki/api/v1/push?tls=false&header_X-Scope-OrgID=shop`, aBatch(['{}']))
  assert.deepEqual([...loki.streams.keys()], ['{"job":"sluice"}'])
})

test('a tenant that is missing and labels that are none are named', async t => {
  const loki = await startLoki(t, 'shop')
  const { message } = await checkDestination(`loki://${loki.host}?tls=false`, 'loopback')
  assert.match(message, /answered 401, it wants header_X-Scope-OrgID.*failed step: authenticate/)
  const many = Array.from({ length: 16 }, (_, n) => `label_a${n}=1`).join('&')
  for (const query of ['label_1a=x', 'label_a-b=x', 'label___a=x', 'label_a=', many, 'tls=no']) {
    const refused = lokiSink.parse(`loki://h?${query}`)
    assert.ok(!refused.ok, query)
  }
})
