import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBatch, aJob, aReplay, jobIn, live, refusal, type StoreUnderTest, scopeOf, zoneIn } from './data.ts'

/** Where jobs begin, and which logs they have behind them for good. */
export function startSuite({ store }: StoreUnderTest): void {
  test('a job has a position in the log of the process that started it, and a start time in others', async () => {
    const job = await store().jobs.insert(aJob(scopeOf(await zoneIn(store())), { enabled: false }))
    const run = live(job.id)
    const { delivery, jobs } = store()
    assert.equal(await delivery.startOf(job.id, 'a'), undefined)
    await delivery.start(run, new Map([['p.aaaaaaaa', 9]]), { log: 'a', ms: 1234 })
    await jobs.update({ ...job, enabled: true })
    assert.equal(await delivery.startOf(job.id, 'a'), undefined)
    assert.equal(await delivery.startOf(job.id, 'b'), 1234)
    await assert.rejects(delivery.begin(run, 'b', 1233, new Map([['q', 1]])), refusal('stale'))
    await delivery.begin(run, 'b', 1234, new Map([['q', 5]]))
    assert.equal(await delivery.startOf(job.id, 'b'), undefined)
    await assert.rejects(delivery.begin(run, 'b', 1234, new Map([['q', 7]])), refusal('stale'))
    assert.deepEqual(
      await delivery.cursors(run),
      new Map([
        ['p.aaaaaaaa', 9],
        ['q', 5],
      ]),
    )
    // A process that saw it disabled comes too late to start it.
    await delivery.start(run, new Map([['r', 3]]), { log: 'c', ms: 5000 })
    assert.equal(await delivery.startOf(job.id, 'c'), 1234)
    // A log that is made again is no new one.
    await delivery.reset(['p.aaaaaaaa'], ['p.bbbbbbbb'], '2026-08-12T22:00:00Z')
    assert.equal(await delivery.startOf(job.id, 'a'), undefined)

    await jobs.update({ ...job, revision: 2, enabled: false })
    assert.equal(await delivery.startOf(job.id, 'c'), undefined)
    await delivery.start(run, new Map([['r', 3]]), { log: 'c', ms: 5000 })
    assert.equal(await delivery.startOf(job.id, 'b'), 5000)
    assert.deepEqual(await delivery.cursors(run), new Map([['r', 3]]))
  })

  test('a job that an earlier version enabled starts at its cursors', async () => {
    const jobId = await jobIn(store())
    await store().delivery.start(live(jobId), new Map([['a', 1]]))
    assert.equal(await store().delivery.startOf(jobId, 'b'), undefined)
  })

  test('a position in a lost log is not restored, but a replay ends there', async () => {
    const jobId = await jobIn(store())
    const run = live(jobId)
    const { delivery, replays } = store()
    const batchOf = (replay: number) =>
      aBatch({ jobId, replay }, { ranges: [{ partition: 'gone.11111111', first: 4, last: 9 }] })
    await delivery.start(run, new Map([['gone.11111111', 3]]))
    const replay = await replays.insert(aReplay(jobId), new Map(), new Map([['gone.11111111', 9]]))
    for (const each of [0, replay.id]) await delivery.openBatch(batchOf(each), 1)
    await delivery.reset(['gone.11111111'], ['gone.22222222'], '2026-08-12T22:00:00Z')
    for (const each of [0, replay.id]) assert.equal(await delivery.closeBatch(batchOf(each)), true)
    const cursors = new Map([
      ['gone.11111111', 12],
      ['gone.22222222', 2],
    ])
    await delivery.advance([{ jobId, revision: 1, cursors }])
    await delivery.start(run, cursors)
    assert.deepEqual(await delivery.cursors(run), new Map([['gone.22222222', 2]]))
    assert.deepEqual(await delivery.cursors({ jobId, replay: replay.id }), new Map([['gone.11111111', 9]]))

    // From a copy, say.
    await delivery.reset(['gone.22222222'], ['gone.11111111'], '2026-08-12T22:00:00Z')
    await delivery.advance([{ jobId, revision: 1, cursors }])
    assert.deepEqual(await delivery.cursors(run), new Map([['gone.11111111', 12]]))
  })

  test('an open batch of an earlier version, which names no epoch, moves the transferred position', async () => {
    const jobId = await jobIn(store())
    const run = live(jobId)
    const { delivery } = store()
    await delivery.start(run, new Map([['old', 3]]))
    const batch = aBatch(run, { ranges: [{ partition: 'old', first: 4, last: 9 }] })
    await delivery.openBatch(batch, 1)
    await delivery.reset(['old'], ['old.11111111'], '2026-08-12T22:00:00Z')
    assert.deepEqual(await delivery.openBatchOf(run), batch)
    assert.equal(await delivery.closeBatch(batch), true)
    assert.deepEqual(await delivery.cursors(run), new Map([['old.11111111', 9]]))
  })
}
