import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { startKafka } from '../../../../test/support/receivers/kafka.ts'
import { aBatch, deliverTo, someLines } from '../../testing/batch.ts'
import { onThisMachine, reaching } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import { SinkError } from '../sink.ts'
import { openKafka } from './deliver.ts'
import { parseKafkaSettings } from './settings.ts'

test('parsing a kafka:// destination', () => {
  assert.deepEqual(
    parseKafkaSettings('kafka://ma%40ry:p%3Aw@a.test:9092,[2001:db8::1]:9093/my.logs?sasl=scram-sha-512'),
    {
      ok: true,
      value: {
        brokers: [
          { host: 'a.test', port: 9092 },
          { host: '2001:db8::1', port: 9093 },
        ],
        topic: 'my.logs',
        tls: true,
        sasl: { mechanism: 'SCRAM-SHA-512', username: 'ma@ry', password: 'p:w' },
      },
    },
  )
  const plain = parseKafkaSettings('kafka://a:1/t?tls=false')
  assert.ok(plain.ok && !plain.value.tls && plain.value.sasl === undefined)
  const rows: [text: string, why: RegExp][] = [
    ['kafka://a:1', /must have the form/],
    ['kafka://a:1/t/u', /must have the form/],
    ['kafka://a:1/t%20', /must be followed by the name of a topic/],
    ['kafka://a/t', /HOST:PORT/],
    ['kafka://a:0/t', /HOST:PORT/],
    ['kafka://a:65536/t', /HOST:PORT/],
    [`kafka://${Array.from({ length: 17 }, () => 'a:1').join(',')}/t`, /1 to 16 brokers/],
    ['kafka://a:1/t?sasl=gssapi', /sasl must be one of/],
    ['kafka://mary@a:1/t', /needs USER:PASSWORD@/],
    ['kafka://a:1/t?tls=no', /tls can only be/],
    ['kafka://a:1/t?acks=1', /no parameter "acks"/],
  ]
  for (const [text, why] of rows) {
    const settings = parseKafkaSettings(text)
    assert.ok(!settings.ok, text)
    assert.match(settings.problem.message, why)
  }
})

test('a line is a message with a key that a replay repeats', async t => {
  const kafka = await startKafka(t)
  const lines = someLines(2500, 1000)
  await deliverTo(`kafka://${kafka.address}/logs?tls=false`, aBatch(lines))
  const byNumber = kafka.messages.toSorted((a, b) => numberOf(a.key) - numberOf(b.key))
  assert.deepEqual(
    byNumber.map(({ value }) => value),
    lines,
  )
  assert.deepEqual(
    byNumber.slice(0, 2).map(({ key }) => numberOf(key)),
    [101, 102],
  )
  assert.deepEqual(new Set(byNumber.map(({ partition }) => partition)), new Set([0, 1]))
  assert.deepEqual(kafka.problems, [])
})

test('a part fits into one record batch, including the protocol’s overhead of each line', async t => {
  const kafka = await startKafka(t, undefined, { partitions: 1 })
  let lines = 0
  for (const [count, bytes] of [
    [20_000, 60],
    [10_000, 120],
    [5_000, 250],
  ] as const) {
    await deliverTo(`kafka://${kafka.address}/logs?tls=false`, aBatch(someLines(count, bytes)))
    lines += count
    assert.equal(kafka.messages.length, lines, `lines of ${bytes} bytes`)
  }
  assert.deepEqual(kafka.problems, [])
})

for (const partitions of [1, 3])
  test(`a batch that is too large for the topic is sent in pieces, each line once, to ${partitions} partitions`, async t => {
    const kafka = await startKafka(t, undefined, { partitions })
    kafka.messageBytesMax = 20_000
    const lines = someLines(1000, 270)
    await deliverTo(`kafka://${kafka.address}/logs?tls=false`, aBatch(lines))
    assert.equal(kafka.messages.length, lines.length)
    assert.deepEqual(new Set(kafka.messages.map(({ value }) => value)), new Set(lines))
    assert.deepEqual(kafka.problems, [])
  })

test('only a line that a topic does not accept by itself is the fault of the line', async t => {
  const kafka = await startKafka(t)
  kafka.messageBytesMax = 20_000
  const lines = [...someLines(10, 270), 'x'.repeat(30_000)]
  await assert.rejects(deliverTo(`kafka://${kafka.address}/logs?tls=false`, aBatch(lines)), {
    code: 'MESSAGE_TOO_LARGE',
    retry: 'never',
    message: /a line is longer than max\.message\.bytes of the topic/,
  })
})

