import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../store/port.ts'
import { DeliveryBench, quickPace } from '../testing/delivery.ts'
import { isFenced } from './held-lease.ts'
import { auditLog, Leases } from './leases.ts'
import { keyOf } from './shares.ts'

const leaseMs = 10_000

function leasesOf(
  store: Store,
  location: string,
  lost: number[] = [],
  onChanged = () => {},
  log = 'shared',
  earlier: string[] = [],
): Leases {
  return new Leases({
    store,
    process: { id: location, location, log },
    leaseMs,
    onChanged,
    onLost: ({ jobId }) => lost.push(jobId),
    onCopy: () => assert.fail('there are no copies'),
    onEarlier: () => earlier.push(location),
  })
}

test('a process on a machine that slept asks before it sends: the monotonic clock stood still', async t => {
  const bench = await DeliveryBench.open(t)
  const { store } = bench
  const { id: jobId } = await bench.job({ destinationConf: bench.folder('out') })
  const work = [{ jobId, log: 'shared' }]
  const lost: number[] = []
  const sleeper = leasesOf(store, 'sleeper', lost)
  await sleeper.beat()
  const held = (await sleeper.take(work)).get(keyOf(work[0]!))!
  await held.require()

  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  // The database's clock went on: the lease is free.
  await store.leases.leave('sleeper')
  const other = leasesOf(store, 'other')
  await other.beat()
  assert.equal((await other.take(work)).size, 1)
  await assert.rejects(held.require(), isFenced)
  assert.deepEqual(lost, [jobId])
})

test('a process that learns of another one right before it sends shares the jobs with it', async t => {
  const bench = await DeliveryBench.open(t)
  const { store } = bench
  const { id: jobId } = await bench.job({ destinationConf: bench.folder('out') })
  let changes = 0
  const first = leasesOf(store, 'first', [], () => changes++)
  await first.beat()
  const work = [{ jobId, log: 'shared' }]
  const held = (await first.take(work)).get(keyOf(work[0]!))!
  await leasesOf(store, 'second').beat()
  // Its beats are late, as on a busy machine.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + leaseMs })
  await held.require()
  assert.equal(changes, 1)
  await first.beat()
  assert.equal(changes, 1)
})

test('a lease is returned by a later beat when the database did not answer', async t => {
  const bench = await DeliveryBench.open(t)
  const { store } = bench
  const { id: jobId } = await bench.job({ destinationConf: bench.folder('out') })
  const work = [{ jobId, log: 'shared' }]
  let answers = false
  const release: Store['leases']['release'] = async (owner, leases) => {
    if (!answers) throw new Error('the database does not answer')
    await store.leases.release(owner, leases)
  }
  const first = leasesOf({ ...store, leases: { ...store.leases, release } }, 'first')
  const second = leasesOf(store, 'second')
  await first.beat()
  await second.beat()
  const held = (await first.take(work)).get(keyOf(work[0]!))!
  await assert.rejects(first.release(held), /does not answer/)
  assert.equal((await second.take(work)).size, 0)
  answers = true
  await first.beat()
  assert.equal((await second.take(work)).size, 1)
})

test('a lease that work needs again stays, although it was to be returned', async t => {
  const bench = await DeliveryBench.open(t)
  const { store } = bench
  const { id: jobId } = await bench.job({ destinationConf: bench.folder('out') })
  const work = [{ jobId, log: 'shared' }]
  let released = 0
  const release: Store['leases']['release'] = async () => {
    released++
    throw new Error('the database does not answer')
  }
  const leases = leasesOf({ ...store, leases: { ...store.leases, release } }, 'first')
  await leases.beat()
  const held = (await leases.take(work)).get(keyOf(work[0]!))!
  await assert.rejects(leases.release(held), /does not answer/)
  assert.equal((await leases.take(work)).get(keyOf(work[0]!)), held)
  await leases.beat()
  assert.equal(released, 1)
})

test('a job that another process has taken over and left is delivered again', async t => {
  const bench = await DeliveryBench.open(t)
  const { store } = bench
  const { log } = bench.reader
  const job = await bench.job({ destinationConf: bench.folder('out') })
  await bench.write('a')
  const errors: string[] = []
  const delivery = bench.deliver({
    pace: { ...quickPace, leaseMs: 600_000 },
    onError: message => errors.push(message),
  })
  await bench.later(async () => assert.deepEqual(await bench.ids('out'), ['a']))
  const other = { id: 'other/1', location: 'other', log }
  const { live } = await store.leases.beat(other, 600_000, true)
  await store.leases.leave(live.find(({ location }) => location === 'bench')!.id)
  await store.leases.take(other.id, [{ jobId: job.id, log }])
  // The database refuses the batch, long before the next beat.
  await bench.write('b')
  await bench.later(async () => assert.match(errors[0] ?? '', /is delivered by another process now/))
  await store.leases.leave(other.id)
  await bench.later(async () => {
    delivery.refresh()
    assert.deepEqual(await bench.ids('out'), ['a', 'b'])
  })
  assert.equal(errors.length, 1)
})

test('parts of a log wait for a process of an earlier version, which delivers all of it; then it is fenced', async t => {
  const bench = await DeliveryBench.open(t)
  const { store } = bench
  const { id: jobId } = await bench.job({ destinationConf: bench.folder('out') })
  const parts = ['nats/nats-1', 'nats/nats-2'].map(log => ({ jobId, log, busy: true }))
  const audit = { jobId, log: auditLog, busy: true }
  const old = { id: 'old/1', location: 'old', log: 'nats' }
  await store.leases.beat(old, leaseMs, true)
  const [lease] = await store.leases.take(old.id, [{ jobId, log: 'nats' }])
  const said: string[] = []
  const leases = leasesOf(store, 'new', [], () => {}, 'nats/*', said)
  await leases.beat()
  await leases.beat()
  assert.deepEqual(said, ['new'])
  assert.deepEqual(leases.oursOf(parts), [])
  // It is suspended for longer than its lease; its writes come too late.
  await store.leases.beat({ ...old, id: 'old/2' }, 0, true)
  while (leases.oursOf(parts).length === 0) await leases.beat()
  assert.deepEqual(leases.oursOf([...parts, audit]), [audit, ...parts])
  const manifest = store.delivery.manifestObjects(jobId, '2026-01-01T00:00:00Z', lease)
  await assert.rejects(manifest, isFenced)
})
