import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryCount, ManifestObject, Run } from '../port/delivery.ts'
import { aBatch, jobIn, live, type StoreUnderTest } from './data.ts'

const hours = ['2026-08-12T21:00:00Z', '2026-08-12T22:00:00Z', '2026-08-12T23:00:00Z'] as const

export function deliveryReportSuite({ store }: StoreUnderTest): void {
  async function delivered(run: Run, sequence: number, object?: ManifestObject): Promise<boolean> {
    const ranges = [{ partition: 'a', first: sequence, last: sequence }]
    const batch = aBatch(run, { ranges, objectName: `${sequence}` })
    await store().delivery.openBatch(batch, 1)
    const closed = await store().delivery.closeBatch(batch, object)
    assert.equal(await store().delivery.closeBatch(batch, object && { ...object, path: 'twice' }), false)
    return closed
  }

  test('objects are remembered by the hour until their manifest is written', async () => {
    const run = live(await jobIn(store()))
    const other = live(await jobIn(store()))
    const [early, late, next] = [
      anObject(hours[0], 'x/1'),
      anObject(hours[0], 'x/2'),
      anObject(hours[1], 'x/3', { lines: 2 ** 40 }),
    ]
    assert.deepEqual(await store().delivery.manifestHours(run.jobId, hours[2]), [])
    let sequence = 1
    for (const object of [next, late, undefined, early]) assert.ok(await delivered(run, sequence++, object))
    await delivered(other, 1, anObject(hours[2], 'other'))
    assert.deepEqual(await store().delivery.manifestHours(run.jobId, hours[2]), [hours[0], hours[1]])
    assert.deepEqual(await store().delivery.manifestHours(run.jobId, hours[1]), [hours[0]])
    assert.deepEqual(await store().delivery.manifestHours(run.jobId, hours[0]), [])
    assert.deepEqual(await store().delivery.manifestObjects(run.jobId, hours[0]), [early, late])
    assert.deepEqual(await store().delivery.manifestObjects(run.jobId, hours[1]), [next])
    await store().delivery.closeManifest(run.jobId, hours[0])
    assert.deepEqual(await store().delivery.manifestHours(run.jobId, hours[2]), [hours[1]])
    assert.deepEqual(await store().delivery.manifestObjects(run.jobId, hours[0]), [])
    assert.equal((await store().delivery.manifestObjects(other.jobId, hours[2])).length, 1)
  })

  test('an object that arrives after its manifest was begun is listed in the next one', async () => {
    const run = live(await jobIn(store()))
    const object = (name: string) => anObject(hours[0], name)
    await delivered(run, 1, object('x/1'))
    assert.deepEqual(await store().delivery.manifestObjects(run.jobId, hours[0]), [object('x/1')])
    await delivered(run, 2, object('x/2'))
    // A second attempt lists what the first one did.
    assert.deepEqual(await store().delivery.manifestObjects(run.jobId, hours[0]), [object('x/1')])
    await store().delivery.closeManifest(run.jobId, hours[0])
    await delivered(run, 3, object('x/3'))
    assert.deepEqual(await store().delivery.manifestHours(run.jobId, '9'), [hours[1]])
    const late = await store().delivery.manifestObjects(run.jobId, hours[1])
    assert.deepEqual(late, [anObject(hours[1], 'x/2'), anObject(hours[1], 'x/3')])
  })

  test('an object that is written once more is listed once', async () => {
    const run = live(await jobIn(store()))
    await delivered(run, 1, anObject(hours[0], 'x'))
    const again = anObject(hours[0], 'x', { lines: 2, sha256: 'cd'.repeat(32) })
    await delivered(run, 2, again)
    assert.deepEqual(await store().delivery.manifestObjects(run.jobId, hours[0]), [again])
  })

  test('missing records are counted once, when the run passes them', async () => {
    const run = live(await jobIn(store()))
    const missing = async () =>
      (await store().delivery.counts(run.jobId, '')).map(({ hour, outcome, lines }) => [hour, outcome, lines])
    const moveTo = (sequence: number, revision: number, ...ranges: readonly [number, number][]) =>
      store().delivery.advance([
        {
          jobId: run.jobId,
          revision,
          cursors: new Map([['a', sequence]]),
          missing: {
            hour: hours[0],
            ranges: ranges.map(([first, last]) => ({ partition: 'a', first, last })),
          },
        },
      ])
    await moveTo(9, 2, [1, 9])
    assert.deepEqual(await missing(), [])
    await moveTo(6, 1, [1, 2], [4, 4])
    await moveTo(6, 1, [1, 2], [4, 4])
    assert.deepEqual(await missing(), [[hours[0], 'missing', 3]])
    await moveTo(9, 1, [4, 4], [6, 8])
    assert.deepEqual(await missing(), [[hours[0], 'missing', 5]])
    const batch = aBatch(run, { ranges: [{ partition: 'a', first: 10, last: 19 }] })
    await store().delivery.openBatch(batch, 1)
    const inBatch = { hour: hours[0], ranges: [{ partition: 'a', first: 12, last: 13 }] }
    for (const isOpen of [true, false])
      assert.equal(await store().delivery.closeBatch(batch, undefined, inBatch), isOpen)
    assert.deepEqual(await missing(), [[hours[0], 'missing', 7]])
  })

  test('an upload is counted as its batch is closed', async () => {
    const run = live(await jobIn(store()))
    const batch = aBatch(run, { ranges: [{ partition: 'a', first: 1, last: 5 }] })
    await store().delivery.openBatch(batch, 1)
    const count = aCount(run.jobId, { hour: hours[0], outcome: 'successful', status: '200', lines: 5 })
    assert.equal(await store().delivery.closeBatch(batch, undefined, undefined, count), true)
    assert.deepEqual(await store().delivery.cursors(run), new Map([['a', 5]]))
    assert.deepEqual(await store().delivery.counts(run.jobId, ''), [count])
  })

  test('counts add up by hour, outcome and status', async () => {
    const jobId = await jobIn(store())
    const other = await jobIn(store())
    await store().delivery.count([])
    await store().delivery.count([
      aCount(jobId, { hour: hours[1], outcome: 'successful', status: '200' }),
      aCount(jobId, { hour: hours[1], outcome: 'retry', status: 'unreachable', lines: 0 }),
      aCount(jobId, { hour: hours[1], outcome: 'retry', status: '503' }),
      aCount(jobId, { hour: hours[0], bytes: 2 ** 40 }),
      aCount(jobId, { hour: hours[0] }),
      aCount(other, { hour: hours[1] }),
      aCount(2 ** 40, { hour: hours[1] }),
    ])
    await store().delivery.count([aCount(jobId, { hour: hours[0], uploads: 10 })])
    const early = aCount(jobId, {
      hour: hours[0],
      uploads: 12,
      lines: 6,
      bytes: 2 ** 40 + 6,
      bytesCompressed: 3,
    })
    const late = [
      aCount(jobId, { hour: hours[1], outcome: 'retry', status: '503' }),
      aCount(jobId, { hour: hours[1], outcome: 'retry', status: 'unreachable', lines: 0 }),
      aCount(jobId, { hour: hours[1], outcome: 'successful', status: '200' }),
    ]
    assert.deepEqual(await store().delivery.counts(jobId, hours[0]), [early, ...late])
    assert.deepEqual(await store().delivery.counts(jobId, hours[1]), late)
    assert.deepEqual(await store().delivery.counts(jobId, hours[2]), [])
    await store().delivery.forgetHours(hours[1])
    assert.deepEqual(await store().delivery.counts(jobId, hours[0]), late)
    assert.equal((await store().delivery.counts(other, hours[0])).length, 1)
  })

  test('the longest lag of an hour is kept', async () => {
    const [jobId, other] = [await jobIn(store()), await jobIn(store())]
    const lag = (hour: string, secondsMax: number) => ({ jobId, hour, secondsMax })
    await store().delivery.raiseLags([])
    await store().delivery.raiseLags([
      lag(hours[0], 0),
      lag(hours[1], 60),
      { ...lag(hours[1], 7), jobId: other },
      { ...lag(hours[1], 7), jobId: 2 ** 40 },
    ])
    await store().delivery.raiseLags([lag(hours[0], 5), lag(hours[1], 59)])
    assert.deepEqual(await store().delivery.lags(jobId, hours[0]), [lag(hours[0], 5), lag(hours[1], 60)])
    assert.deepEqual(await store().delivery.lags(jobId, hours[1]), [lag(hours[1], 60)])
    await store().delivery.forgetHours(hours[1])
    assert.deepEqual(await store().delivery.lags(jobId, hours[0]), [lag(hours[1], 60)])
    assert.equal((await store().delivery.lags(other, hours[0]))[0]?.secondsMax, 7)
  })

  test('counts of very many jobs at once', async () => {
    const jobId = await jobIn(store())
    const counts = Array.from({ length: 1201 }, (_, n) => aCount(jobId, { hour: hours[0], status: `${n}` }))
    await store().delivery.count(counts)
    assert.equal((await store().delivery.counts(jobId, hours[0])).length, counts.length)
  })
}

function anObject(hour: string, path: string, changes: Partial<ManifestObject> = {}): ManifestObject {
  return { hour, path, lines: 1, bytes: 3, bytesCompressed: 2, sha256: 'ab'.repeat(32), ...changes }
}

function aCount(jobId: number, changes: Partial<DeliveryCount>): DeliveryCount {
  const sums = { uploads: 1, lines: 2, bytes: 3, bytesCompressed: 1 }
  return { jobId, hour: hours[0], outcome: 'successful', status: '', ...sums, ...changes }
}
