import type { AccessMode, AccessTarget } from '../model/access-rule.ts'
import type { DnsRecord } from '../model/dns-record.ts'

/**
 * The tables, the same in both dialects. Booleans are 0 or 1, times ISO text. User-written values (names, rules,
 * options) are JSON text in `text` columns: they keep their key order, and no character in them (such as NUL, which
 * PostgreSQL refuses) can make a write fail.
 */
export interface Schema {
  accounts: AccountRow
  users: UserRow
  members: MemberRow
  sessions: SessionRow
  recovery_codes: RecoveryCodeRow
  tokens: TokenRow
  audit_entries: AuditEntryRow
  zones: ZoneRow
  rulesets: RulesetRow
  ruleset_versions: RulesetVersionRow
  lists: ListRow
  list_items: ListItemRow
  list_operations: ListOperationRow
  shadows: ShadowRow
  zone_settings: ZoneSettingRow
  certificates: CertificateRow
  origin_certificates: OriginCertificateRow
  dns_records: DnsRecordRow
  custom_assets: CustomAssetRow
  custom_pages: CustomPageRow
  kept_resources: KeptResourceRow
  access_rules: AccessRuleRow
  zone_firewall_rules: ZoneFirewallRow
  lb_monitors: AccountDocumentRow
  lb_pools: AccountDocumentRow
  lb_pool_health: PoolHealthRow
  load_balancers: LoadBalancerRow
  logpull_zones: LogpullZoneRow
  jobs: JobRow
  delivery_cursors: DeliveryCursorRow
  delivery_starts: DeliveryStartRow
  delivery_gone: DeliveryGoneRow
  delivery_processes: DeliveryProcessRow
  delivery_leases: DeliveryLeaseRow
  log_writers: LogWriterRow
  delivery_batches: DeliveryBatchRow
  delivery_counts: DeliveryCountRow
  delivery_lags: DeliveryLagRow
  manifest_objects: ManifestObjectRow
  manifest_hours: ManifestHourRow
  replays: ReplayRow
  redactions: RedactionRow
  what_if_sampling: WhatIfSamplingRow
  instant_sessions: InstantSessionRow
  notification_policies: AccountDocumentRow
  notification_webhooks: NotificationWebhookRow
  alert_occasions: AlertOccasionRow
  notifications: NotificationRow
  crs_releases: CrsReleaseRow
  crs_files: CrsFileRow
  crs_managed_rulesets: CrsManagedRulesetRow
  acme_accounts: AcmeAccountRow
  acme_names: AcmeNameRow
  acme_challenges: AcmeChallengeRow
  acme_orders: AcmeOrderRow
  installation: InstallationRow
  secrets: SecretRow
  changes: ChangeRow
  counters: CounterRow
  sole_work: SoleWorkRow
  rollout: RolloutRow
  rollout_reports: RolloutReportRow
  schema_migrations: SchemaMigrationRow
}

export interface AccountRow {
  id: string
  /** JSON text of a string. */
  name: string
  created_on: string
}

export interface UserRow {
  id: string
  email: string
  /** Empty: no key. */
  key_hash: string
  password_hash: string | null
  /** Sealed: the secret of the one-time codes and whether it is confirmed, JSON. */
  sealed_totp: string | null
  /** Number of the newest period whose code was used. */
  totp_step: number
  invitation_hash: string | null
  invitation_until: string | null
  oidc_subject: string | null
}

export interface MemberRow {
  id: string
  account_id: string
  user_id: string
  /** JSON array. */
  roles: string
  created_on: string
}

export interface SessionRow {
  id: string
  hash: string
  user_id: string
  method: string
  address: string
  agent: string
  created_on: string
  last_used_on: string
  expires_on: string
}

export interface RecoveryCodeRow {
  user_id: string
  hash: string
}

export interface TokenRow {
  id: string
  /** JSON text of a string. */
  name: string
  hash: string
  user_id: string
  account_id: string | null
  status: string
  /** JSON array. */
  policies: string
  /** JSON. */
  condition: string | null
  not_before: string | null
  expires_on: string | null
  created_on: string
  modified_on: string
  last_used_on: string | null
  /** Increases with each edit. */
  revision: number
}

export interface AuditEntryRow {
  /** Increases with each entry: the order of the trail. */
  position: number
  id: string
  /** No foreign keys: the trail outlives the resources that it records. */
  account_id: string
  zone_id: string | null
  at: string
  action: string
  actor_email: string | null
  actor_ip: string
  actor_id: string
  resource_kind: string
  /** JSON of the whole entry. */
  entry: string
}

export interface ZoneRow {
  id: string
  account_id: string
  name: string
  /** Empty when the zone has none. */
  origin_url: string
  paused: number
  type: 'full' | 'partial' | 'secondary'
  created_on: string
  modified_on: string
  /** Increases with each edit. */
  revision: number
}

export interface RulesetRow {
  id: string
  /** Exactly one of account_id and zone_id is set; both columns exist so that foreign keys can. */
  account_id: string | null
  zone_id: string | null
  kind: string
  phase: string
  version: number
  /** Increases with each new ruleset: the order of lists. */
  position: number
  /** JSON: name, description, lastUpdated, source. */
  summary: string
  /** JSON array. */
  rules: string
}

