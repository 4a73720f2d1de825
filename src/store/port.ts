import type { StoredChange } from '../bus/port.ts'
import type { AuditEntry } from '../model/resource.ts'
import type { AccessRuleStore } from './port/access-rules.ts'
import type { AcmeStore } from './port/acme.ts'
import type { CertificateStore } from './port/certificates.ts'
import type { CrsStore } from './port/crs.ts'
import type { CustomAssetStore } from './port/custom-assets.ts'
import type { CustomPageStore } from './port/custom-pages.ts'
import type { DeliveryStore, LeaseStore, LogStore } from './port/delivery.ts'
import type { DnsRecordStore } from './port/dns.ts'
import type { InstantStore, JobStore, ReplayStore } from './port/jobs.ts'
import type { KeptResourceStore } from './port/kept-resources.ts'
import type { ListStore } from './port/lists.ts'
import type { LoadBalancingStore } from './port/load-balancing.ts'
import type { NotificationStore } from './port/notifications.ts'
import type { OriginCertificateStore } from './port/origin-certificates.ts'
import type { AccountStore, MemberStore, SessionStore, TokenStore, UserStore } from './port/people.ts'
import type { RolloutStore } from './port/rollout.ts'
import type { RulesetStore } from './port/rulesets.ts'
import type { SoleWorkStore } from './port/sole-work.ts'
import type { ZoneFirewallStore } from './port/zone-firewall.ts'
import type {
  PlanStore,
  RedactionStore,
  RetentionStore,
  SamplingStore,
  ShadowStore,
  ZoneSettingStore,
  ZoneStore,
} from './port/zones.ts'

/**
 * All persistent state. Each mutating call is one transaction, which also writes a change entry and the given audit
 * entry.
 * Adapters: SQLite (embedded) and PostgreSQL, through the same Kysely queries and migrations.
 */
export interface Store {
  readonly accounts: AccountStore
  readonly users: UserStore
  readonly members: MemberStore
  readonly sessions: SessionStore
  readonly tokens: TokenStore
  readonly zones: ZoneStore
  readonly rulesets: RulesetStore
  readonly shadows: ShadowStore
  readonly sampling: SamplingStore
  readonly retention: RetentionStore
  readonly certificates: CertificateStore
  readonly plans: PlanStore
  readonly lists: ListStore
  readonly audit: {
    /** Newest first, unless `direction` says otherwise. `since` is inclusive, `before` is exclusive. */
    list(
      accountId: string,
      page: {
        readonly offset: number
        readonly limit: number
        readonly id?: string
        readonly since?: string
        readonly before?: string
        readonly zoneId?: string
        readonly action?: string
        readonly resourceKind?: string
        readonly actorId?: string
        readonly actorEmail?: string
        readonly actorIp?: string
        readonly direction?: 'asc' | 'desc'
      },
    ): Promise<readonly AuditEntry[]>
    insert(entry: AuditEntry): Promise<void>
    /** Position of the newest entry; 0 when there is none. Positions increase by one in commit order. */
    head(): Promise<number>
    /** Entries of all accounts after a position, in order. Entries that were deleted are skipped. */
    after(
      position: number,
      limit: number,
    ): Promise<readonly { readonly position: number; readonly entry: AuditEntry }[]>
    /** Position of the first stored entry made at this moment or later; without one, of the next entry. */
    at(moment: string): Promise<number>
  }
  readonly jobs: JobStore
  readonly delivery: DeliveryStore
  readonly leases: LeaseStore
  readonly logs: LogStore
  readonly replays: ReplayStore
  readonly redaction: RedactionStore
  readonly zoneSettings: ZoneSettingStore
  readonly dnsRecords: DnsRecordStore
  readonly customAssets: CustomAssetStore
  readonly customPages: CustomPageStore
  readonly accessRules: AccessRuleStore
  readonly zoneFirewall: ZoneFirewallStore
  readonly originCertificates: OriginCertificateStore
  readonly loadBalancing: LoadBalancingStore
  readonly keptResources: KeptResourceStore
  readonly notifications: NotificationStore
  readonly instant: InstantStore
  readonly crs: CrsStore
  readonly soleWork: SoleWorkStore
  readonly rollout: RolloutStore
  readonly acme: AcmeStore
  /** Values of the installation such as signing keys: name → text. */
  readonly secrets: {
    get(name: string): Promise<string | undefined>
    /** Keeps the first value written, by whichever process. @returns the stored value */
    putOnce(name: string, value: string): Promise<string>
    /** Replaces the stored value. */
    put(name: string, value: string): Promise<void>
  }
  readonly changes: {
    /** Entries after `sequence`, oldest first, at most 1,000. */
    after(sequence: number): Promise<readonly StoredChange[]>
    head(): Promise<number>
    /**
     * Calls back after a commit with entries, from the first read on, and when the connection was lost that brings
     * notices. Absent: the database gives no notices.
     */
    readonly onNotice?: (callback: (reason: 'commit' | 'lost') => void) => void
  }
  /** Resolves when the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}