test('pieces that the brokers have accepted are not sent again after a failure', async t => {
  const kafka = await startKafka(t)
  kafka.messageBytesMax = 20_000
  const lines = someLines(1000, 270)
  const batch = aBatch(lines)
  const destination = `kafka://${kafka.address}/logs?tls=false`
  kafka.fails = { code: 19, written: false, afterMessages: 300 }
  await assert.rejects(deliverTo(destination, batch), { code: 'NOT_ENOUGH_REPLICAS', retry: 'later' })
  const before = kafka.messages.length
  assert.ok(before >= 300 && before < 1000)
  kafka.fails = undefined
  await deliverTo(destination, batch)
  assert.equal(kafka.messages.length, lines.length)
  assert.deepEqual(new Set(kafka.messages.map(({ value }) => value)), new Set(lines))
})

test('the client’s own repetitions are written once; a replay by another process is not', async t => {
  const kafka = await startKafka(t)
  const destination = `kafka://${kafka.address}/logs?tls=false`
  const lines = someLines(10)
  // The answer says that too few replicas have it, though the leader wrote it.
  kafka.fails = { code: 20, written: true, once: true }
  await deliverTo(destination, aBatch(lines))
  assert.equal(kafka.fails, undefined)
  assert.equal(kafka.messages.length, 10)
  await deliverTo(destination, aBatch(lines))
  assert.deepEqual(
    kafka.messages.slice(10).map(({ key }) => key),
    kafka.messages.slice(0, 10).map(({ key }) => key),
  )
})

test('a user and password are sent, and reported when they are wrong', async t => {
  const kafka = await startKafka(t, { username: 'mary', password: 'the right word' })
  await deliverTo(`kafka://mary:the%20right%20word@${kafka.address}/logs?tls=false`, aBatch(['{}']))
  assert.equal(kafka.messages.length, 1)
  const wrong = await checkDestination(
    `kafka://mary:another-word@${kafka.address}/logs?tls=false`,
    onThisMachine,
  )
  assert.match(wrong.message, /user or password.*failed step: authenticate/)
  assert.doesNotMatch(wrong.message, /another-word/)
  const other = await checkDestination(
    `kafka://mary:another-word@${kafka.address}/logs?tls=false&sasl=scram-sha-256`,
    onThisMachine,
  )
  assert.match(other.message, /failed step: authenticate/)
})

for (const mechanism of ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const)
  test(`${mechanism} over TLS`, async t => {
    const kafka = await startKafka(
      t,
      { username: 'mary,=', password: 'the right word', mechanism },
      { tls: true },
    )
    const at = (password: string, sasl: string) =>
      `kafka://mary%2C%3D:${password}@${kafka.address}/logs?sasl=${sasl}`
    await deliverTo(at('the%20right%20word', mechanism), aBatch(someLines(3)))
    assert.equal(kafka.messages.length, 3)
    assert.deepEqual(kafka.problems, [])
    for (const destination of [at('another-word', mechanism), at('the%20right%20word', 'PLAIN')]) {
      const { message } = await checkDestination(destination, onThisMachine)
      assert.match(message, /failed step: authenticate/)
      assert.doesNotMatch(message, /another-word|the right word/)
    }
  })

test('a server without the password cannot pretend to know it, and an invalid exchange is refused', async t => {
  const mechanism = 'SCRAM-SHA-256'
  const kafka = await startKafka(t, { username: 'mary', password: 'word', mechanism })
  const rows: [says: (message: string) => string, why: string][] = [
    [message => (message.startsWith('v=') ? 'v=AAAA' : message), 'signature'],
    [message => message.replace(/^r=.*?,/, 'r=mine,'), 'nonce'],
    [message => message.replace('i=4096', 'i=1'), 'iterations'],
    [() => 'nonsense', 'form'],
    [() => '', 'nothing'],
    [() => 's=AAAA,i=4096', 'no nonce'],
    [message => message.replace(/i=.*/, 'i=x'), 'no number'],
    [message => message.replace('i=4096', 'i=999999999'), 'too much work'],
  ]
  for (const [says, why] of rows) {
    kafka.scramSays = says
    await assert.rejects(
      deliverTo(`kafka://mary:word@${kafka.address}/logs?tls=false&sasl=${mechanism}`, aBatch(['{}'])),
      (error: SinkError) => error instanceof SinkError && error.step === 'authenticate',
      why,
    )
  }
  assert.deepEqual(kafka.messages, [])
})

test('a connection that breaks while the user is authenticated does not reveal the password', async t => {
  for (const mechanism of ['PLAIN', 'SCRAM-SHA-256'] as const) {
    const kafka = await startKafka(t, { username: 'mary', password: 'word', mechanism })
    kafka.breaksAuthentication = true
    await assert.rejects(
      deliverTo(`kafka://mary:word@${kafka.address}/logs?tls=false&sasl=${mechanism}`, aBatch(['{}'])),
      (error: SinkError) => error instanceof SinkError && error.retry === 'later',
    )
  }
})

