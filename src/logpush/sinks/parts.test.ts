import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { aBatch } from '../testing/batch.ts'
import { type Caps, type Part, sendParts } from './parts.ts'
import { type SinkBatch, SinkError } from './sink.ts'

async function partsOf(batch: SinkBatch, caps: Caps): Promise<Part[]> {
  const parts: Part[] = []
  await sendParts(batch, caps, async part => {
    parts.push(part)
    return undefined
  })
  return parts
}

const id = '00112233445566778899aabbccddeeff'

test('a batch that fits is sent whole, with its own bytes and id', async () => {
  const batch = aBatch(['1234', '1234', '1234'])
  for (const caps of [{}, { records: 3 }, { bytes: 15 }, { gzipBytes: batch.content.length }]) {
    const [part, ...others] = await partsOf({ ...batch, sent: new Set() }, caps)
    assert.deepEqual(others, [])
    assert.equal(part!.id, id)
    assert.equal(part!.gzip, batch.content)
    assert.deepEqual(part!.records.map(String), ['1234\n', '1234\n', '1234\n'])
  }
})

test('a batch that does not fit is sent in parts, whose ids name their first record', async () => {
  const rows: [caps: Caps, want: [id: string, text: string][]][] = [
    [
      { records: 2 },
      [
        [`${id}.0`, '1\n2\n'],
        [`${id}.2`, '3\n4\n'],
        [`${id}.4`, '5\n'],
      ],
    ],
    [
      { bytes: 9 },
      [
        [`${id}.0`, '1\n2\n3\n4\n'],
        [`${id}.4`, '5\n'],
      ],
    ],
    [{ bytes: 1 }, [0, 1, 2, 3, 4].map(n => [`${id}.${n}`, `${n + 1}\n`])],
  ]
  for (const [caps, want] of rows) {
    const parts = await partsOf(aBatch(['1', '2', '3', '4', '5']), caps)
    assert.deepEqual(
      parts.map(part => [part.id, part.text.toString()]),
      want,
    )
    for (const part of parts) assert.deepEqual(gunzipSync(part.gzip), part.text)
  }
})

test('every part has its own prefix, delimiters and suffix', async () => {
  const text = Buffer.from('[ü,22,3]')
  const batch = aBatch([], {
    content: gzipSync(text),
    frame: { prefix: '[', delimiter: ',', suffix: ']', sizes: [2, 2, 1] },
    text: async () => text,
  })
  const rows: [bytes: number, want: string[]][] = [
    [9, ['[ü,22,3]']],
    [7, ['[ü,22]', '[3]']],
    [6, ['[ü]', '[22,3]']],
  ]
  for (const [bytes, want] of rows)
    assert.deepEqual(
      (await partsOf({ ...batch, sent: new Set() }, { bytes })).map(part => part.text.toString()),
      want,
      String(bytes),
    )
})

test('a part that is too large when compressed is halved', async () => {
  const batch = aBatch(Array.from({ length: 8 }, () => randomBytes(1000).toString('base64')))
  const parts = await partsOf(batch, { gzipBytes: 3000 })
  assert.ok(parts.length > 2)
  assert.ok(parts.every(part => part.gzip.length <= 3000))
  assert.equal(Buffer.concat(parts.map(part => part.text)).compare(await batch.text()), 0)
})

test('sent parts are not sent again by the next attempt', async () => {
  const batch = aBatch(['1', '2', '3'])
  const sent: string[] = []
  let failing = true
  const send = async (part: Part) => {
    if (failing && part.first === 1) throw new SinkError('status-500', 'later', 'no')
    sent.push(part.text.toString())
    return undefined
  }
  await assert.rejects(sendParts(batch, { records: 1 }, send), SinkError)
  failing = false
  await sendParts(batch, { records: 1 }, send)
  assert.deepEqual(sent, ['1\n', '2\n', '3\n'])
})

test('refused records delay no other part, and are sent again with the next attempt', async () => {
  const batch = aBatch(['1', '2', '3'])
  const sent: string[] = []
  const send = async (part: Part) => {
    sent.push(part.text.toString())
    return part.first === 2 ? undefined : { count: 1, status: 400, why: `no ${part.text}`.trim() }
  }
  assert.deepEqual(await sendParts(batch, { records: 1 }, send), { count: 2, status: 400, why: 'no 1' })
  await sendParts(batch, { records: 1 }, send)
  assert.deepEqual(sent, ['1\n', '2\n', '3\n', '1\n', '2\n'])
})
