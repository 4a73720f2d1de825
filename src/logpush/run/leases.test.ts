import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../store/port.ts'
import { DeliveryBench } from '../testing/delivery.ts'
import { isFenced } from './held-lease.ts'
import { Leases } from './leases.ts'

const leaseMs = 10_000

function leasesOf(store: Store, location: string, lost: number[] = []): Leases {
  return new Leases({
    store,
    process: { id: location, location, log: 'shared' },
    leaseMs,
    onLost: ({ jobId }) => lost.push(jobId),
    onCopy: () => assert.fail('there are no copies'),
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
  const held = (await sleeper.take(work)).get(jobId)!
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
