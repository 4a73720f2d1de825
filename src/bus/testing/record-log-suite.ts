import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordLogFault } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { LogPolicy } from '../policy.ts'
import type { PartitionStats, RecordLog, RecordReader, SequencedRecord } from '../port.ts'

export interface RecordLogUnderTest {
  /** Opens an unused log. */
  readonly fresh: (faults: RecordLogFault[], policy?: Partial<LogPolicy>) => Promise<FreshLog>
}

export interface FreshLog {
  readonly log: RecordLog
  /** The same log again, as another process would open it. */
  readonly another: () => Promise<RecordLog>
  /** The partition that a writer named `w` fills. */
  readonly partition: string
}

export const plenty = { records: 100_000, bytes: 1 << 30 }

/** Tests for every adapter. */
export function busSuite(adapter: RecordLogUnderTest): void {
  const withLog = logsOf(adapter)

  test('records come back in order, numbered from 1, unchanged', () =>
    withLog(async ({ log, another, partition }) => {
      const sent = ['{"a":"é🧱"}', '{}', `"${'x'.repeat(300_000)}"`, '[1]']
      const writer = await log.writer('w')
      const startMs = Date.now()
      for (const record of sent) writer.append(record)
      await writer.flush()
      const reader = await (await another()).reader()
      const [name] = await reader.partitions()
      assert.match(name!, new RegExp(`^${partition}\\.[0-9a-f]{8}$`))
      assert.equal(await reader.head(name!), 4)
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
        assert.equal(await reader.at(name, 0), 1)
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

  test('readers at different positions follow a writer, each seeing every record once', () =>
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

  test('a reopened writer continues the numbers', () =>
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

  for (const ageMs of [0, 3_600_000])
    test(`a release deletes nothing after it and reuses no number; kept for ${ageMs} ms`, () =>
      withLog(
        async ({ log, partition }) => {
          const writer = await log.writer('w')
          for (let n = 1; n <= 5; n++) writer.append(`${n}`)
          await writer.flush()
          const reader = await log.reader()
          for (const released of [0, 3, 3, 1, 5, 99]) {
            await reader.release(partition, released)
            assert.equal(await reader.head(partition), 5)
            const got = (await reader.read(partition, 3, plenty)).map(record)
            if (ageMs > 0 || released < 5) assert.deepEqual(got, ['4', '5'])
            if (ageMs > 0) assert.equal((await reader.read(partition, 0, plenty)).length, 5)
          }
          writer.append('6')
          await writer.flush()
          await reader.release(partition, 5)
          assert.deepEqual((await reader.read(partition, 5, plenty)).map(sequence), [6])
          assert.equal(await reader.head(partition), 6)
        },
        { ageMs },
      ))

  test('a position is found by time', () =>
    withLog(async ({ log, partition }) => {
      const writer = await log.writer('w')
      const reader = await log.reader()
      for (let group = 0; group < 4; group++) {
        for (let n = 0; n < 3; n++) writer.append('1')
        await writer.flush()
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      const records = await reader.read(partition, 0, plenty)
      const times = records.map(({ receivedMs }) => receivedMs)
      for (const ms of [0, times[0]! - 1, ...times, ...times.map(time => time + 1)]) {
        const want = records.find(({ receivedMs }) => receivedMs >= ms)?.sequence ?? 13
        assert.equal(await reader.at(partition, ms), want, `${ms} among ${times}`)
      }
      assert.ok(times.at(-1)! > times[0]!)
    }))

  test('statistics state the amount, the age and the delivered part', () =>
    withLog(async ({ log, partition }) => {
      const writer = await log.writer('w')
      const reader = await log.reader()
      const [before] = (await reader.stats()) as [PartitionStats]
      assert.deepEqual([before.oldestMs, before.head, before.delivered, before.dropped], [null, 0, 0, 0])
      for (let n = 0; n < 10; n++) writer.append('x'.repeat(100))
      await writer.flush()
      await reader.release(partition, 7)
      const [first] = await reader.read(partition, 0, plenty)
      const [{ bytes, ...stats }] = (await reader.stats()) as [PartitionStats]
      assert.deepEqual(stats, {
        partition: before.partition,
        oldestMs: first!.receivedMs,
        first: 1,
        head: 10,
        delivered: 7,
        dropped: 0,
      })
      assert.ok(bytes >= 1000 && bytes < 5000, `${bytes} bytes`)
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

/** Runs a test with a separate log. */
function logsOf(adapter: RecordLogUnderTest) {
  return async (
    body: (fresh: FreshLog, faults: RecordLogFault[]) => Promise<void>,
    policy: Partial<LogPolicy> = {},
  ): Promise<void> => {
    const faults: RecordLogFault[] = []
    const fresh = await adapter.fresh(faults, policy)
    await body(fresh, faults)
    await fresh.log.close()
  }
}

/** Tests of an adapter that keeps undelivered records when it is full. */
export function fullLogSuite(adapter: RecordLogUnderTest): void {
  const withLog = logsOf(adapter)

  test('where undelivered records are kept, a full log reports it, and accepts records again after their delivery', () =>
    withLog(
      async ({ log, another, partition }, faults) => {
        const writer = await log.writer('w')
        const reader = await log.reader()
        let appended = 0
        const append = async (records: number) => {
          for (const end = appended + records; appended < end; ) writer.append(`${++appended}`.padEnd(5000))
          await writer.flush().catch(() => {})
        }
        assert.equal(await reader.isFull(), false)
        assert.ok((await reader.undeliveredShare()) < 0.25)
        for (; writer.full === undefined; await sleep(50)) {
          await append(5)
          assert.ok(appended < 1000, 'the quota is long used up')
        }
        assert.ok(appended > 100, `${appended} records are all that fitted`)
        assert.match(writer.full, /full|refuse/)
        await eventually(() => reader.isFull())
        assert.ok((await reader.undeliveredShare()) > 0.9)
        // Work in progress is still recorded.
        await append(20)
        const late = await (await another()).writer('late')
        assert.ok(late.full !== undefined, 'known from the start on')
        await late.close()

        const [first] = await reader.read(partition, 0, { records: 1, bytes: 1 })
        assert.equal(first?.sequence, 1)
        const half = (await reader.head(partition)) >> 1
        await eventually(async () => {
          await reader.release(partition, half)
          return writer.full === undefined && !(await reader.isFull())
        })
        await writer.flush()
        const share = await reader.undeliveredShare()
        assert.ok(share > 0.4 && share < 0.75, `${share} of the quota`)
        assert.equal(await reader.head(partition), appended)
        const behind = await reader.read(partition, half, plenty)
        assert.deepEqual(
          behind.map(({ record }) => Number(record)),
          Array.from({ length: appended - half }, (_, n) => half + n + 1),
        )
        assert.ok(faults.every(({ dropped }) => dropped === 0))
      },
      { bytes: 1024 * 1024, full: 'refuse-requests' },
    ))

  test('while no job waits for records no log is full: the oldest are deleted', () =>
    withLog(
      async ({ log, partition }) => {
        let wanted = true
        const writer = await log.writer('w', () => wanted)
        const reader = await log.reader()
        const append = async (records: number) => {
          for (let n = 0; n < records; n++) writer.append('x'.repeat(5000))
          await writer.flush().catch(() => {})
          await sleep(50)
        }
        while (writer.full === undefined) await append(5)
        wanted = false
        for (let n = 0; n < 20; n++) {
          assert.equal(writer.full, undefined)
          await append(10)
        }
        await eventually(async () => {
          const [first] = await reader.read(partition, 0, { records: 1, bytes: 1 })
          return first!.sequence > 20
        })
        assert.equal(writer.full, undefined)
        await eventually(() =>
          writer.flush().then(
            () => true,
            () => false,
          ),
        )
      },
      { bytes: 1024 * 1024, full: 'refuse-requests' },
    ))
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await holds()); waitedMs += 50) {
    assert.ok(waitedMs < 15_000, 'it never held')
    await sleep(50)
  }
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
