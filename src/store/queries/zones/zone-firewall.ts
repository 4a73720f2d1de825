import type { Lockdown, UserAgentRule, ZoneFirewall } from '../../../model/zone-firewall.ts'
import type { Store } from '../../port.ts'
import type { ZoneFirewallRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

export function zoneFirewallQueries(transactions: Transactions): Store['zoneFirewall'] {
  return {
    read: zoneId => transactions.read(db => stored(db, zoneId)),
    change: (zoneId, { kind, id, stored: rule }, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        await requireBasis(basis, `the firewall rules of zone ${zoneId}`, () => stored(tx, zoneId))
        await tx
          .deleteFrom('zone_firewall_rules')
          .where('id', '=', id)
          .where('zone_id', '=', zoneId)
          .execute()
        if (rule !== undefined) {
          const row = {
            id,
            zone_id: zoneId,
            kind,
            created_on: rule.createdOn,
            document: JSON.stringify(rule),
          }
          await tx.insertInto('zone_firewall_rules').values(row).execute()
        }
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
  }
}

async function stored(db: Tx, zoneId: string): Promise<ZoneFirewall> {
  return firewallOf(await firewallRows(db, [zoneId]))
}

/** Oldest first. */
export function firewallRows(db: Tx, zoneIds: readonly string[]): Promise<ZoneFirewallRow[]> {
  return db
    .selectFrom('zone_firewall_rules')
    .selectAll()
    .where('zone_id', 'in', zoneIds)
    .orderBy('created_on')
    .orderBy('id')
    .execute()
}

/** @param rows of one zone */
export function firewallOf(rows: readonly ZoneFirewallRow[]): ZoneFirewall {
  const documents = <T>(kind: ZoneFirewallRow['kind']) =>
    rows
      .filter(row => row.kind === kind)
      .map(({ document }) => ({ description: undefined, ...JSON.parse(document) }) as T)
  return {
    userAgentRules: documents<UserAgentRule>('ua_rule'),
    lockdowns: documents<Omit<Lockdown, 'priority'>>('lockdown').map(rule => ({
      priority: undefined,
      ...rule,
    })),
  }
}
