import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { aBatch } from '../testing/batch.ts'
import { type Caps, type GzipPart, type RecordsPart, sendGzip, sendRecords } from './parts.ts'
import { type SinkBatch, SinkError } from './sink.ts'

interface SentPart extends GzipPart {
  readonly text: string
}

/** Both ways to send a batch have the same parts. */
async function partsOf(batch: SinkBatch, caps: Caps): Promise<SentPart[]> {
  const parts: SentPart[] = []
  await sendGzip(batch, caps, async part => {
    parts.push({ ...part, text: gunzipSync(part.gzip).toString() })
    return undefined
  })
  const ofRecords: RecordsPart[] = []
  if (caps.gzipBytes === undefined)
    await sendRecords({ ...batch, sent: new Set() }, caps, async part => {
      ofRecords.push(part)
      return undefined
    })
  for (const [index, { records, ...part }] of ofRecords.entries()) {
    const { gzip, text, ...same } = parts[index]!
    assert.deepEqual(part, same)
    const { prefix, delimiter, suffix } = batch.frame
    assert.equal(`${prefix}${records.join(delimiter)}${suffix}`, text)
  }
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
    assert.equal(part!.count, 3)
  }
})

test('a batch that is sent whole is not decompressed', async () => {
  const batch = aBatch(['1', '2'], { text: () => assert.fail('no receiver needs the text') })
  let sent = 0
  await sendGzip(batch, {}, async ({ gzip }) => {
    assert.equal(gzip, batch.content)
    sent++
    return undefined
  })
  assert.equal(sent, 1)
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
      parts.map(part => [part.id, part.text]),
      want,
    )
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
      (await partsOf({ ...batch, sent: new Set() }, { bytes })).map(part => part.text),
      want,
      String(bytes),
    )
})

test('a part that is too large when compressed is halved', async () => {
  const batch = aBatch(Array.from({ length: 8 }, () => randomBytes(1000).toString('base64')))
  const parts = await partsOf(batch, { gzipBytes: 3000 })
  assert.ok(parts.length > 2)
  assert.ok(parts.every(part => part.gzip.length <= 3000))
  assert.equal(parts.map(part => part.text).join(''), String(await batch.text()))
})

test('sent parts are not sent again by the next attempt', async () => {
  const batch = aBatch(['1', '2', '3'])
  const sent: string[] = []
  let failing = true
  const send = async (part: RecordsPart) => {
    if (failing && part.first === 1) throw new SinkError('status-500', 'later', 'no')
    sent.push(part.records.join(''))
    return undefined
  }
  await assert.rejects(sendRecords(batch, { records: 1 }, send), SinkError)
  failing = false
  await sendRecords(batch, { records: 1 }, send)
  assert.deepEqual(sent, ['1\n', '2\n', '3\n'])
})

test('refused records delay no other part, and are sent again with the next attempt', async () => {
  const batch = aBatch(['1', '2', '3'])
  const sent: string[] = []
  const send = async (part: RecordsPart) => {
    sent.push(part.records.join(''))
    return part.first === 2 ? undefined : { count: 1, status: 400, why: `no ${part.records.join('')}`.trim() }
  }
  assert.deepEqual(await sendRecords(batch, { records: 1 }, send), { count: 2, status: 400, why: 'no 1' })
  await sendRecords(batch, { records: 1 }, send)
  assert.deepEqual(sent, ['1\n', '2\n', '3\n', '1\n', '2\n'])
})
