import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { OriginHealth } from '../../model/load-balancing.ts'
import type { Zone } from '../../model/resource.ts'
import type { Store } from '../port.ts'
import {
  aLoadBalancer,
  aMonitor,
  anOriginCertificate,
  aPool,
  refusal,
  type StoreUnderTest,
  zoneIn,
} from './data.ts'

async function filled({ loadBalancing }: Store, accountId: string, zoneId: string) {
  const monitor = aMonitor(accountId)
  const pool = aPool(accountId, { monitor: monitor.id })
  const loadBalancer = aLoadBalancer(zoneId, pool.id)
  await loadBalancing.change(accountId, { kind: 'monitor', id: monitor.id, stored: monitor })
  await loadBalancing.change(accountId, { kind: 'pool', id: pool.id, stored: pool })
  const change = { kind: 'load_balancer', id: loadBalancer.id, zoneId } as const
  await loadBalancing.change(accountId, { ...change, stored: loadBalancer })
  return { monitor, pool, loadBalancer }
}

const origins: readonly OriginHealth[] = [
  { address: '192.0.2.1', port: 0, healthy: false, failureReason: 'down', responseCode: 503, rttMs: 1.5 },
]

export function loadBalancingSuite({ store }: StoreUnderTest): void {
  test('monitors, pools and load balancers are stored, announced and deleted', async () => {
    const { id: zoneId, accountId } = await zoneIn(store())
    const { loadBalancing, plans, changes } = store()
    const start = await changes.head()
    const { monitor, pool, loadBalancer } = await filled(store(), accountId, zoneId)
    const all = { monitors: [monitor], pools: [pool], loadBalancers: [loadBalancer] }
    assert.deepEqual(await loadBalancing.read(accountId), all)
    assert.deepEqual(await loadBalancing.zones(accountId), [zoneId])
    const documents = (await plans.documents([zoneId])).get(zoneId)
    assert.deepEqual([documents?.loadBalancers, documents?.pools], [[loadBalancer], [pool]])
    const mine = (await loadBalancing.monitored()).filter(found => found.pool.id === pool.id)
    assert.deepEqual(mine, [{ pool, monitor }])

    const off = { ...pool, enabled: false }
    await loadBalancing.change(accountId, { kind: 'pool', id: pool.id, stored: off })
    assert.equal((await loadBalancing.monitored()).filter(found => found.pool.id === pool.id).length, 0)
    const draining = { ...loadBalancer, sessionAttributes: { drainSeconds: 60 } }
    const drains = { kind: 'load_balancer', id: loadBalancer.id, zoneId, stored: draining } as const
    await loadBalancing.change(accountId, drains)
    assert.deepEqual(
      (await loadBalancing.monitored()).filter(found => found.pool.id === pool.id),
      [{ pool: off, monitor, drainSeconds: 60 }],
    )
    await loadBalancing.change(accountId, { kind: 'monitor', id: monitor.id, stored: undefined })
    await store().zones.delete(zoneId)
    assert.deepEqual(await loadBalancing.read(accountId), { monitors: [], pools: [off], loadBalancers: [] })
    assert.deepEqual(
      (await changes.after(start)).map(({ kind, id }) => `${kind} ${id}`),
      [
        `load_balancing ${accountId}`,
        `load_balancing ${accountId}`,
        `zone ${zoneId}`,
        `load_balancing ${accountId}`,
        `zone ${zoneId}`,
        `load_balancing ${accountId}`,
        `zone ${zoneId}`,
      ],
    )
  })

  test('checks use the certificates of the only zone of a pool, or of the zone that the monitor names', async () => {
    const { loadBalancing, originCertificates } = store()
    const one = await zoneIn(store())
    const { id: zoneId, accountId } = one
    const two: Zone = { ...one, id: newId(), name: `${newId()}.test` }
    await store().zones.insert(two)
    const { monitor, pool, loadBalancer } = await filled(store(), accountId, zoneId)
    const tls = async () =>
      (await loadBalancing.monitored()).find(found => found.pool.id === pool.id)?.tls?.authorities
    assert.equal(await tls(), undefined)
    for (const zone of [zoneId, two.id])
      await originCertificates.insert(
        { ...anOriginCertificate(zone, 'authority'), certificate: `of ${zone}` },
        undefined,
      )
    assert.deepEqual(await tls(), [`of ${zoneId}`])
    const other = { ...loadBalancer, id: newId(), zoneId: two.id }
    const shared = { kind: 'load_balancer', id: other.id, zoneId: two.id, stored: other } as const
    await loadBalancing.change(accountId, shared)
    assert.equal(await tls(), undefined, 'load balancers of two zones use the pool')
    const probing = { ...monitor, probeZone: two.name }
    await loadBalancing.change(accountId, { kind: 'monitor', id: monitor.id, stored: probing })
    assert.deepEqual(await tls(), [`of ${two.id}`])
    await store().zones.delete(two.id)
    await store().zones.delete(zoneId)
  })

  test('a change of load balancing names the state that it is based on', async () => {
    const { id: zoneId, accountId } = await zoneIn(store())
    const { loadBalancing } = store()
    const before = await loadBalancing.read(accountId)
    const { pool } = await filled(store(), accountId, zoneId)
    const deletion = { kind: 'pool', id: pool.id, stored: undefined } as const
    await assert.rejects(loadBalancing.change(accountId, deletion, undefined, { before }), refusal('stale'))
    assert.equal((await loadBalancing.read(accountId)).pools.length, 1)
  })

  test('each machine replaces its own report about pools, until the report is old', async () => {
    const { loadBalancing } = store()
    const [one, two] = [newId(), newId()]
    const up = origins.map(origin => ({ ...origin, healthy: true }))
    await loadBalancing.reportHealth('a', new Map([[one, up]]), 60_000)
    await loadBalancing.reportHealth(
      'a',
      new Map([
        [one, origins],
        [two, up],
      ]),
      60_000,
    )
    await loadBalancing.reportHealth('b', new Map([[one, up]]), 60_000)
    assert.deepEqual(await loadBalancing.health(one), [origins, up])
    await loadBalancing.reportHealth('b', new Map([[one, up]]), -1)
    assert.deepEqual(await loadBalancing.health(one), [origins])
    assert.deepEqual(await loadBalancing.health(two), [up])
  })
}
