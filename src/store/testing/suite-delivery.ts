import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../model/resource.ts'
import type { DeliveryBatch, Run } from '../port/delivery.ts'
import {
  aBatch,
  aJob,
  aReplay,
  aZone,
  jobIn,
  live,
  refusal,
  type StoreUnderTest,
  scopeOf,
  zoneIn,
} from './data.ts'

export function deliverySuite(adapter: StoreUnderTest): void {
  cursorSuite(adapter)
  batchSuite(adapter)
  advanceSuite(adapter)
}

function cursorSuite({ store }: StoreUnderTest): void {
  test('a run starts once in each partition', async () => {
    const run = live(await jobIn(store()))
    await store().delivery.start(run, new Map())
    assert.deepEqual(await store().delivery.cursors(run), new Map())
    await store().delivery.start(run, new Map([['b', 2 ** 40]]))
    await store().delivery.start(
      run,
      new Map([
        ['b', 99],
        ['a', 10],
      ]),
    )
    assert.deepEqual(
      [...(await store().delivery.cursors(run))],
      [
        ['a', 10],
        ['b', 2 ** 40],
      ],
    )
    const replay: Run = { ...run, replay: 1 }
    assert.deepEqual(await store().delivery.cursors(replay), new Map())
    await assert.rejects(store().delivery.start(live(2 ** 40), new Map([['a', 1]])), refusal('conflict'))
  })

  test('positions in replaced logs are forgotten and counted, those without an epoch are transferred', async () => {
    const [one, two] = [live(await jobIn(store())), live(await jobIn(store()))]
    const hour = '2026-08-12T22:00:00Z'
    await store().delivery.start(
      one,
      new Map([
        ['edge.11111111', 7],
        ['elsewhere.11111111', 4],
        ['old', 3],
      ]),
    )
    await store().delivery.start(two, new Map([['edge.11111111', 9]]))
    await store().delivery.start({ ...two, replay: 1 }, new Map([['edge.11111111', 2]]))
    const present = ['edge.22222222', 'old.11111111', 'younger.11111111']
    const gone = ['edge.11111111', 'old']
    const positions = await store().delivery.positions()
    for (const position of [...gone, 'elsewhere.11111111']) assert.ok(positions.includes(position), position)
    const lost = await store().delivery.reset(gone, present, hour)
    assert.deepEqual(
      lost.map(({ jobId, partition, sequence }) => [jobId, partition, sequence]).sort(),
      [
        [one.jobId, 'edge.11111111', 7],
        [two.jobId, 'edge.11111111', 9],
      ].sort(),
    )
    assert.deepEqual(await store().delivery.reset(gone, present, hour), [])
    for (const position of gone) assert.ok(!(await store().delivery.positions()).includes(position), position)
    assert.deepEqual(
      [...(await store().delivery.cursors(one))],
      [
        ['elsewhere.11111111', 4],
        ['old.11111111', 3],
      ],
    )
    assert.deepEqual(await store().delivery.cursors(two), new Map())
    // A replay ends at a position in the log that is gone.
    assert.deepEqual(await store().delivery.cursors({ ...two, replay: 1 }), new Map([['edge.11111111', 2]]))
    const [count] = await store().delivery.counts(two.jobId, '')
    assert.deepEqual([count?.outcome, count?.hour, count?.uploads], ['reset', hour, 1])
  })

  test('the lowest positions of several jobs', async () => {
    const [one, two, other] = [
      live(await jobIn(store())),
      live(await jobIn(store())),
      live(await jobIn(store())),
    ]
    const positions = (a: number, b?: number) =>
      new Map([['a', a] as const, ...(b === undefined ? [] : [['b', b] as const])])
    await store().delivery.start(one, positions(5, 2 ** 40))
    await store().delivery.start(two, positions(7))
    await store().delivery.start({ ...two, replay: 1 }, positions(1, 1))
    await store().delivery.start(other, positions(3))
    assert.deepEqual(await store().delivery.lowest([one.jobId, two.jobId]), positions(5))
    assert.deepEqual(await store().delivery.lowest([one.jobId]), positions(5, 2 ** 40))
    assert.deepEqual(await store().delivery.lowest([]), new Map())
    const many = Array.from({ length: 1200 }, (_, n) => 2 ** 40 + n)
    assert.deepEqual(await store().delivery.lowest([one.jobId, ...many, other.jobId]), new Map())
  })

  test('cursors of very many partitions', async () => {
    const run = live(await jobIn(store()))
    const cursors = new Map(Array.from({ length: 1201 }, (_, n) => [`p${10_000 + n}`, n]))
    await store().delivery.start(run, cursors)
    assert.deepEqual(await store().delivery.cursors(run), cursors)
  })

  test('a stopped job has no position, and starts fresh', async () => {
    const other = live(await jobIn(store()))
    const scope = scopeOf(await zoneIn(store()))
    const job = await store().jobs.insert(aJob(scope))
    const run = live(job.id)
    for (const each of [run, other]) {
      await store().delivery.start(each, new Map([['b', 3]]))
      await store().delivery.openBatch(aBatch(each), 1)
    }
    await store().jobs.update({ ...job, enabled: false })
    assert.equal(await store().delivery.closeBatch(aBatch(run)), false)
    assert.deepEqual(await store().delivery.cursors(run), new Map())
    assert.equal(await store().delivery.openBatchOf(run), undefined)
    await assert.rejects(store().delivery.openBatch(aBatch(run), 1), refusal('stale'))
    await store().delivery.start(run, new Map([['a', 9]]))
    await store().jobs.update({ ...job, revision: 2 })
    await assert.rejects(store().delivery.openBatch(aBatch(run), 3), refusal('stale'))
    await store().delivery.openBatch(aBatch(run, { ranges: [{ partition: 'a', first: 10, last: 12 }] }), 3)
    assert.deepEqual(await store().delivery.cursors(other), new Map([['b', 3]]))
    assert.deepEqual(await store().delivery.openBatchOf(other), aBatch(other))
  })

  test('cursors and batches of an account and of a zone go with their jobs and zones', async () => {
    const zone = aZone((await zoneIn(store())).accountId)
    await store().zones.insert(zone)
    const account: Scope = { kind: 'account', id: zone.accountId }
    const ofAccount = await store().jobs.insert(aJob(account))
    const ofZone = await store().jobs.insert(aJob(scopeOf(zone)))
    for (const { id } of [ofAccount, ofZone]) {
      await store().delivery.start(live(id), new Map([['b', 3]]))
      await store().delivery.openBatch(aBatch(live(id)), 1)
    }
    await store().zones.delete(zone.id)
    assert.equal(await store().delivery.openBatchOf(live(ofZone.id)), undefined)
    assert.deepEqual(await store().delivery.cursors(live(ofZone.id)), new Map())
    assert.equal(await store().delivery.closeBatch(aBatch(live(ofZone.id))), false)
    await assert.rejects(store().delivery.openBatch(aBatch(live(ofZone.id)), 1), refusal('stale'))
    assert.deepEqual(await store().delivery.openBatchOf(live(ofAccount.id)), aBatch(live(ofAccount.id)))
    await store().jobs.delete(account, ofAccount.id)
    assert.equal(await store().delivery.openBatchOf(live(ofAccount.id)), undefined)
  })
}

