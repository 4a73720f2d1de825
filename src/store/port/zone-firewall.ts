import type { AuditEntry } from '../../model/resource.ts'
import type { Lockdown, UserAgentRule, ZoneFirewall } from '../../model/zone-firewall.ts'
import type { Basis } from './basis.ts'

/** One rule of a zone; `stored` undefined deletes it. */
export type FirewallChange =
  | { readonly kind: 'ua_rule'; readonly id: string; readonly stored: UserAgentRule | undefined }
  | { readonly kind: 'lockdown'; readonly id: string; readonly stored: Lockdown | undefined }

export interface ZoneFirewallStore {
  read(zoneId: string): Promise<ZoneFirewall>
  /**
   * @throws StoreError `conflict` when there is no such zone, `stale` when the stored rules of the zone differ from the
   *   basis
   */
  change(
    zoneId: string,
    change: FirewallChange,
    audit?: AuditEntry,
    basis?: Basis<ZoneFirewall>,
  ): Promise<void>
}
