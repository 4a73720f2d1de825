import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busLimits } from '../kit/limits.ts'
import type { RecordLogFault } from './faults.ts'
import type { RecordLog, RecordReader, SequencedRecord } from './port.ts'

export interface RecordLogUnderTest {
  /** Opens a log that nobody used before. */
  readonly fresh: (faults: RecordLogFault[]) => Promise<FreshLog>
}

export interface FreshLog {
  readonly log: RecordLog
  /** The same log once more, as another process would open it. */
  readonly another: () => Promise<RecordLog>
  /** The partition that a writer named `w` fills. */
  readonly partition: string
}

export const plenty = { records: 100_000, bytes: 1 << 30 }

/** What every adapter must do. */
export function busSuite(adapter: RecordLogUnderTest): void {
  async function withLog(body: (fresh: FreshLog, faults: RecordLogFault[]) => Promise<void>): Promise<void> {
    const faults: RecordLogFault[] = []
    const fresh = await adapter.fresh(faults)
    await body(fresh, faults)
    await fresh.log.close()
  }

  test('records come back in order, numbered from 1, unchanged', () =>
    withLog(async ({ log, another, partition }) => {
      const sent = ['{"a":"é🧱"}', '{}', `"${'x'.repeat(300_000)}"`, '[1]']
      const writer = await log.writer('w')
      const startMs = Date.now()
      for (const record of sent) writer.append(record)
      await writer.flush()
      const reader = await (await another()).reader()
      assert.deepEqual(await reader.partitions(), [partition])
      assert.equal(await reader.head(partition), 4)
      const got = await reader.read(partition, 0, plenty)
      assert.deepEqual(got.map(record), sent)
      assert.deepEqual(got.map(sequence), [1, 2, 3, 4])
      for (const { receivedMs } of got) assert.ok(Math.abs(receivedMs - startMs) < 60_000)
      assert.deepEqual(await reader.read(partition, 0, plenty), got)
      await reader.close()
    }))

  test('an empty log and an unknown partition hold nothing', () =>
    withLog(async ({ log, partition }) => {
      const reader = await log.reader()
      for (const name of [partition, 'other', '../other']) {
        assert.equal(await reader.head(name), 0)
        assert.deepEqual(await reader.read(name, 0, plenty), [])
        await reader.release(name, 5)
      }
      const writer = await log.writer('w')
      await writer.flush()
      assert.equal(await reader.head(partition), 0)
    }))

  test('a read stops at the first limit, after one record at least', () =>
    withLog(async ({ log, partition }) => {
      const writer = await log.writer('w')
      for (let n = 0; n < 10; n++) writer.append('1234567890')
      await writer.flush()
      const reader = await log.reader()
      for (const [after, records, bytes, want] of [
        [0, 3, 1000, [1, 2, 3]],
        [0, 10, 29, [1, 2]],
        [0, 10, 30, [1, 2, 3]],
        [0, 10, 31, [1, 2, 3]],
        [0, 10, 1, [1]],
        [0, 1, 1, [1]],
        [3, 2, 20, [4, 5]],
        [5, 2, 20, [6, 7]],
        [8, 100, 1000, [9, 10]],
        [10, 100, 1000, []],
        [11, 100, 1000, []],
      ] as const) {
        const got = await reader.read(partition, after, { records, bytes })
        assert.deepEqual(got.map(sequence), want)
      }
    }))

  test('readers at different places follow a writer, each seeing every record once', () =>
    withLog(async ({ log, another, partition }) => {
      const writer = await log.writer('w')
      const reader = await (await another()).reader()
      const sent: string[] = []
      const seen: [string[], string[], string[]] = [[], [], []]
      for (let round = 0; round < 20; round++) {
        for (let n = 0; n < 150; n++) sent.push(`{"n":${sent.length}}`)
        for (const text of sent.slice(-150)) writer.append(text)
        if (round % 3 === 0) await writer.flush()
        const reads = seen.map(async (own, job) => {
          const got = await reader.read(partition, own.length, { records: 60 * (job + 1), bytes: 4000 })
          own.push(...got.map(record))
        })
        await Promise.all(reads)
      }
      await writer.flush()
      for (const own of seen) {
        await drain(reader, partition, own)
        assert.deepEqual(own, sent)
      }
      await reader.close()
    }))

  test('a writer that comes back goes on with the numbers', () =>
    withLog(async ({ log, partition }) => {
      for (const text of ['"a"', '"b"', '"c"']) {
        const writer = await log.writer('w')
        writer.append(text)
        await writer.close()
      }
      const reader = await log.reader()
      const got = await reader.read(partition, 0, plenty)
      assert.deepEqual(got.map(sequence), [1, 2, 3])
      assert.deepEqual(got.map(record), ['"a"', '"b"', '"c"'])
    }))

  test('a release takes nothing that comes after it and no number', () =>
    withLog(async ({ log, partition }) => {
      const writer = await log.writer('w')
      for (let n = 1; n <= 5; n++) writer.append(`${n}`)
      await writer.flush()
      const reader = await log.reader()
      for (const released of [0, 3, 3, 1, 5, 99]) {
        await reader.release(partition, released)
        assert.equal(await reader.head(partition), 5)
        const got = await reader.read(partition, 3, plenty)
        assert.deepEqual(got.map(record), released < 5 ? ['4', '5'] : got.map(record))
      }
      writer.append('6')
      await writer.flush()
      assert.deepEqual((await reader.read(partition, 5, plenty)).map(sequence), [6])
      assert.equal(await reader.head(partition), 6)
    }))

  test('a record that is too long is dropped and reported, those around it are not', () =>
    withLog(async ({ log, partition }, faults) => {
      const writer = await log.writer('w')
      const longest = 'x'.repeat(busLimits.recordBytesMax)
      for (const text of ['1', longest, `${longest}x`, '', '2']) writer.append(text)
      await writer.flush()
      const got = await (await log.reader()).read(partition, 0, plenty)
      assert.deepEqual(
        got.map(({ record }) => record.length),
        [1, busLimits.recordBytesMax, 1],
      )
      assert.deepEqual(
        faults.map(({ code }) => code),
        ['dropped'],
      )
    }))
}

function record(stored: SequencedRecord): string {
  return stored.record
}

function sequence(stored: SequencedRecord): number {
  return stored.sequence
}

async function drain(reader: RecordReader, partition: string, seen: string[]): Promise<void> {
  for (;;) {
    const got = await reader.read(partition, seen.length, plenty)
    if (got.length === 0) return
    seen.push(...got.map(record))
  }
}
