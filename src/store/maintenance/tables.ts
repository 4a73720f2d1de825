import type { Schema } from '../schema.ts'

/** The tables that hold the state. */
export type TableName = Exclude<keyof Schema, 'schema_migrations'>

/** Every table, parents before the tables that refer to them, and whether a new database has rows in it. */
const inOrder: Readonly<Record<TableName, 'empty' | 'filled'>> = {
  accounts: 'empty',
  users: 'empty',
  members: 'empty',
  sessions: 'empty',
  recovery_codes: 'empty',
  tokens: 'empty',
  audit_entries: 'empty',
  zones: 'empty',
  rulesets: 'empty',
  ruleset_versions: 'empty',
  lists: 'empty',
  list_items: 'empty',
  list_operations: 'empty',
  shadows: 'empty',
  zone_settings: 'empty',
  certificates: 'empty',
  origin_certificates: 'empty',
  dns_records: 'empty',
  custom_assets: 'empty',
  custom_pages: 'empty',
  kept_resources: 'empty',
  access_rules: 'empty',
  zone_firewall_rules: 'empty',
  lb_monitors: 'empty',
  lb_pools: 'empty',
  lb_pool_health: 'empty',
  load_balancers: 'empty',
  logpull_zones: 'empty',
  jobs: 'empty',
  delivery_cursors: 'empty',
  delivery_starts: 'empty',
  delivery_gone: 'empty',
  delivery_processes: 'empty',
  delivery_leases: 'empty',
  log_writers: 'empty',
  delivery_batches: 'empty',
  delivery_counts: 'empty',
  delivery_lags: 'empty',
  manifest_objects: 'empty',
  manifest_hours: 'empty',
  replays: 'empty',
  redactions: 'empty',
  what_if_sampling: 'empty',
  instant_sessions: 'empty',
  crs_releases: 'empty',
  crs_files: 'empty',
  crs_managed_rulesets: 'empty',
  acme_accounts: 'empty',
  acme_names: 'empty',
  acme_challenges: 'empty',
  acme_orders: 'empty',
  installation: 'filled',
  secrets: 'filled',
  changes: 'empty',
  counters: 'filled',
}

export const tables = Object.keys(inOrder) as readonly TableName[]

/** The tables without rows in a new database. */
export const emptyTables = tables.filter(table => inOrder[table] === 'empty')