function batchSuite({ store }: StoreUnderTest): void {
  test('a run has one open batch until it is closed; then the run is at its end', async () => {
    const jobId = await jobIn(store())
    const run = live(jobId)
    await store().delivery.start(run, new Map([['c', 7]]))
    const batch = aBatch(run, {
      ranges: [
        { partition: 'b', first: 4, last: 9 },
        { partition: 'a', first: 1, last: 2 ** 40 },
      ],
    })
    assert.equal(await store().delivery.openBatchOf(run), undefined)
    await store().delivery.openBatch(batch, 1)
    const another = aBatch(run, { ranges: [{ partition: 'd', first: 1, last: 1 }] })
    for (const second of [batch, another])
      await assert.rejects(store().delivery.openBatch(second, 1), refusal('conflict'))
    assert.deepEqual(await store().delivery.openBatchOf(run), batch)
    assert.equal(await store().delivery.closeBatch(batch), true)
    assert.equal(await store().delivery.openBatchOf(run), undefined)
    const end = new Map([
      ['a', 2 ** 40],
      ['b', 9],
      ['c', 7],
    ])
    assert.deepEqual(await store().delivery.cursors(run), end)
    assert.equal(await store().delivery.closeBatch(batch), false)
    await store().delivery.openBatch(another, 1)
    assert.equal(await store().delivery.closeBatch(batch), false)
    assert.deepEqual(await store().delivery.openBatchOf(run), another)
    assert.deepEqual(await store().delivery.cursors(run), end)
  })

  test('a batch that begins before the run’s position is stale', async () => {
    const run = live(await jobIn(store()))
    await store().delivery.start(
      run,
      new Map([
        ['a', 20],
        ['b', 5],
      ]),
    )
    for (const [first, last] of [
      [1, 99],
      [20, 99],
      [20, 20],
    ] as const) {
      const ranges = [
        { partition: 'b', first: 6, last: 6 },
        { partition: 'a', first, last },
      ]
      await assert.rejects(store().delivery.openBatch(aBatch(run, { ranges }), 1), refusal('stale'))
    }
    await store().delivery.openBatch(aBatch(run, { ranges: [{ partition: 'a', first: 21, last: 21 }] }), 1)
  })

  test('only an open batch is closed', async () => {
    const run = live(await jobIn(store()))
    const batch = aBatch(run)
    await store().delivery.openBatch(batch, 1)
    for (const other of [
      { ...batch, ranges: [{ partition: 'a', first: 1, last: 6 }] },
      { ...batch, objectName: 'another' },
      { ...batch, replay: 1 },
    ])
      assert.equal(await store().delivery.closeBatch(other), false)
    assert.deepEqual(await store().delivery.cursors(run), new Map())
    assert.equal(await store().delivery.closeBatch(batch), true)
  })

  test('leases of a log and of a part open no batches of the same records, and closing one moves no run back', async () => {
    const jobId = await jobIn(store())
    const owner = { id: `old/${jobId}`, location: 'old', log: 'nats' }
    await store().leases.beat(owner, 600_000, false)
    const names = ['nats', 'nats/a', 'nats/b'].map(log => ({ jobId, log }))
    const held = new Map((await store().leases.take(owner.id, names)).map(lease => [lease.log, lease]))
    const batchIn = (log: string, partition: string, first: number, last: number) =>
      aBatch(live(jobId), { lease: held.get(log)!, ranges: [{ partition, first, last }] })
    await store().delivery.start(live(jobId), new Map([['a', 1]]))
    const part = batchIn('nats/a', 'a', 2, 4)
    await store().delivery.openBatch(part, 1)
    await assert.rejects(store().delivery.openBatch(batchIn('nats', 'a', 4, 9), 1), refusal('conflict'))
    await store().delivery.openBatch(batchIn('nats/b', 'b', 2, 4), 1)
    const cursors = new Map([['a', 7]])
    await store().delivery.advance([{ jobId, revision: 1, lease: held.get('nats')!, cursors }])
    assert.equal(await store().delivery.closeBatch(part), true)
    assert.deepEqual(await store().delivery.cursors(live(jobId)), cursors)
  })

  test('a batch that is given up does not move the run', async () => {
    const run = live(await jobIn(store()))
    await store().delivery.start(run, new Map([['a', 4]]))
    const batch = aBatch(run, { ranges: [{ partition: 'a', first: 5, last: 9 }] })
    await store().delivery.openBatch(batch, 1)
    await store().delivery.giveUpBatch({ ...batch, objectName: 'another' })
    assert.deepEqual(await store().delivery.openBatchOf(run), batch)
    await store().delivery.giveUpBatch(batch)
    assert.equal(await store().delivery.openBatchOf(run), undefined)
    assert.deepEqual(await store().delivery.cursors(run), new Map([['a', 4]]))
    assert.equal(await store().delivery.closeBatch(batch), false)
    await store().delivery.openBatch(batch, 1)
  })

  test('the live run and each replay have separate batches and positions', async () => {
    const jobId = await jobIn(store())
    const runs: Run[] = [live(jobId)]
    for (const from of [3, 4]) {
      const replay = await store().replays.insert(aReplay(jobId), new Map([['a', from]]), new Map([['a', 9]]))
      runs.push({ jobId, replay: replay.id })
    }
    const batches: DeliveryBatch[] = runs.map(run =>
      aBatch(run, { ranges: [{ partition: 'a', first: 5, last: 6 + run.replay }] }),
    )
    for (const batch of batches) await store().delivery.openBatch(batch, 1)
    for (const batch of batches) assert.deepEqual(await store().delivery.openBatchOf(batch), batch)
    for (const batch of batches) assert.equal(await store().delivery.closeBatch(batch), true)
    for (const run of runs)
      assert.deepEqual(await store().delivery.cursors(run), new Map([['a', 6 + run.replay]]))
  })

  test('the live run of a disabled job opens nothing; a running replay does', async () => {
    const scope = scopeOf(await zoneIn(store()))
    const job = await store().jobs.insert(aJob(scope, { enabled: false }))
    await assert.rejects(store().delivery.openBatch(aBatch(live(job.id)), 1), refusal('stale'))
    const { id } = await store().replays.insert(aReplay(job.id), new Map(), new Map([['a', 9]]))
    await store().delivery.openBatch(aBatch({ jobId: job.id, replay: id }), 1)
    await assert.rejects(
      store().delivery.openBatch(aBatch({ jobId: job.id, replay: id + 1 }), 1),
      refusal('stale'),
    )
  })
}

