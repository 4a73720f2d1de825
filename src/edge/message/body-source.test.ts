import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { CidrSet } from '../../kit/cidr.ts'
import { defaultEdgeLimits } from '../exchange/deps.ts'
import { BodyBudget } from './body-budget.ts'
import { BodySource } from './body-source.ts'

const allowance = {
  budget: new BodyBudget(defaultEdgeLimits, new CidrSet([])),
  limits: {
    bodyIdleTimeoutMs: 10_000,
    bodyGraceMs: 10_000,
    bodyBytesPerSecondMin: 1,
    originStalledMs: 10_000,
  },
}

/** A chunked body and its client. Each write is a separate part. */
function newBody(): { readonly client: PassThrough; readonly body: BodySource } {
  const client = new PassThrough({ highWaterMark: 1 })
  const request = Object.assign(client, { mayHaveBody: true, announcedBytes: undefined, complete: false })
  return {
    client,
    body: new BodySource(request, allowance, '192.0.2.1', undefined),
  }
}

async function send(client: PassThrough, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    client.write(part)
    await setImmediate()
  }
  client.end()
}

const bodies: readonly { readonly name: string; readonly parts: readonly string[]; readonly kept: number }[] =
  [
    { name: 'one part', parts: ['abc'], kept: 1 },
    { name: 'short parts become one', parts: [...'abcdefgh'], kept: 1 },
    { name: 'as many bytes as one part holds', parts: ['a'.repeat(16_383), 'b', 'c'], kept: 2 },
    { name: 'long ones stay', parts: ['a'.repeat(20_000), 'b'.repeat(20_000)], kept: 2 },
    { name: 'short, long, short', parts: ['a', 'b', 'c'.repeat(20_000), 'd', 'e'], kept: 3 },
  ]

for (const { name, parts, kept } of bodies)
  test(`parts of a body: ${name}`, async () => {
    const { client, body } = newBody()
    const retained = body.retain(Infinity)
    const seen: string[] = []
    const reading = body.read(100_000, part => seen.push(Buffer.from(part).toString()))
    await send(client, parts)
    assert.equal(await reading, true)
    assert.deepEqual(seen, parts, 'read as they come')
    const again: string[] = []
    assert.equal(await body.readAgain(100_000, part => again.push(Buffer.from(part).toString())), true)
    assert.equal(again.length, kept)
    assert.equal(again.join(''), parts.join(''))
    assert.equal(Buffer.concat(retained).toString(), parts.join(''))
    assert.equal(String(body.forOrigin(() => {})), parts.join(''))
  })

test('released parts are not kept, and still reach the origin', async () => {
  const { client, body } = newBody()
  const retained = body.retain(Infinity)
  const reading = body.read(0, () => {})
  client.write('a')
  await reading
  body.release()
  const sending = send(client, ['b', 'c'])
  let text = ''
  for await (const part of body.forOrigin(() => {}) as AsyncIterable<Buffer>) text += part
  await sending
  assert.deepEqual([text, Buffer.concat(retained).toString()], ['abc', 'a'])
})

test('read parts and later parts reach the origin in order', async () => {
  const { client, body } = newBody()
  const reading = body.read(2, () => {})
  const sending = send(client, [...'abcdefgh'])
  assert.equal(await reading, false)
  let text = ''
  for await (const part of body.forOrigin(() => {}) as AsyncIterable<Buffer>) text += part
  await sending
  assert.equal(text, 'abcdefgh')
})

test('no more than the limit is passed on, also of a part that grew', async () => {
  const { client, body } = newBody()
  let first = ''
  const reading = body.read(3, part => {
    first += Buffer.from(part)
  })
  const sending = send(client, [...'abcdefgh'])
  assert.equal(await reading, false)
  assert.equal(first, 'abc')
  let more = ''
  assert.equal(
    await body.read(5, part => {
      more += Buffer.from(part)
    }),
    false,
  )
  assert.equal(more, 'abcde')
  await body.discard({ bytes: 100, ms: 1000 })
  await sending
})
