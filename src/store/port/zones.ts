import type { CustomAsset } from '../../model/custom-asset.ts'
import type { CustomPage } from '../../model/custom-page.ts'
import type { DnsRecord } from '../../model/dns-record.ts'
import type { LoadBalancer, Pool } from '../../model/load-balancing.ts'
import type { KeyedOriginCertificate } from '../../model/origin-certificate.ts'
import type { AuditEntry, Redaction, Ruleset, Shadow, Zone } from '../../model/resource.ts'
import type { ZoneFirewall } from '../../model/zone-firewall.ts'
import type { StoredZoneSetting } from '../../model/zone-settings.ts'
import type { Basis, Revised } from './basis.ts'

export interface ZoneStore {
  list(): Promise<readonly Revised<Zone>[]>
  get(id: string): Promise<Revised<Zone> | undefined>
  byName(name: string): Promise<Revised<Zone> | undefined>
  insert(zone: Zone, audit?: AuditEntry): Promise<void>
  /** @throws StoreError `stale` when the zone was changed since it was read, or is gone */
  update(zone: Revised<Zone>, audit?: AuditEntry): Promise<void>
  /**
   * Deletes the zone with its rulesets and jobs.
   * @param revision required revision; absent: any
   * @returns false when there is no such zone
   * @throws StoreError `stale` when there is none of that revision
   */
  delete(id: string, audit?: AuditEntry, revision?: number): Promise<boolean>
}

export interface ShadowStore {
  get(zoneId: string): Promise<Shadow | undefined>
  /**
   * Sets a zone's shadow.
   * @throws StoreError `conflict` when there is no such zone, `stale` when the stored shadow differs from the basis
   */
  put(shadow: Shadow, audit?: AuditEntry, basis?: Basis<Shadow | undefined>): Promise<void>
  /** @throws StoreError `stale` when the stored shadow differs from the basis */
  delete(zoneId: string, audit?: AuditEntry, basis?: Basis<Shadow | undefined>): Promise<boolean>
}

/** The share of a zone's requests that is sampled for what-if analysis, 0–1. */
export interface SamplingStore {
  /** Undefined: the default. */
  get(zoneId: string): Promise<number | undefined>
  /** @throws StoreError `conflict` when there is no such zone, `stale` when the stored rate differs from the basis */
  put(zoneId: string, rate: number, audit?: AuditEntry, basis?: Basis<number | undefined>): Promise<void>
}

/** Whether Logpull may read the records of a zone; off by default. */
export interface RetentionStore {
  get(zoneId: string): Promise<boolean>
  /**
   * @throws StoreError `conflict` when there is no such zone and the flag is on, `stale` when the stored flag differs
   *   from the basis
   */
  set(zoneId: string, flag: boolean, audit?: AuditEntry, basis?: Basis<boolean>): Promise<void>
}

export interface RedactionStore {
  /** Undefined: the default. */
  get(zoneId: string): Promise<Redaction | undefined>
  /**
   * @throws StoreError `conflict` when there is no such zone, `stale` when the stored redaction differs from the
   *   basis
   */
  put(
    zoneId: string,
    redaction: Redaction,
    audit?: AuditEntry,
    basis?: Basis<Redaction | undefined>,
  ): Promise<void>
}

export interface ZoneSettingStore {
  /** Settings that were changed at least once, by id. */
  list(zoneId: string): Promise<readonly StoredZoneSetting[]>
  /**
   * Changes these settings and leaves the others.
   * @throws StoreError `conflict` when there is no such zone, `stale` when the stored settings differ from the basis
   */
  put(
    zoneId: string,
    settings: readonly StoredZoneSetting[],
    audit?: AuditEntry,
    basis?: Basis<readonly StoredZoneSetting[]>,
  ): Promise<void>
  /**
   * Resets these settings to their defaults. @throws StoreError `stale` when the stored settings differ from the
   * basis
   */
  delete(
    zoneId: string,
    ids: readonly string[],
    audit?: AuditEntry,
    basis?: Basis<readonly StoredZoneSetting[]>,
  ): Promise<void>
}

export interface PlanStore {
  /**
   * The documents that plans of these zones are built from, besides the zones: one read for many. At most 1,000
   * zones.
   */
  documents(zoneIds: readonly string[]): Promise<ReadonlyMap<string, PlanDocuments>>
}

export interface PlanDocuments {
  /** Complete, oldest first. */
  readonly rulesets: readonly Ruleset[]
  readonly shadow: Shadow | undefined
  /** Undefined: the default. */
  readonly redaction: Redaction | undefined
  /** Settings that were changed at least once. */
  readonly settings: readonly StoredZoneSetting[]
  /** Undefined: the default. */
  readonly sampleRate: number | undefined
  /** A, AAAA and CNAME. */
  readonly dnsRecords: readonly DnsRecord[]
  readonly customAssets: readonly CustomAsset[]
  readonly customPages: readonly CustomPage[]
  readonly firewall: ZoneFirewall
  /** With their keys, oldest first. */
  readonly originCertificates: readonly KeyedOriginCertificate[]
  readonly loadBalancers: readonly LoadBalancer[]
  /** The pools that the load balancers of this read name. */
  readonly pools: readonly Pool[]
}