function advanceSuite({ store }: StoreUnderTest): void {
  test('runs with nothing to deliver advance together, and never go back', async () => {
    const [one, two] = [live(await jobIn(store())), live(await jobIn(store()))]
    await store().delivery.start(one, new Map([['a', 10]]))
    await store().delivery.start(two, new Map([['a', 10]]))
    await store().delivery.advance([])
    const moves: readonly [Run, Record<string, number>][] = [
      [one, { a: 12, b: 3 }],
      [two, { a: 9 }],
      [one, { a: 11 }],
    ]
    await store().delivery.advance(
      moves.map(([{ jobId }, cursors]) => ({
        jobId,
        revision: 1,
        cursors: new Map(Object.entries(cursors)),
      })),
    )
    const moved = await store().delivery.cursors(one)
    assert.deepEqual(Object.fromEntries(moved), { a: 12, b: 3 })
    assert.deepEqual(await store().delivery.cursors(two), new Map([['a', 10]]))
  })

  test('jobs that are disabled, edited, gone or have an open batch do not advance', async () => {
    const runs = await Promise.all([1, 2, 3, 4].map(async () => live(await jobIn(store()))))
    const [disabled, written, busy, free] = runs as [Run, Run, Run, Run]
    // The last one had nothing to start at.
    for (const run of [disabled, written, busy]) await store().delivery.start(run, new Map([['a', 1]]))
    const jobs = new Map((await store().jobs.listEnabled()).map(job => [job.id, job]))
    await store().jobs.update({ ...jobs.get(disabled.jobId)!, enabled: false })
    await store().jobs.update(jobs.get(written.jobId)!)
    const batch = aBatch(busy, { ranges: [{ partition: 'a', first: 2, last: 3 }] })
    await store().delivery.openBatch(batch, 1)
    const ids = [...runs.map(run => run.jobId), 2 ** 40]
    const moves = ids.map(jobId => ({ jobId, revision: 1, cursors: new Map([['a', 5]]) }))
    await store().delivery.advance(moves)
    for (const run of [written, busy])
      assert.deepEqual(await store().delivery.cursors(run), new Map([['a', 1]]))
    assert.deepEqual(await store().delivery.cursors(disabled), new Map())
    assert.deepEqual(await store().delivery.cursors(free), new Map([['a', 5]]))
    await assert.rejects(store().delivery.openBatch(aBatch(written), 1), refusal('stale'))
    await store().delivery.closeBatch(batch)
    await store().delivery.advance(moves)
    assert.deepEqual(await store().delivery.cursors(busy), new Map([['a', 5]]))
  })
}
