import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoki } from '../../../../test/support/receivers/engines.ts'
import { aBatch, deliverTo, someLines } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import type { LineOrigin } from '../sink.ts'
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
    times.map(time => time / 1_000_000n),
    lines.map((_, n) => 1_786_573_799_980n + BigInt(n)),
  )
  assert.equal(loki.requests.length, 6)
})

test('a line has the time of its event, unless that is long past', async t => {
  const loki = await startLoki(t, undefined)
  const receivedMs = Date.UTC(2026, 7, 12, 22, 30)
  const openFor = [0, 12, 1_500_000, 5 * 3_600_000]
  const origin = (line: number): LineOrigin => ({
    partition: 'edge-1',
    sequence: line + 1,
    receivedMs,
    happenedMs: receivedMs - openFor[line]!,
  })
  await deliverTo(
    `loki://${loki.host}?tls=false`,
    aBatch(['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}'], { origin }),
  )
  const [entries] = [...loki.streams.values()] as [Map<string, string>]
  assert.deepEqual(
    Array.from(entries.keys(), entry => receivedMs - Number(entry.slice(0, 13))),
    [0, 12, 1_500_000, 0],
  )
})

test('equal lines are all kept, of one moment and of several partitions', async t => {
  const loki = await startLoki(t, undefined)
  const destination = `loki://${loki.host}?tls=false`
  const receivedMs = Date.UTC(2026, 7, 12, 22, 30)
  for (const partition of ['edge-1', 'edge-2']) {
    const origin = (line: number) => ({ partition, sequence: 200 + line, receivedMs, happenedMs: receivedMs })
    await deliverTo(destination, aBatch(['{}', '{}', '{}'], { origin }))
    // The last two again, in another batch.
    await deliverTo(destination, aBatch(['{}', '{}'], { origin: line => origin(line + 1) }))
  }
  assert.equal([...loki.streams.values()][0]!.size, 6)
})

test('without labels a default one is sent', async t => {
  const loki = await startLoki(t, 'shop')
  await deliverTo(`loki://${loki.host}/loki/api/v1/push?tls=false&header_X-Scope-OrgID=shop`, aBatch(['{}']))
  assert.deepEqual([...loki.streams.keys()], ['{"job":"sluice"}'])
})

test('a missing tenant and invalid labels are reported', async t => {
  const loki = await startLoki(t, 'shop')
  const { message } = await checkDestination(`loki://${loki.host}?tls=false`, onThisMachine)
  assert.match(message, /answered 401, it requires header_X-Scope-OrgID.*failed step: authenticate/)
  const many = Array.from({ length: 16 }, (_, n) => `label_a${n}=1`).join('&')
  for (const query of ['label_1a=x', 'label_a-b=x', 'label___a=x', 'label_a=', many, 'tls=no']) {
    const refused = lokiSink.parse(`loki://h?${query}`)
    assert.ok(!refused.ok, query)
  }
})

test('a 400 is explained as a label, the length or the age of a line', async t => {
  const loki = await startLoki(t, undefined)
  const rows: [said: string, words: RegExp][] = [
    ['error at least one label pair is required per stream', /answered 400, it does not accept the labels/],
    ['stream has 16 label names; limit 15', /it does not accept the labels/],
    ['Max entry size 262144 bytes exceeded for stream', /a line is too long for it/],
    ['entry too far behind, entry timestamp is: 2026', /a line is too old for it/],
    ["Max entry size '262144' bytes exceeded for stream '{label_set=\"a\"}'", /a line is too long for it/],
    ['entry for stream \'{label="a"}\' has timestamp too old: 2026', /a line is too old for it/],
    ['stream \'{a="line too long"}\' has label name too long', /it does not accept the labels/],
    ['something new', /it does not accept a line or a label/],
  ]
  for (const [body, words] of rows) {
    loki.instead = () => ({ status: 400, body })
    const { message } = await checkDestination(`loki://${loki.host}?tls=false`, onThisMachine)
    assert.match(message, words)
  }
})