test('a listener that requires a user or TLS is told apart from one that does not', async t => {
  const plain = await startKafka(t)
  const tls = await startKafka(t, undefined, { tls: true })
  const user = await startKafka(t, { username: 'mary', password: 'word' })
  const both = await startKafka(t, { username: 'mary', password: 'word' }, { tls: true })
  const rows: [destination: string, words: RegExp][] = [
    [`kafka://${user.address}/logs?tls=false`, /its listener may require TLS or a user/],
    [`kafka://${tls.address}/logs?tls=false`, /its listener may require TLS or a user/],
    [`kafka://${both.address}/logs`, /its listener may require a user/],
    [`kafka://mary:word@${both.address}/logs?tls=false`, /its listener may require TLS/],
    [`kafka://${plain.address}/logs`, /does not speak TLS on this port/],
    [`kafka://mary:word@${user.address}/logs`, /does not speak TLS on this port/],
    [`kafka://mary:word@${plain.address}/logs?tls=false`, /this listener accepts no user/],
    [`kafka://mary:word@${tls.address}/logs`, /this listener accepts no user/],
  ]
  for (const [destination, words] of rows) {
    const { message } = await checkDestination(destination, onThisMachine)
    assert.match(message, words, destination)
  }
})

test('a check that ends before any broker is connected names the step', async t => {
  const sockets: Socket[] = []
  const mute = createServer(socket => void sockets.push(socket.on('error', () => {})))
  await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    mute.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = mute.address() as AddressInfo
  const settings = parseKafkaSettings(`kafka://127.0.0.1:${port}/logs`)
  assert.ok(settings.ok)
  const sink = openKafka(settings.value, 'loopback')
  t.after(() => sink.close())
  await assert.rejects(sink.probe(aBatch(['{}']), AbortSignal.timeout(200)), {
    step: 'connect',
    message: /does not answer, or does not speak TLS/,
  })
})

test('an unsigned certificate is refused at TLS', async t => {
  const kafka = await startKafka(t, undefined, { tls: true, trusted: false })
  const { message } = await checkDestination(`kafka://${kafka.address}/logs`, onThisMachine)
  assert.match(message, /certificate of 127\.0\.0\.1 is not valid.*failed step: TLS/)
})

test('a refusal of the brokers is explained in words', async t => {
  const kafka = await startKafka(t)
  const rows: [code: number, retry: string, step: string, words: RegExp][] = [
    [29, 'never', 'authenticate', /lacks the permission Write on the topic logs/],
    [31, 'never', 'authenticate', /IdempotentWrite/],
    [10, 'never', 'write', /max\.message\.bytes|message\.max\.bytes/],
    [19, 'later', 'write', /too few replicas/],
  ]
  for (const [code, retry, step, words] of rows) {
    kafka.fails = { code, written: false }
    await assert.rejects(
      deliverTo(`kafka://${kafka.address}/logs?tls=false`, aBatch(['{}'])),
      (error: SinkError) => {
        assert.ok(error instanceof SinkError)
        assert.match(error.message, words)
        assert.deepEqual([error.retry, error.step], [retry, step])
        return true
      },
    )
  }
  const { message } = await checkDestination(`kafka://${kafka.address}/other?tls=false`, onThisMachine)
  assert.match(message, /there is no topic other.*failed step: write/)
})

test('only allowed brokers are connected to, including brokers that others name', async t => {
  const kafka = await startKafka(t)
  const rows: [destination: string, reach: 'public' | 'loopback', words: RegExp][] = [
    [`kafka://${kafka.address}/logs?tls=false`, 'public', /has a loopback address/],
    [`kafka://${kafka.address}/logs`, 'public', /has a loopback address/],
    [`kafka://localhost:${kafka.advertised.port}/logs?tls=false`, 'public', /has a loopback address/],
    [`kafka://localhost:${kafka.advertised.port}/logs`, 'public', /has a loopback address/],
    ['kafka://127.0.0.1:1/logs?tls=false', 'loopback', /refuses connections.*failed step: connect/],
    ['kafka://nowhere.invalid:9092/logs?tls=false', 'loopback', /failed step: resolve name/],
    [`kafka://${kafka.address}/logs`, 'loopback', /failed step: TLS/],
  ]
  for (const [destination, reach, words] of rows) {
    const { valid, message } = await checkDestination(destination, reaching(reach))
    assert.equal(valid, false, destination)
    assert.match(message, words, destination)
  }
  kafka.advertised = { host: '169.254.169.254', port: 80 }
  const { message } = await checkDestination(`kafka://${kafka.address}/logs?tls=false`, onThisMachine)
  assert.match(message, /169\.254\.169\.254 has a link-local or reserved address/)
})

function numberOf(key: string): number {
  return Number(key.split('-')[1])
}
