import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Replay } from '../../model/resource.ts'
import { storeLimits } from '../limits.ts'
import type { Run } from '../port/delivery.ts'
import {
  aBatch,
  aJob,
  anAudit,
  aReplay,
  jobIn,
  live,
  refusal,
  type StoreUnderTest,
  scopeOf,
  zoneIn,
} from './data.ts'

export function replaySuite({ store }: StoreUnderTest): void {
  /** A replay with a cursor and an open batch. */
  async function underWay(jobId: number): Promise<{ replay: Replay; run: Run }> {
    const replay = await store().replays.insert(aReplay(jobId), new Map([['b', 3]]), new Map([['a', 9]]))
    const run = { jobId, replay: replay.id }
    await store().delivery.openBatch(aBatch(run), 1)
    return { replay, run }
  }

  async function runningOf(jobId: number) {
    return (await store().replays.running()).filter(({ replay }) => replay.jobId === jobId)
  }

  test('replays are numbered within their job, come back as written and are announced', async () => {
    const zone = await zoneIn(store())
    const { id: jobId } = await store().jobs.insert(aJob(scopeOf(zone)))
    const start = await store().changes.head()
    const from = new Map([['b', 3]])
    const until = new Map([
      ['a', 9],
      ['b', 2 ** 40],
    ])
    const written = aReplay(jobId, { retainedSince: '2026-01-01T00:30:00Z', errorMessage: 'NUL \0' })
    const one = await store().replays.insert(written, from, until)
    assert.deepEqual(one, { ...written, id: 1 })
    const two = await store().replays.insert(aReplay(jobId), new Map(), new Map())
    assert.equal(two.id, 2)
    const elsewhere = await jobIn(store())
    assert.equal((await store().replays.insert(aReplay(elsewhere), from, until, undefined, 'spool')).id, 1)
    assert.deepEqual(
      (await runningOf(elsewhere)).map(({ log }) => log),
      ['spool'],
    )
    assert.deepEqual(await store().replays.get(jobId, 1), one)
    assert.equal(await store().replays.get(jobId, 3), undefined)
    assert.deepEqual(await store().replays.list(jobId), [two, one])
    assert.deepEqual(await store().delivery.cursors({ jobId, replay: 1 }), from)
    assert.deepEqual(await runningOf(jobId), [
      { replay: one, until, log: '' },
      { replay: two, until: new Map(), log: '' },
    ])
    const changes = (await store().changes.after(start)).filter(({ id }) => id === zone.id)
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['logpush', 'logpush'],
    )
    await assert.rejects(store().replays.insert(aReplay(2 ** 40), from, until), refusal('stale'))
  })

  test('the audit entry of a replay is made with its number', async () => {
    const zone = await zoneIn(store())
    const { id: jobId } = await store().jobs.insert(aJob(scopeOf(zone)))
    const entry = anAudit(zone.accountId)
    await store().replays.insert(aReplay(jobId), new Map(), new Map(), ({ id }) => ({
      ...entry,
      after: { id },
    }))
    const [kept] = await store().audit.list(zone.accountId, { offset: 0, limit: 10 })
    assert.deepEqual(kept, { ...entry, after: { id: 1 } })
  })

  test('progress leaves a replay running; its end removes cursors and batch, and is final', async () => {
    for (const status of ['completed', 'failed', 'canceled'] as const) {
      const jobId = await jobIn(store())
      await store().delivery.start(live(jobId), new Map([['a', 4]]))
      const { replay, run } = await underWay(jobId)
      const head = await store().changes.head()
      const progress: Replay = { ...replay, lines: 2 ** 40, objects: 1, errorMessage: 'again' }
      await store().replays.update(progress)
      assert.deepEqual(await store().replays.get(jobId, replay.id), progress)
      assert.deepEqual(await store().delivery.openBatchOf(run), aBatch(run))
      const end: Replay = { ...progress, status, completedOn: '2026-01-01T02:00:00.000000Z' }
      await store().replays.update(end)
      await store().replays.update({ ...replay, lines: 7 })
      assert.deepEqual(await store().replays.get(jobId, replay.id), end)
      assert.deepEqual(await runningOf(jobId), [])
      assert.deepEqual(await store().delivery.cursors(run), new Map())
      assert.equal(await store().delivery.openBatchOf(run), undefined)
      assert.equal(await store().delivery.closeBatch(aBatch(run)), false)
      await assert.rejects(store().delivery.openBatch(aBatch(run), 1), refusal('stale'))
      assert.deepEqual(await store().delivery.cursors(live(jobId)), new Map([['a', 4]]))
      assert.equal(await store().changes.head(), head)
    }
  })

  test('a job that is stopped cancels its running replays, and keeps ended ones', async () => {
    const jobId = await jobIn(store())
    const { replay: ended } = await underWay(jobId)
    const completed: Replay = { ...ended, status: 'completed', completedOn: '2026-01-01T02:00:00.000000Z' }
    await store().replays.update(completed)
    const { replay, run } = await underWay(jobId)
    const elsewhere = await underWay(await jobIn(store()))
    await store().delivery.stop(jobId)
    const [canceled, kept] = await store().replays.list(jobId)
    assert.deepEqual(kept, completed)
    assert.match(canceled?.completedOn ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    assert.deepEqual(canceled, { ...replay, status: 'canceled', completedOn: canceled?.completedOn })
    assert.deepEqual(await store().delivery.cursors(run), new Map())
    assert.equal(await store().delivery.openBatchOf(run), undefined)
    assert.equal((await runningOf(elsewhere.run.jobId)).length, 1)
    assert.deepEqual(await store().delivery.openBatchOf(elsewhere.run), aBatch(elsewhere.run))
  })

  test('the newest and the running replays are kept', async () => {
    const jobId = await jobIn(store())
    const kept = storeLimits.replaysKept
    for (let id = 1; id <= kept + 3; id++) {
      const replay = await store().replays.insert(aReplay(jobId), new Map(), new Map())
      assert.equal(replay.id, id)
      if (id !== 2) await store().replays.update({ ...replay, status: 'completed' })
    }
    const listed = (await store().replays.list(jobId)).map(({ id }) => id)
    assert.deepEqual(
      listed,
      Array.from({ length: kept }, (_, n) => kept + 3 - n),
    )
    assert.equal(await store().replays.get(jobId, 1), undefined)
    assert.equal(await store().replays.get(jobId, 3), undefined)
    assert.equal((await store().replays.get(jobId, 4))?.status, 'completed')
    assert.equal((await store().replays.get(jobId, 2))?.status, 'running')
  })

  test('replays are deleted with their job', async () => {
    const zone = await zoneIn(store())
    const { id: jobId } = await store().jobs.insert(aJob(scopeOf(zone)))
    await underWay(jobId)
    await store().zones.delete(zone.id)
    assert.deepEqual(await store().replays.list(jobId), [])
    assert.deepEqual(await runningOf(jobId), [])
  })
}
