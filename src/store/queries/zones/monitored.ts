import type { Cipher } from '../../../kit/cipher.ts'
import { type LoadBalancer, type Monitor, type Pool, poolsOf } from '../../../model/load-balancing.ts'
import { type OriginTls, originTlsOf } from '../../../model/origin-tls.ts'
import { zoneSettingsOf } from '../../../model/zone-settings.ts'
import type { MonitoredPool } from '../../port/load-balancing.ts'
import type { Tx } from '../../transactions.ts'
import { parts } from '../parts.ts'
import { usedOriginCertificates } from './origin-certificates.ts'
import { zoneSettingOf } from './settings.ts'

/** The enabled pools that have a monitor, with the certificates of their zone. */
export async function monitored(db: Tx, cipher: Cipher): Promise<readonly MonitoredPool[]> {
  const monitorRows = await db.selectFrom('lb_monitors').select('document').execute()
  if (monitorRows.length === 0) return []
  const monitors = new Map(
    monitorRows.map(({ document }) => {
      const monitor = JSON.parse(document) as Monitor
      return [monitor.id, monitor]
    }),
  )
  const poolRows = await db.selectFrom('lb_pools').select('document').execute()
  const found = poolRows.flatMap(({ document }) => {
    const pool = JSON.parse(document) as Pool
    const monitor = pool.monitor === undefined ? undefined : monitors.get(pool.monitor)
    return monitor === undefined || !pool.enabled ? [] : [{ pool, monitor }]
  })
  const zones = await zonesOf(db, found)
  const tls = await tlsOfZones(db, cipher, [...new Set(zones.values())])
  return found.map(({ pool, monitor }) => {
    const ofZone = tls.get(zones.get(pool.id) ?? '')
    return { pool, monitor, ...(ofZone === undefined ? {} : { tls: ofZone }) }
  })
}

/** By pool id: the zone that the monitor names, else the only zone whose load balancers use the pool. */
async function zonesOf(db: Tx, pools: readonly MonitoredPool[]): Promise<ReadonlyMap<string, string>> {
  const zones = new Map<string, string>()
  const users = await zonesByPool(db)
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
    const using = users.get(pool.id)
    const [only] = using?.size === 1 ? using : []
    const zone = monitor.probeZone === undefined ? only : named.get(`${pool.accountId} ${monitor.probeZone}`)
    if (zone !== undefined) zones.set(pool.id, zone)
  }
  return zones
}

async function zonesByPool(db: Tx): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const users = new Map<string, Set<string>>()
  for (const { document } of await db.selectFrom('load_balancers').select('document').execute()) {
    const balancer = JSON.parse(document) as LoadBalancer
    for (const id of poolsOf(balancer)) users.set(id, (users.get(id) ?? new Set()).add(balancer.zoneId))
  }
  return users
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
