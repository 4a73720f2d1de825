import type { Cipher } from '../../../kit/cipher.ts'
import {
  type LoadBalancer,
  type LoadBalancing,
  type Monitor,
  type OriginHealth,
  type Pool,
  poolsOf,
} from '../../../model/load-balancing.ts'
import type { LoadBalancingChange } from '../../port/load-balancing.ts'
import type { Store } from '../../port.ts'
import type { LoadBalancerRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { parts } from '../parts.ts'
import { accountRow } from '../write-locks.ts'
import { monitored } from './monitored.ts'

export function loadBalancingQueries(transactions: Transactions, cipher: Cipher): Store['loadBalancing'] {
  return {
    read: accountId => transactions.read(db => stored(db, accountId)),
    change: (accountId, change, audit, basis) =>
      transactions.write(accountRow(accountId), async tx => {
        await requireBasis(basis, `the load balancing of account ${accountId}`, () => stored(tx, accountId))
        await write(tx, change)
        if (change.kind === 'load_balancer') await announce(tx, 'zone', change.zoneId)
        else await announce(tx, 'load_balancing', accountId)
        await writeAudit(tx, audit)
      }),
    zones: accountId =>
      transactions.read(async db => {
        const rows = await balancersOf(db, accountId).execute()
        return [...new Set(rows.map(row => row.zone_id))]
      }),
    monitored: () => transactions.read(db => monitored(db, cipher)),
    reportHealth: (machine, pools, forMs) =>
      transactions.write('nothing', async tx => {
        const nowMs = await transactions.nowMs(tx)
        await tx
          .deleteFrom('lb_pool_health')
          .where(({ eb, or }) => or([eb('place', '=', machine), eb('until_ms', '<', nowMs)]))
          .execute()
        const rows = [...pools].map(([poolId, origins]) => ({
          pool_id: poolId,
          place: machine,
          origins: JSON.stringify(origins),
          until_ms: nowMs + forMs,
        }))
        for (const part of parts(rows)) await tx.insertInto('lb_pool_health').values(part).execute()
      }),
    health: poolId =>
      transactions.read(async db => {
        const nowMs = await transactions.nowMs(db)
        const rows = await db
          .selectFrom('lb_pool_health')
          .select('origins')
          .where('pool_id', '=', poolId)
          .where('until_ms', '>=', nowMs)
          .orderBy('place')
          .execute()
        return rows.map(({ origins }) => JSON.parse(origins) as readonly OriginHealth[])
      }),
  }
}

async function stored(db: Tx, accountId: string): Promise<LoadBalancing> {
  const of = (table: 'lb_monitors' | 'lb_pools') =>
    db
      .selectFrom(table)
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_on')
      .orderBy('id')
      .execute()
  // One after the other: a transaction has one connection.
  const monitors = (await of('lb_monitors')).map(row => JSON.parse(row.document) as Monitor)
  const pools = (await of('lb_pools')).map(row => JSON.parse(row.document) as Pool)
  return { monitors, pools, loadBalancers: (await balancersOf(db, accountId).execute()).map(loadBalancerOf) }
}

function balancersOf(db: Tx, accountId: string) {
  return db
    .selectFrom('load_balancers')
    .innerJoin('zones', 'zones.id', 'load_balancers.zone_id')
    .selectAll('load_balancers')
    .where('zones.account_id', '=', accountId)
    .orderBy('load_balancers.created_on')
    .orderBy('load_balancers.id')
}

async function write(tx: Tx, change: LoadBalancingChange): Promise<void> {
  if (change.kind === 'load_balancer') {
    const { id, zoneId, stored } = change
    await tx.deleteFrom('load_balancers').where('id', '=', id).where('zone_id', '=', zoneId).execute()
    if (stored === undefined) return
    const row = { id, zone_id: zoneId, created_on: stored.createdOn, document: JSON.stringify(stored) }
    await tx.insertInto('load_balancers').values(row).execute()
    return
  }
  const { id, stored } = change
  const table = change.kind === 'monitor' ? 'lb_monitors' : 'lb_pools'
  await tx.deleteFrom(table).where('id', '=', id).execute()
  if (stored === undefined) return
  const { accountId, createdOn } = stored
  const row = { id, account_id: accountId, created_on: createdOn, document: JSON.stringify(stored) }
  await tx.insertInto(table).values(row).execute()
}

/** The load balancers of zones, and the pools that they name. */
export async function balancing(
  db: Tx,
  zoneIds: readonly string[],
): Promise<{
  readonly byZone: ReadonlyMap<string, readonly LoadBalancer[]>
  readonly pools: readonly Pool[]
}> {
  const rows = await db
    .selectFrom('load_balancers')
    .selectAll()
    .where('zone_id', 'in', zoneIds)
    .orderBy('created_on')
    .orderBy('id')
    .execute()
  const loadBalancers = rows.map(loadBalancerOf)
  const pools: Pool[] = []
  const named = loadBalancers.flatMap(one => [...poolsOf(one)])
  for (const ids of parts([...new Set(named)])) {
    const found = await db.selectFrom('lb_pools').select('document').where('id', 'in', ids).execute()
    pools.push(...found.map(({ document }) => JSON.parse(document) as Pool))
  }
  return { byZone: Map.groupBy(loadBalancers, one => one.zoneId), pools }
}

function loadBalancerOf({ document }: LoadBalancerRow): LoadBalancer {
  return JSON.parse(document) as LoadBalancer
}