export interface RulesetVersionRow {
  ruleset_id: string
  version: number
  summary: string
  rules: string
}

export interface ListRow {
  id: string
  account_id: string
  /** Increases with each new list: their order. */
  position: number
  name: string
  kind: string
  /** JSON text of a string. */
  description: string
  num_items: number
  created_on: string
  modified_on: string
  /** Increases with each edit of name and description. */
  revision: number
}

export interface ListItemRow {
  id: string
  list_id: string
  /** Increases with each added item: their order. */
  position: number
  /** SHA-256, hex, of the item's identity: two equal ones cannot be in one list. */
  item_key: string
  /** The text that a search reads, in lower case. */
  search_text: string
  /** JSON object. */
  content: string
  created_on: string
  modified_on: string
}

export interface ListOperationRow {
  id: string
  account_id: string
  status: string
  /** JSON text of a string. */
  error: string | null
  completed_on: string | null
  /** Increases while the process that runs the operation is alive. */
  beats: number
}

export interface ShadowRow {
  zone_id: string
  /** JSON of a Shadow without its zone. */
  document: string
}

export interface CertificateRow {
  id: string
  zone_id: string
  source: string
  /** PEM. */
  certificate: string
  /** Sealed PEM. */
  private_key: string
  /** JSON: hosts, issuer, signature, serial, fingerprint, priority, bundleMethod. */
  facts: string
  expires_on: string
  uploaded_on: string
  modified_on: string
  /** Increases with each edit. */
  revision: number
}

export interface OriginCertificateRow {
  id: string
  zone_id: string
  kind: string
  /** PEM. */
  certificate: string
  /** Sealed PEM; null for an authority. */
  private_key: string | null
  /** JSON: issuer, signature. */
  facts: string
  expires_on: string
  uploaded_on: string
}

export interface LogpullZoneRow {
  zone_id: string
}

export interface JobRow {
  id: number
  /** Exactly one of account_id and zone_id is set; both columns exist so that foreign keys can. */
  account_id: string | null
  zone_id: string | null
  enabled: number
  revision: number
  /** Sealed destination_conf. */
  destination: string
  /** JSON of the other editable settings, and `dataset` and `kind`. */
  settings: string
  /** JSON of a JobHealth, with the faults of the parts of its log by their names. */
  health: string
  /**
   * In logs without a row in `delivery_starts`, the job begins with the records received from this moment on, ms
   * since the epoch. Null for a disabled job, and for a job that an earlier version enabled.
   */
  start_ms: number | null
}

/** The job has its position in the log; partitions without a cursor are new and read from their start. */
export interface DeliveryStartRow {
  job_id: number
  log: string
}

/** Live runs get no more positions in this partition. */
export interface DeliveryGoneRow {
  partition_name: string
  /** When the loss was seen: `2026-08-12T22:00:00Z` */
  hour: string
}

/** `replay` is 0 for the live run of a job, here and below. */
export interface DeliveryCursorRow {
  job_id: number
  replay: number
  partition_name: string
  sequence: number
}

export interface DeliveryProcessRow {
  id: string
  place: string
  log: string
  /** By the database's clock, ms since the epoch. */
  until_ms: number
}

/** An edge without delivery. */
export interface LogWriterRow {
  place: string
  log: string
  /** By the database's clock, ms since the epoch. */
  until_ms: number
  /** Name of the machine; null in rows of earlier versions. */
  host: string | null
}

export interface DeliveryLeaseRow {
  job_id: number
  log: string
  /** Id of a process; empty: returned. */
  owner: string
  fence: number
}

export interface DeliveryBatchRow {
  job_id: number
  replay: number
  /** Empty for a batch that an earlier version opened. */
  log: string
  /** JSON array of BatchRange. */
  ranges: string
  object_name: string
  shape: string
  lines: number
  opened_on: string
}

export interface DeliveryCountRow {
  job_id: number
  hour: string
  outcome: string
  status: string
  uploads: number
  lines: number
  bytes: number
  bytes_compressed: number
}

export interface DeliveryLagRow {
  job_id: number
  hour: string
  seconds_max: number
}

export interface ManifestObjectRow {
  job_id: number
  hour: string
  path: string
  lines: number
  bytes: number
  bytes_compressed: number
  sha256: string
}

export interface ManifestHourRow {
  job_id: number
  /** The first hour that can still list objects: `2026-08-12T22:00:00Z` */
  open_from: string
}

export interface ReplayRow {
  job_id: number
  id: number
  status: string
  /** JSON of the rest of a Replay. */
  document: string
  /** JSON object: partition → sequence at which the replay ends. */
  until: string
  /** The log that is read; empty: a replay of an earlier version. */
  log: string
}

export interface RedactionRow {
  zone_id: string
  /** JSON of a Redaction. */
  document: string
}

export interface ZoneSettingRow {
  zone_id: string
  id: string
  /** JSON. */
  value: string
  modified_on: string
}

