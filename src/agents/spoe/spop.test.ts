import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../edge/testing/fixture.ts'
import { startAgents } from '../testing/agents.ts'
import { type Frame, FrameCutter, frameBytes } from './frames.ts'
import { pairsOf } from './hello.ts'
import { lengthFirst, Reader, typed, varint } from './wire.ts'

test('integers of variable length, in both directions', () => {
  for (const [value, hex] of [
    [0, '00'],
    [239, 'ef'],
    [240, 'f000'],
    [2287, 'ff7f'],
    [2288, 'f08000'],
    [2 ** 32, undefined],
  ] as const) {
    const bytes = varint(value)
    if (hex !== undefined) assert.equal(bytes.toString('hex'), hex)
    assert.equal(new Reader(bytes).varint(), value)
  }
  assert.throws(() => new Reader(Buffer.alloc(20, 0xff)).varint(), /too large/)
})

function open(
  t: TestContext,
  port: number,
): { readonly socket: Socket; readonly frames: Frame[]; closed: boolean } {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  const cutter = new FrameCutter(1_000_000)
  const client = { socket, frames: [] as Frame[], closed: false }
  socket.on('error', () => {})
  socket.once('close', () => {
    client.closed = true
  })
  socket.on('data', (part: Buffer) => {
    cutter.add(part)
    for (let frame = cutter.next(); frame !== undefined; frame = cutter.next()) client.frames.push(frame)
  })
  return client
}

const pair = (name: string, value: string | number) => Buffer.concat([lengthFirst(name), typed(value)])

const hello = frameBytes(
  1,
  0,
  0,
  Buffer.concat([pair('supported-versions', '2.0'), pair('max-frame-size', 16380), pair('capabilities', '')]),
)

/** Marks a frame as one that another fragment follows, or that is aborted. */
function flagged(frame: Buffer, flags: number): Buffer {
  const copy = Buffer.from(frame)
  copy[8] = flags
  return copy
}

const binary = (value: Buffer) => Buffer.concat([Buffer.of(9), lengthFirst(value)])

function message(path: string): Buffer {
  const headers = Buffer.concat([lengthFirst('host'), lengthFirst('site.test'), Buffer.of(0, 0)])
  const args = [
    pair('method', 'GET'),
    pair('uri', path),
    pair('version', '1.1'),
    pair('src', '203.0.113.7'),
    Buffer.concat([lengthFirst('headers'), binary(headers)]),
  ]
  return Buffer.concat([lengthFirst('request'), Buffer.of(args.length), ...args])
}

test('messages of one connection are answered by their ids, whole or in fragments', async t => {
  const { agentPort, records, edge } = await startAgents(t, 'spoe')
  const client = open(t, agentPort)
  client.socket.write(hello)
  await eventually(() => client.frames.length === 1)
  assert.equal(client.frames[0]!.type, 101)
  assert.equal(pairsOf(new Reader(client.frames[0]!.payload)).get('max-frame-size'), 16380)
  const blocked = message('/blocked')
  client.socket.write(
    Buffer.concat([
      flagged(frameBytes(3, 7, 1, blocked.subarray(0, 10)), 0),
      flagged(frameBytes(0, 7, 1, blocked.subarray(10, 30)), 0),
      frameBytes(0, 7, 1, blocked.subarray(30)),
      flagged(frameBytes(3, 8, 1, blocked.subarray(0, 10)), 0),
      flagged(frameBytes(0, 8, 1, Buffer.alloc(0)), 3),
      frameBytes(3, 9, 2, message('/fine')),
    ]),
  )
  await eventually(() => client.frames.length === 3)
  assert.deepEqual(
    client.frames
      .slice(1)
      .map(({ type, streamId }) => [type, streamId])
      .sort(),
    [
      [103, 7],
      [103, 9],
    ],
  )
  assert.ok(client.frames.find(({ streamId }) => streamId === 9)!.payload.includes('pass'))
  assert.equal(records.length, 1)
  client.socket.write(frameBytes(2, 0, 0, pair('status-code', 0)))
  await eventually(() => client.closed)
  assert.equal(client.frames.at(-1)!.type, 102)
  assert.equal(edge.stats().requests, 2)
})

const notify = (payload: Buffer) => frameBytes(3, 1, 1, payload)
const badHello = (...pairs: Buffer[]) => frameBytes(1, 0, 0, Buffer.concat(pairs))

for (const [name, bytes, status] of [
  ['a frame before HELLO', notify(message('/')), 4],
  ['no version', badHello(pair('max-frame-size', 1000), pair('capabilities', '')), 5],
  ['no frame size', badHello(pair('supported-versions', '2.0'), pair('capabilities', '')), 6],
  ['no capabilities', badHello(pair('supported-versions', '2.0'), pair('max-frame-size', 1000)), 7],
  [
    'another version',
    badHello(pair('supported-versions', '1.0'), pair('max-frame-size', 1000), pair('capabilities', '')),
    8,
  ],
  [
    'frames that are too small',
    badHello(pair('supported-versions', '2.0'), pair('max-frame-size', 100), pair('capabilities', '')),
    9,
  ],
  ['a frame that is too big', Buffer.from('7fffffff', 'hex'), 3],
  ['a second HELLO', Buffer.concat([hello, hello]), 4],
  ['a fragment without a beginning', Buffer.concat([hello, frameBytes(0, 1, 1, Buffer.alloc(0))]), 11],
  [
    'interlaced fragments',
    Buffer.concat([hello, flagged(notify(message('/')), 0), frameBytes(3, 2, 1, message('/'))]),
    11,
  ],
  ['an unknown frame', Buffer.concat([hello, frameBytes(50, 0, 0, Buffer.alloc(0))]), 4],
  [
    'an unknown message',
    Buffer.concat([hello, notify(Buffer.concat([lengthFirst('other'), Buffer.of(0)]))]),
    4,
  ],
  ['a value that ends early', Buffer.concat([hello, notify(message('/').subarray(0, -3))]), 4],
  [
    'a request without headers',
    Buffer.concat([hello, notify(Buffer.concat([lengthFirst('request'), Buffer.of(0)]))]),
    4,
  ],
] as const) {
  test(`SPOP: ${name} closes the connection with status ${status}`, async t => {
    const { agentPort, edge } = await startAgents(t, 'spoe')
    const client = open(t, agentPort)
    client.socket.write(bytes)
    await eventually(() => client.closed)
    const last = client.frames.at(-1)!
    assert.equal(last.type, 102)
    assert.equal(pairsOf(new Reader(last.payload)).get('status-code'), status)
    assert.equal(edge.stats().requests, 0)
  })
}
