import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryProcess, Lease, Run } from '../port/delivery.ts'
import { aBatch, aReplay, jobIn, live, refusal, type StoreUnderTest } from './data.ts'

/** Long enough for what a test does in the meantime. */
const longMs = 600_000

export function leaseSuite({ store }: StoreUnderTest): void {
  let locations = 0
  const aProcess = (changes: Partial<DeliveryProcess> = {}): DeliveryProcess => {
    const location = `location-${++locations}`
    return { id: `${location}/1`, location, log: 'spool', ...changes }
  }
  const beat = (process: DeliveryProcess, ms = longMs, first = false) =>
    store().leases.beat(process, ms, first)
  const livesIn = async (process: DeliveryProcess, of: DeliveryProcess) =>
    (await beat(of)).live.some(({ id }) => id === process.id)
  /** Until the time of a process is over by the database's clock. */
  const dead = async (process: DeliveryProcess, witness: DeliveryProcess) => {
    while (await livesIn(process, witness)) await sleep(5)
  }

  test('work has one owner, until its time is over or it returns it', async () => {
    const { soleWork } = store()
    assert.equal(await soleWork.take('analytics', 'one', 50), true)
    while (!(await soleWork.take('analytics', 'two', longMs))) await sleep(5)
    assert.equal(await soleWork.take('analytics', 'one', longMs), false)
    assert.equal(await soleWork.take('analytics', 'two', longMs), true)
    assert.equal(await soleWork.take('other', 'one', longMs), true)
    await soleWork.leave('analytics', 'one')
    assert.equal(await soleWork.take('analytics', 'one', longMs), false)
    await soleWork.leave('analytics', 'two')
    assert.equal(await soleWork.take('analytics', 'one', longMs), true)
  })

  test('a job has one holder; leases are free when their process’s time is over, with the next fence', async () => {
    const jobId = await jobIn(store())
    const [one, two] = [aProcess(), aProcess()]
    await beat(one, 50)
    await beat(two)
    const [lease] = await store().leases.take(one.id, [{ jobId, log: 'spool' }])
    assert.deepEqual(lease, { jobId, log: 'spool', owner: one.id, fence: 1 })
    await dead(one, two)
    assert.deepEqual(await store().leases.take(two.id, [{ jobId, log: 'spool' }]), [
      { jobId, log: 'spool', owner: two.id, fence: 2 },
    ])
    // It lives again, and sees that it has lost.
    assert.deepEqual((await beat(one)).held, [])
    assert.deepEqual(await store().leases.take(one.id, [{ jobId, log: 'spool' }]), [])
    // Records of another log are another process's work.
    const [other] = await store().leases.take(one.id, [{ jobId, log: 'elsewhere' }])
    assert.equal(other?.fence, 1)
    assert.deepEqual(await store().leases.take(one.id, [{ jobId: 2 ** 40, log: 'spool' }]), [other])
  })

  test('leases that were returned, left, or held by an earlier process of the location are free at once', async () => {
    const jobId = await jobIn(store())
    const [one, two] = [aProcess(), aProcess()]
    await beat(one)
    await beat(two)
    const work = [{ jobId, log: 'spool' }]
    const first = await store().leases.take(one.id, work)
    await store().leases.release(two.id, first)
    assert.deepEqual(await store().leases.take(two.id, work), [])
    await store().leases.release(one.id, first)
    assert.equal((await store().leases.take(two.id, work))[0]?.fence, 2)
    await store().leases.leave(two.id)
    assert.equal((await store().leases.take(one.id, work))[0]?.fence, 3)
    await store().leases.release(one.id, first)
    assert.deepEqual(await store().leases.take(two.id, work), [], 'an earlier lease of the same job')
    const again = { ...one, id: `${one.location}/2` }
    assert.equal(await livesIn(again, two), false)
    await beat(again, longMs, true)
    assert.equal(await livesIn(one, two), false)
    assert.equal((await store().leases.take(again.id, work))[0]?.fence, 4)
  })

  test('an end set by a clock that later went back blocks nothing', async () => {
    const [one, two] = [aProcess(), aProcess()]
    await beat(one, 100 * longMs)
    assert.equal(await livesIn(one, two), false)
  })

  test('logs that edges write and that processes deliver are known while they live', async () => {
    const [edge, process] = [aProcess({ log: 'written' }), aProcess({ log: 'delivered' })]
    const { logs, leases } = store()
    const writer = { ...edge, host: 'machine' }
    await logs.write({ ...writer, log: 'before' }, longMs)
    await logs.write(writer, longMs)
    await beat(process)
    const live = await logs.live()
    assert.ok(live.written.includes('written') && !live.written.includes('before'), live.written.join())
    assert.ok(live.delivered.includes('delivered') && !live.delivered.includes('written'))
    await logs.write(writer, 1)
    while ((await logs.live()).written.includes('written')) await sleep(5)
    const silent = async () => (await logs.silent()).filter(({ location }) => location === edge.location)
    assert.deepEqual(
      (await silent()).map(({ host, log }) => [host, log]),
      [['machine', 'written']],
    )
    await logs.write(writer, longMs)
    assert.deepEqual(await silent(), [])
    await logs.leave(edge.location)
    await leases.leave(process.id)
    const after = await logs.live()
    assert.ok(!after.written.includes('written') && !after.delivered.includes('delivered'))
  })

  test('when many processes take the same jobs at once, each job gets one holder', async () => {
    const jobIds = await Promise.all(Array.from({ length: 8 }, () => jobIn(store())))
    const processes = [aProcess(), aProcess(), aProcess()]
    for (const process of processes) await beat(process)
    const taken = await Promise.all(
      processes.map(({ id }) =>
        store().leases.take(
          id,
          jobIds.map(jobId => ({ jobId, log: 'spool' })),
        ),
      ),
    )
    assert.deepEqual(
      taken
        .flat()
        .map(({ jobId }) => jobId)
        .sort((a, b) => a - b),
      jobIds.sort((a, b) => a - b),
    )
  })

  test('a process that has lost its lease opens, closes and moves nothing', async () => {
    const jobId = await jobIn(store())
    const [one, two] = [aProcess(), aProcess()]
    await beat(one)
    await beat(two)
    const lost = (await store().leases.take(one.id, [{ jobId, log: 'spool' }]))[0]!
    const { delivery, leases, replays } = store()
    const run = (lease: Lease): Run => ({ ...live(jobId), lease })
    const batch = { ...aBatch(run(lost)), lease: lost }
    await delivery.openBatch(batch, 1)
    await leases.release(one.id, [lost])
    const held = (await leases.take(two.id, [{ jobId, log: 'spool' }]))[0]!
    const object = {
      hour: '2026-01-01T00:00:00Z',
      path: 'p',
      lines: 1,
      bytes: 1,
      bytesCompressed: 1,
      sha256: '',
    }
    const { hour } = object
    const amounts = { uploads: 1, lines: 1, bytes: 1, bytesCompressed: 1 }
    const count = { jobId, hour, outcome: 'successful', status: '200', ...amounts } as const
    const replay = await replays.insert(aReplay(jobId), new Map(), new Map())
    for (const effect of [
      () => delivery.openBatch(batch, 1),
      () => delivery.closeBatch(batch, object, undefined, count),
      () => delivery.giveUpBatch(batch),
      () => delivery.manifestObjects(jobId, object.hour, lost),
      () => delivery.closeManifest(jobId, object.hour, lost),
      () => replays.update({ ...replay, status: 'completed' }, lost),
    ])
      await assert.rejects(effect(), refusal('fenced'))
    assert.equal((await replays.get(jobId, replay.id))?.status, 'running')
    assert.deepEqual(await delivery.counts(jobId, ''), [])
    assert.notEqual(await delivery.openBatchOf(run(held)), undefined)
    assert.equal(await delivery.closeBatch({ ...batch, lease: held }), true)
    assert.deepEqual(await delivery.cursors(run(held)), new Map([['a', 5]]))
    const move = { jobId, revision: 1, cursors: new Map([['a', 9]]) }
    await delivery.advance([{ ...move, lease: lost }])
    assert.deepEqual(await delivery.cursors(run(held)), new Map([['a', 5]]))
    await delivery.advance([{ ...move, lease: held }])
    assert.deepEqual(await delivery.cursors(run(held)), new Map([['a', 9]]))
  })

  test('the batches of a job in two logs do not see each other', async () => {
    const jobId = await jobIn(store())
    const [one, two] = [aProcess(), aProcess({ log: 'other' })]
    const leases: Lease[] = []
    for (const process of [one, two]) {
      await beat(process)
      leases.push(...(await store().leases.take(process.id, [{ jobId, log: process.log }])))
    }
    const [first, second] = leases.map((lease, n) => {
      const ranges = [{ partition: `p${n}`, first: 1, last: 5 }]
      return { ...aBatch(live(jobId), { ranges, objectName: `${n}.log.gz` }), lease }
    })
    await store().delivery.openBatch(first!, 1)
    await store().delivery.openBatch(second!, 1)
    const open = await store().delivery.openBatchOf({ ...live(jobId), lease: second!.lease })
    assert.equal(open?.objectName, '1.log.gz')
    await store().delivery.closeBatch(first!)
    await store().delivery.advance([
      { jobId, revision: 1, cursors: new Map([['p0', 7]]), lease: first!.lease },
      { jobId, revision: 1, cursors: new Map([['p1', 7]]), lease: second!.lease },
    ])
    // The run in the second log has a batch open.
    assert.deepEqual(await store().delivery.cursors(live(jobId)), new Map([['p0', 7]]))
  })

  test('a batch of a whole log holds the parts of the log, and each part has its own batches', async () => {
    const jobId = await jobIn(store())
    const one = aProcess({ log: 'nats/*' })
    await beat(one)
    const names = ['nats', 'nats/p1', 'nats/p2']
    const leases = await store().leases.take(
      one.id,
      names.map(log => ({ jobId, log })),
    )
    const [whole, first, second] = names.map(name => leases.find(({ log }) => log === name)!)
    const { delivery } = store()
    const batchOf = (lease: Lease, partition: string, from: number) => {
      const ranges = [{ partition, first: from, last: from + 4 }]
      return { ...aBatch(live(jobId), { ranges, objectName: `${lease.log} ${from}` }), lease }
    }
    const advance = async (lease: Lease, partition: string, sequence: number) => {
      await delivery.advance([{ jobId, revision: 1, cursors: new Map([[partition, sequence]]), lease }])
      return (await delivery.cursors(live(jobId))).get(partition)
    }
    const openOf = async (lease: Lease) => (await delivery.openBatchOf({ ...live(jobId), lease }))?.objectName
    const earlier = batchOf(whole!, 'p1.e', 1)
    await delivery.openBatch(earlier, 1)
    assert.equal(await openOf(first!), 'nats 1')
    assert.equal(await advance(second!, 'p2.e', 9), undefined)
    assert.equal(await delivery.closeBatch({ ...earlier, lease: first! }), true)
    await delivery.openBatch(batchOf(first!, 'p1.e', 6), 1)
    assert.equal(await openOf(first!), 'nats/p1 6')
    assert.equal(await openOf(second!), undefined)
    assert.equal(await advance(second!, 'p2.e', 9), 9)
    assert.equal(await advance(first!, 'p1.e', 9), 5)
  })
}
