import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkDestination } from '../../src/logpush/index.ts'
import { aBatch, deliverTo, someLines } from '../../src/logpush/testing/batch.ts'
import { onThisMachine } from '../../src/logpush/testing/destinations.ts'
import { trust } from '../support/receivers/receiver.ts'
import { type KafkaServer, startKafkaServer } from './kafka-broker.ts'

/** Delivery to Apache Kafka's own broker. `npm run test:servers -- kafka` runs it. */

let kafka: KafkaServer

before(async () => {
  kafka = await startKafkaServer(process.env['SLUICE_TEST_KAFKA']!)
})
after(() => kafka.close())

test('every line is a message, once, over every listener and mechanism', async t => {
  trust(t)
  await kafka.createTopic('logs', 3)
  const user = `${kafka.user.name}:${encodeURIComponent(kafka.user.password)}`
  const destinations = [
    `kafka://${kafka.plain}/logs?tls=false`,
    `kafka://${kafka.tls}/logs`,
    `kafka://${user}@${kafka.sasl}/logs?tls=false`,
    ...['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
      mechanism => `kafka://${user}@${kafka.saslTls}/logs?sasl=${mechanism}`,
    ),
  ]
  const lines = someLines(9000, 270)
  for (const [n, destination] of destinations.entries())
    await deliverTo(destination, aBatch(lines, { job: `zone/${n}` }))
  const messages = await kafka.messages('logs')
  assert.equal(messages.length, lines.length * destinations.length)
  assert.equal(new Set(messages.map(({ key }) => key)).size, messages.length)
  assert.deepEqual(new Set(messages.map(({ value }) => value)), new Set(lines))
  assert.equal(new Set(messages.map(({ partition }) => partition)).size, 3)
})

test('a destination can be tried, and a topic that is not there is named', async () => {
  await kafka.createTopic('tried', 1)
  const check = (topic: string) =>
    checkDestination(`kafka://${kafka.plain}/${topic}?tls=false`, onThisMachine)
  assert.deepEqual(await check('tried'), { valid: true, message: '' })
  assert.match((await check('nowhere')).message, /there is no topic nowhere/)
})

test('a batch that is too large for a topic is sent in pieces, each line once', async () => {
  for (const partitions of [1, 3]) {
    const topic = `small-${partitions}`
    await kafka.createTopic(topic, partitions, ['max.message.bytes=20000'])
    const lines = someLines(1000, 270)
    await deliverTo(`kafka://${kafka.plain}/${topic}?tls=false`, aBatch(lines, { job: topic }))
    const messages = await kafka.messages(topic)
    assert.equal(messages.length, lines.length)
    assert.deepEqual(new Set(messages.map(({ value }) => value)), new Set(lines))
  }
})

test('a line that a topic will not take by itself is named', async () => {
  await kafka.createTopic('tiny', 1, ['max.message.bytes=20000'])
  const lines = [...someLines(10, 270), 'x'.repeat(30_000)]
  await assert.rejects(
    deliverTo(`kafka://${kafka.plain}/tiny?tls=false`, aBatch(lines, { job: 'tiny' })),
    /MESSAGE_TOO_LARGE: a line is longer than max\.message\.bytes/,
  )
})

test('a listener that wants a user or TLS, or does not, is told apart', async () => {
  const check = async (destination: string) => (await checkDestination(destination, onThisMachine)).message
  const user = `${kafka.user.name}:${encodeURIComponent(kafka.user.password)}`
  const rows = [
    [`kafka://${kafka.sasl}/logs?tls=false`, /its listener may require TLS or a user/],
    [`kafka://${kafka.tls}/logs?tls=false`, /its listener may require TLS or a user/],
    [`kafka://${kafka.plain}/logs`, /does not speak TLS on this port/],
    [`kafka://${user}@${kafka.plain}/logs?tls=false`, /ILLEGAL_SASL_STATE: this listener accepts no user/],
  ] as const
  for (const [destination, want] of rows) assert.match(await check(destination), want)
})
