import type { Cipher } from '../../../kit/cipher.ts'
import { addressTypes } from '../../../model/dns-record.ts'
import type { Ruleset } from '../../../model/resource.ts'
import type { PlanDocuments } from '../../port/zones.ts'
import type { Store } from '../../port.ts'
import type { Transactions } from '../../transactions.ts'
import { rulesetOf } from '../rulesets.ts'
import { customAssetOf } from './custom-assets.ts'
import { customPageOf } from './custom-pages.ts'
import { dnsRecordOf } from './dns-records.ts'
import { balancing } from './load-balancers.ts'
import { usedOriginCertificates } from './origin-certificates.ts'
import { redactionOf } from './redaction.ts'
import { sampleRateOf } from './sampling.ts'
import { zoneSettingOf } from './settings.ts'
import { shadowOf } from './shadows.ts'
import { firewallOf, firewallRows } from './zone-firewall.ts'

export function planQueries(transactions: Transactions, cipher: Cipher): Store['plans'] {
  return {
    documents: zoneIds =>
      transactions.read(async db => {
        if (zoneIds.length === 0) return new Map()
        const rulesetRows = await db
          .selectFrom('rulesets')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .orderBy('position')
          .execute()
        const shadowRows = await db
          .selectFrom('shadows')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .execute()
        const redactionRows = await db
          .selectFrom('redactions')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .execute()
        const samplingRows = await db
          .selectFrom('what_if_sampling')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .execute()
        const settingRows = await db
          .selectFrom('zone_settings')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .execute()
        const dnsRows = await db
          .selectFrom('dns_records')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .where('type', 'in', addressTypes)
          .execute()
        const pageRows = await db
          .selectFrom('custom_pages')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .orderBy('id')
          .execute()
        const assetRows = await db
          .selectFrom('custom_assets')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .orderBy('name')
          .execute()
        const { byZone: loadBalancers, pools } = await balancing(db, zoneIds)
        const rulesets = new Map<string, Ruleset[]>(zoneIds.map(id => [id, []]))
        for (const row of rulesetRows) {
          const id = row.zone_id!
          rulesets.get(id)!.push(rulesetOf({ kind: 'zone', id }, row))
        }
        const dnsRecords = Map.groupBy(dnsRows, row => row.zone_id)
        const used = await usedOriginCertificates(db, cipher, zoneIds)
        const originCertificates = Map.groupBy(used, one => one.zoneId)
        const customAssets = Map.groupBy(assetRows, row => row.zone_id)
        const firewalls = Map.groupBy(await firewallRows(db, zoneIds), row => row.zone_id)
        const customPages = Map.groupBy(pageRows, row => row.zone_id)
        const settings = Map.groupBy(settingRows, row => row.zone_id)
        const shadows = new Map(shadowRows.map(row => [row.zone_id, shadowOf(row)]))
        const redactions = new Map(redactionRows.map(row => [row.zone_id, redactionOf(row)]))
        const sampleRates = new Map(samplingRows.map(row => [row.zone_id, sampleRateOf(row)]))
        return new Map(
          zoneIds.map((id): [string, PlanDocuments] => [
            id,
            {
              rulesets: rulesets.get(id)!,
              shadow: shadows.get(id),
              redaction: redactions.get(id),
              sampleRate: sampleRates.get(id),
              dnsRecords: (dnsRecords.get(id) ?? []).map(dnsRecordOf),
              originCertificates: originCertificates.get(id) ?? [],
              customAssets: (customAssets.get(id) ?? []).map(customAssetOf),
              customPages: (customPages.get(id) ?? []).map(customPageOf),
              firewall: firewallOf(firewalls.get(id) ?? []),
              loadBalancers: loadBalancers.get(id) ?? [],
              pools,
              settings: (settings.get(id) ?? []).map(zoneSettingOf),
            },
          ]),
        )
      }),
  }
}