export interface KeptResourceRow {
  /** Exactly one of account_id and zone_id is set. */
  account_id: string | null
  zone_id: string | null
  id: string
  kind: string
  created_on: string
  modified_on: string
  /** JSON of the document of a KeptResource. */
  document: string
}

export interface CustomAssetRow {
  /** Exactly one of account_id and zone_id is set. */
  account_id: string | null
  zone_id: string | null
  name: string
  /** JSON of the rest of a CustomAsset. */
  document: string
}

export interface CustomPageRow {
  /** Exactly one of account_id and zone_id is set. */
  account_id: string | null
  zone_id: string | null
  id: string
  /** JSON of the rest of a CustomPage. */
  document: string
}

export interface AccessRuleRow {
  id: string
  /** Exactly one of account_id and zone_id is set. */
  account_id: string | null
  zone_id: string | null
  /** Sequence of the change entry of its last write. */
  revision: number
  target: AccessTarget
  value: string
  key: string
  mode: AccessMode
  /** JSON. */
  notes: string
  /** Notes in lower case, for searches. */
  search_text: string
  created_on: string
  modified_on: string
}

export interface ZoneFirewallRow {
  id: string
  zone_id: string
  kind: 'ua_rule' | 'lockdown'
  created_on: string
  /** JSON of the whole rule. */
  document: string
}

export interface DnsRecordRow {
  zone_id: string
  id: string
  type: DnsRecord['type']
  /** JSON of the rest of a DnsRecord. */
  document: string
}

/** A monitor, a pool or a notification policy. */
export interface AccountDocumentRow {
  id: string
  account_id: string
  created_on: string
  /** JSON of the whole resource. */
  document: string
}

export interface LoadBalancerRow {
  id: string
  zone_id: string
  created_on: string
  /** JSON of a LoadBalancer. */
  document: string
}

/** No foreign key: the reports about a deleted pool end with their time. */
export interface PoolHealthRow {
  pool_id: string
  /** Id of the machine. */
  place: string
  /** JSON array of OriginHealth. */
  origins: string
  /** By the database's clock, ms since the epoch. */
  until_ms: number
}

export interface WhatIfSamplingRow {
  zone_id: string
  /** In millionths. */
  rate: number
}

export interface InstantSessionRow {
  id: string
  zone_id: string
  /** JSON: fields, filter, sample. */
  settings: string
  created_on: string
  listened_on: string
}

export interface CrsReleaseRow {
  version: number
  crs_version: string
  digest: string
  origin: string
  imported_on: string
  active: number
  /** Null for releases that state none, or were imported by an earlier version. */
  released_year: number | null
}

export interface CrsFileRow {
  version: number
  position: number
  name: string
  /** The file's bytes, gzip. */
  content: Uint8Array
}

export interface CrsManagedRulesetRow {
  version: number
  position: number
  /** JSON of a ManagedRuleset. */
  document: string
}

/** Single values of the installation: name → JSON text. */
export interface NotificationWebhookRow {
  id: string
  account_id: string
  created_on: string
  /** Sealed JSON: name, URL and secret. */
  sealed: string
  last_success: string | null
  last_failure: string | null
}

export interface AlertOccasionRow {
  id: string
  policy_id: string
  subject: string
  /** JSON of the Occasion. */
  document: string
}

export interface NotificationRow {
  id: string
  account_id: string
  created_on: string
  sent_on: string | null
  /** When the next attempt is due, ms since the epoch; null: never. */
  due_ms: number | null
  attempts: number
  /** JSON of the Notification. */
  document: string
}

export interface InstallationRow {
  name: string
  value: string
}

export interface SecretRow {
  name: string
  value: string
}

export interface ChangeRow {
  sequence: number
  kind: string
  resource_id: string
  /** Random: once two histories diverge, no later change has the same mark in both. */
  mark: string
}

/** Numbers that increase by one under the writers' lock, so that their order is the commit order. */
export interface CounterRow {
  name: 'audit' | 'change' | 'job' | 'ruleset'
  value: number
}

/** One row at most. */
export interface RolloutRow {
  id: number
  revision: number
  /** JSON of Rollout. */
  document: string
}

export interface SoleWorkRow {
  work: string
  owner: string
  /** By the database's clock, ms since the epoch. */
  until_ms: number
}

export interface RolloutReportRow {
  edge: string
  /** By the database's clock, ms since the epoch. */
  until_ms: number
  /** JSON of EdgeReport. */
  document: string
}

export interface AcmeAccountRow {
  directory: string
  sealed_key: string
}

export interface AcmeNameRow {
  name: string
  zone_id: string
  failures: number
  problem: string | null
  next_ms: number
  /** Empty: free. */
  owner: string
  owner_until_ms: number
}

export interface AcmeChallengeRow {
  name: string
  kind: string
  /** JSON of the challenge. */
  sealed: string
  until_ms: number
}

/** An order of the last hour. */
export interface AcmeOrderRow {
  id: string
  at_ms: number
}

export interface SchemaMigrationRow {
  number: number
  name: string
  applied_on: string
}
