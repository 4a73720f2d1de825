import type { EnforcedAccessRule } from '../../model/access-rule.ts'
import type { Zone } from '../../model/resource.ts'
import type { GeoView } from '../fields/request-view.ts'
import { addressKeys, asnKey, countryKey } from './access-key.ts'

/** A client, as access rules see it. */
export interface AccessClient {
  readonly clientIp: string
  /** Looked up only when some rule names a country or an AS number. */
  readonly geo: ClientGeo
}

type ClientGeo = Pick<GeoView, 'country' | 'asnum'>

/** The access rules of all accounts and zones. Plans refer to it, so a change of rules leaves them as they are. */
export class AccessTable {
  #owners = new Map<string, OwnerRules>()

  /**
   * The rule that decides about a client. A rule that allows goes before the others, then the narrowest target (an
   * address, ranges, AS number, country), then the zone before its account. At most seven lookups for each owner.
   */
  find({ id, accountId }: Zone, client: AccessClient): EnforcedAccessRule | undefined {
    const zone = this.#owners.get(id)
    const account = this.#owners.get(accountId)
    if (zone === undefined && account === undefined) return undefined
    let first: EnforcedAccessRule | undefined
    const decides = (key: string): EnforcedAccessRule | undefined => {
      const ofZone = zone?.byKey.get(key)
      const ofAccount = account?.byKey.get(key)
      first ??= ofZone ?? ofAccount
      if (ofZone?.mode === 'whitelist') return ofZone
      return ofAccount?.mode === 'whitelist' ? ofAccount : undefined
    }
    for (const key of addressKeys(client.clientIp)) {
      const allowing = decides(key)
      if (allowing !== undefined) return allowing
    }
    if ((zone?.geoRules ?? 0) + (account?.geoRules ?? 0) === 0) return first
    const { asnum, country } = client.geo
    return decides(asnKey(asnum)) ?? decides(countryKey(country)) ?? first
  }

  /** Adds rules, or replaces them by their ids. */
  put(rules: Iterable<EnforcedAccessRule>): void {
    for (const rule of rules) {
      let owner = this.#owners.get(rule.ownerId)
      if (owner === undefined) {
        owner = new OwnerRules()
        this.#owners.set(rule.ownerId, owner)
      }
      owner.put(rule)
    }
  }

  /**
   * Takes the rules of another table, which must not be used any more, in place of the present ones.
   * @param ownerId only those of one account or zone
   */
  take(other: AccessTable, ownerId?: string): void {
    if (ownerId === undefined) {
      this.#owners = other.#owners
      return
    }
    const rules = other.#owners.get(ownerId)
    if (rules === undefined) this.#owners.delete(ownerId)
    else this.#owners.set(ownerId, rules)
  }

  count(ownerId: string): number {
    return this.#owners.get(ownerId)?.byId.size ?? 0
  }

  /** The highest revision of an owner's rules; 0 without any. */
  revision(ownerId: string): number {
    return this.#owners.get(ownerId)?.revision ?? 0
  }
}

class OwnerRules {
  readonly byKey = new Map<string, EnforcedAccessRule>()
  readonly byId = new Map<string, EnforcedAccessRule>()
  revision = 0
  /** Rules for a country or an AS number. */
  geoRules = 0

  put(rule: EnforcedAccessRule): void {
    const { id, key, target, revision } = rule
    if (!this.byId.has(id) && (target === 'country' || target === 'asn')) this.geoRules++
    this.byKey.set(key, rule)
    this.byId.set(id, rule)
    this.revision = Math.max(this.revision, revision)
  }
}
