import type { Cipher } from '../../../kit/cipher.ts'
import { type LoadBalancer, type Monitor, type Pool, poolsOf } from '../../../model/load-balancing.ts'
import { type OriginTls, originTlsOf } from '../../../model/origin-tls.ts'
import { zoneSettingsOf } from '../../../model/zone-settings.ts'
import type { MonitoredPool } from '../../port/load-balancing.ts'
import type { Tx } from '../../transactions.ts'
import { parts } from '../parts.ts'
import { usedOriginCertificates } from './origin-certificates.ts'
import { zoneSettingOf } from './settings.ts'

/** The pools that have a monitor and get requests, at least of old sessions, with the certificates of their zone. */
export async function monitored(db: Tx, cipher: Cipher): Promise<readonly MonitoredPool[]> {
  const monitorRows = await db.selectFrom('lb_monitors').select('document').execute()
  if (monitorRows.length === 0) return []
  const monitors = new Map(
    monitorRows.map(({ document }) => {
      const monitor = JSON.parse(document) as Monitor
      return [monitor.id, monitor]
    }),
  )
  const uses = await usesOfPools(db)
  const poolRows = await db.selectFrom('lb_pools').select('document').execute()
  const found = poolRows.flatMap(({ document }) => {
    const pool = JSON.parse(document) as Pool
    const monitor = pool.monitor === undefined ? undefined : monitors.get(pool.monitor)
    const drainSeconds = uses.get(pool.id)?.drainSeconds ?? 0
    if (monitor === undefined || !(pool.enabled || drainSeconds > 0)) return []
    return [{ pool, monitor, ...(drainSeconds === 0 ? {} : { drainSeconds }) }]
  })
  const zones = await zonesOf(db, found, uses)
  const tls = await tlsOfZones(db, cipher, [...new Set(zones.values())])
  return found.map(one => {
    const ofZone = tls.get(zones.get(one.pool.id) ?? '')
    return { ...one, ...(ofZone === undefined ? {} : { tls: ofZone }) }
  })
}

/** By pool id: the zone that the monitor names, else the only zone whose load balancers use the pool. */
async function zonesOf(
  db: Tx,
  pools: readonly MonitoredPool[],
  uses: ReadonlyMap<string, PoolUse>,
): Promise<ReadonlyMap<string, string>> {
  const zones = new Map<string, string>()
  const probed = [...new Set(pools.flatMap(({ monitor }) => monitor.probeZone ?? []))]
  const named = new Map<string, string>()
  for (const names of parts(probed)) {
    const rows = await db
      .selectFrom('zones')
      .select(['id', 'account_id', 'name'])
      .where('name', 'in', names)
      .execute()
    for (const { id, account_id, name } of rows) named.set(`${account_id} ${name}`, id)
  }
  for (const { pool, monitor } of pools) {
    const using = uses.get(pool.id)?.zones
    const [only] = using?.size === 1 ? using : []
    const zone = monitor.probeZone === undefined ? only : named.get(`${pool.accountId} ${monitor.probeZone}`)
    if (zone !== undefined) zones.set(pool.id, zone)
  }
  return zones
}

/** How load balancers use a pool. */
interface PoolUse {
  readonly zones: ReadonlySet<string>
  /** The longest of them. */
  readonly drainSeconds: number
}

async function usesOfPools(db: Tx): Promise<ReadonlyMap<string, PoolUse>> {
  const uses = new Map<string, PoolUse>()
  for (const { document } of await db.selectFrom('load_balancers').select('document').execute()) {
    const balancer = JSON.parse(document) as LoadBalancer
    const { rules = [], zoneId } = balancer
    const attributes = [balancer, ...rules.map(({ overrides }) => overrides)]
    const drains = attributes.map(one => one?.sessionAttributes?.drainSeconds ?? 0)
    for (const id of poolsOf(balancer)) {
      const { zones = [], drainSeconds = 0 } = uses.get(id) ?? {}
      uses.set(id, { zones: new Set([...zones, zoneId]), drainSeconds: Math.max(drainSeconds, ...drains) })
    }
  }
  return uses
}

async function tlsOfZones(
  db: Tx,
  cipher: Cipher,
  zoneIds: readonly string[],
): Promise<ReadonlyMap<string, OriginTls>> {
  const found = new Map<string, OriginTls>()
  for (const ids of parts(zoneIds)) {
    const certificates = await usedOriginCertificates(db, cipher, ids)
    if (certificates.length === 0) continue
    const settings = await db.selectFrom('zone_settings').selectAll().where('zone_id', 'in', ids).execute()
    for (const id of ids) {
      const own = settings.filter(({ zone_id }) => zone_id === id).map(zoneSettingOf)
      const { originClientAuth } = zoneSettingsOf(own)
      const tls = originTlsOf(
        certificates.filter(({ zoneId }) => zoneId === id),
        originClientAuth,
      )
      if (tls !== undefined) found.set(id, tls)
    }
  }
  return found
}
