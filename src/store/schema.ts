/**
 * The tables, the same in both dialects. Booleans are 0 or 1, times ISO text. What people write (names,
 * rules, options) is JSON text in `text` columns: it comes back with its key order, and no character in it
 * (such as NUL, which PostgreSQL refuses) can make a write fail.
 */
export interface Schema {
  accounts: AccountRow
  users: UserRow
  tokens: TokenRow
  zones: ZoneRow
  rulesets: RulesetRow
  ruleset_versions: RulesetVersionRow
  jobs: JobRow
  delivery_cursors: DeliveryCursorRow
  delivery_batches: DeliveryBatchRow
  crs_releases: CrsReleaseRow
  crs_files: CrsFileRow
  crs_managed_rulesets: CrsManagedRulesetRow
  installation: InstallationRow
  secrets: SecretRow
  changes: ChangeRow
  counters: CounterRow
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
  key_hash: string
}

export interface TokenRow {
  id: string
  /** JSON text of a string. */
  name: string
  hash: string
  created_on: string
}

export interface ZoneRow {
  id: string
  account_id: string
  name: string
  origin_url: string
  paused: number
  created_on: string
  modified_on: string
}

export interface RulesetRow {
  id: string
  /** Exactly one of account_id and zone_id is set; both columns exist so that foreign keys can. */
  account_id: string | null
  zone_id: string | null
  kind: string
  phase: string
  version: number
  /** Rises with each ruleset made: the order of lists. */
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

export interface JobRow {
  id: number
  zone_id: string
  enabled: number
  /** JSON of what a person can change, and `dataset` and `kind`. */
  settings: string
  /** JSON: lastComplete, lastError, errorMessage. */
  health: string
}

export interface DeliveryCursorRow {
  job_id: number
  partition_name: string
  sequence: number
}

export interface DeliveryBatchRow {
  job_id: number
  partition_name: string
  first_sequence: number
  last_sequence: number
  object_name: string
  shape: string
  opened_on: string
}

export interface CrsReleaseRow {
  version: number
  crs_version: string
  digest: string
  origin: string
  imported_on: string
  active: number
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

/** Single values of the installation that people set: name → JSON text. */
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
}

/** Numbers that rise by one under the writers' lock, so that their order is the order of the commits. */
export interface CounterRow {
  name: 'change' | 'job' | 'ruleset'
  value: number
}

export interface SchemaMigrationRow {
  number: number
  name: string
  applied_on: string
}
