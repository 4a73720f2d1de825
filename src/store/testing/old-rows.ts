import { type Kysely, sql } from 'kysely'
import type { LogpushJob } from '../../model/resource.ts'
import { migrations } from '../migrations/list.ts'
import type { Schema } from '../schema.ts'
import { aJob, testCipher } from './data.ts'

/** Of the zone and the account in `oldRows`. */
export const oldIds = { account: 'a', zone: 'z', user: 'u', job: 7, list: 'l', pool: 'p' } as const

const time = '2026-01-02T03:04:05.000006Z'
const empty = JSON.stringify({})
const sealed = testCipher.seal(JSON.stringify({ name: 'shop.test', kind: 'http-01', token: 't', key: 'k' }))

/** The settings of a job before destinations were encrypted. */
const job: LogpushJob = { ...aJob({ kind: 'zone', id: oldIds.zone }), id: oldIds.job }
const { scope, enabled, revision, lastComplete, lastError, errorMessage, paused, id, ...settings } = job
const health = JSON.stringify({ lastComplete, lastError, errorMessage })
const shape = JSON.stringify({
  zoneId: oldIds.zone,
  dataset: job.dataset,
  filter: null,
  logpullOptions: null,
  outputOptions: null,
})
const summary = JSON.stringify({ name: 'default', description: '', lastUpdated: time })
const keptPolicy = JSON.stringify({
  name: 'p',
  enabled: true,
  alert_type: 'universal_ssl_event_type',
  mechanisms: { webhooks: [{ id: 'nw' }] },
})
const keptWebhook = JSON.stringify({ name: 'w', url: 'https://hooks.shop.test/' })
const entry = JSON.stringify({
  id: 'e',
  accountId: oldIds.account,
  at: time,
  action: 'create',
  actor: { id: oldIds.user, ip: '192.0.2.1' },
  resource: { kind: 'zone', id: oldIds.zone },
})

/**
 * Rows by the number of the migration that makes their table, as the program of that schema could have written them: one
 * in each table. A migration that makes a table adds a row for it.
 */
const oldRows: Readonly<Record<number, readonly (readonly unknown[])[]>> = {
  1: [
    ['accounts', oldIds.account, '"Team"', time],
    ['users', oldIds.user, 'admin@shop.test', 'hash'],
    ['tokens', 't', '"deploy"', 'hash', time],
    ['zones', oldIds.zone, oldIds.account, 'shop.test', 'http://127.0.0.1:9000', 0, time, time],
    ['rulesets', 'r', null, oldIds.zone, 'zone', 'http_request_firewall_custom', 2, 1, summary, '[]'],
    ['ruleset_versions', 'r', 1, summary, '[]'],
    ['jobs', oldIds.job, oldIds.zone, 1, JSON.stringify(settings), health],
    ['delivery_cursors', oldIds.job, 'edge-1', 41],
    ['delivery_batches', oldIds.job, 'edge-1', 42, 43, 'object', shape, time],
    ['crs_releases', 1, '4.0.0', 'digest', 'upstream', time, 1],
    ['crs_files', 1, 0, 'crs-setup.conf', new Uint8Array([0, 255, 7])],
    ['crs_managed_rulesets', 1, 0, JSON.stringify({ id: 'm', rules: [] })],
    ['installation', 'first-start', '"done"'],
    ['secrets', 'clearance-key', 'secret'],
    ['changes', 1, 'zone', oldIds.zone],
  ],
  2: [
    ['lists', oldIds.list, oldIds.account, 1, 'office', 'ip', '""', 1, time, time],
    ['list_items', 'i', oldIds.list, 1, 'key', '192.0.2.1', JSON.stringify({ ip: '192.0.2.1' }), time, time],
    ['list_operations', 'o', oldIds.account, 'completed', null, time],
  ],
  3: [['audit_entries', 1, 'e', oldIds.account, oldIds.zone, time, 'create', null, '192.0.2.1', entry]],
  4: [['shadows', oldIds.zone, JSON.stringify({ enabled: false, version: 'latest' })]],
  5: [['logpull_zones', oldIds.zone]],
  6: [
    ['delivery_counts', oldIds.job, '2026-01-02T03:00:00Z', 'successful', '200', 1, 2, 3, 4],
    ['manifest_objects', oldIds.job, '2026-01-02T03:00:00Z', 'object', 2, 3, 4, 'digest'],
    ['replays', oldIds.job, 1, 'completed', JSON.stringify({ start: time, end: time, created: time }), empty],
    ['redactions', oldIds.zone, JSON.stringify({ headers: [], forms: [] })],
    [
      'instant_sessions',
      's',
      oldIds.zone,
      JSON.stringify({ fields: [], filter: null, sample: 1 }),
      time,
      time,
    ],
  ],
  7: [['manifest_hours', oldIds.job, '2026-01-02T03:00:00Z']],
  8: [['what_if_sampling', oldIds.zone, 500_000]],
  10: [['delivery_lags', oldIds.job, '2026-01-02T03:00:00Z', 9]],
  14: [['zone_settings', oldIds.zone, 'min_tls_version', '"1.2"', time]],
  15: [
    ['delivery_processes', 'process', 'machine', 'spool', 1],
    ['delivery_leases', oldIds.job, 'spool', 'process', 3],
  ],
  17: [
    ['delivery_starts', oldIds.job, 'spool'],
    ['delivery_gone', 'edge-9.aaaaaaaa', '2026-01-02T03:00:00Z'],
    ['log_writers', 'machine', 'spool', 1],
  ],
  18: [
    [
      'certificates',
      'c',
      oldIds.zone,
      'custom',
      'PEM',
      testCipher.seal('PEM'),
      JSON.stringify({ hosts: ['shop.test'], issuer: 'Test', signature: 'ECDSA', priority: 0 }),
      time,
      time,
      time,
      1,
    ],
  ],
  19: [
    ['acme_accounts', 'https://acme.test/directory', testCipher.seal('PEM')],
    ['acme_names', 'shop.test', oldIds.zone, 0, null, 0, '', 0],
    ['acme_challenges', 'shop.test', 'http-01', sealed, 9_000_000_000_000],
    ['acme_orders', 'order', 1],
  ],
  20: [
    [
      'dns_records',
      oldIds.zone,
      'd',
      'A',
      JSON.stringify({ name: 'shop.test', content: '192.0.2.1', ttl: 1 }),
    ],
  ],
  21: [['custom_pages', null, oldIds.zone, '500_errors', JSON.stringify({ state: 'default', url: null })]],
  22: [
    ['lb_monitors', 'm', oldIds.account, time, JSON.stringify({ id: 'm', accountId: oldIds.account })],
    ['lb_pools', oldIds.pool, oldIds.account, time, JSON.stringify({ id: oldIds.pool, origins: [] })],
    ['load_balancers', 'b', oldIds.zone, time, JSON.stringify({ id: 'b', pools: [oldIds.pool] })],
    ['lb_pool_health', oldIds.pool, 'machine', '[]', 1],
  ],
  23: [['origin_certificates', 'o', oldIds.zone, 'client', 'PEM', testCipher.seal('PEM'), empty, time, time]],
  26: [
    ['kept_resources', null, oldIds.zone, 'k', 'page_rule', time, time, empty],
    ['kept_resources', oldIds.account, null, 'np', 'notification_policy', time, time, keptPolicy],
    ['kept_resources', oldIds.account, null, 'nw', 'notification_webhook', time, time, keptWebhook],
  ],
  27: [
    [
      'access_rules',
      'ar',
      null,
      oldIds.zone,
      1,
      'ip',
      '192.0.2.1',
      '4 c0000201',
      'block',
      '""',
      '',
      time,
      time,
    ],
  ],
  28: [
    [
      'custom_assets',
      null,
      oldIds.zone,
      'page',
      JSON.stringify({ description: '', url: 'http://shop.test' }),
    ],
  ],
  29: [['zone_firewall_rules', 'f', oldIds.zone, 'lockdown', time, JSON.stringify({ id: 'f', urls: [] })]],
  33: [
    ['recovery_codes', oldIds.user, 'hash'],
    ['sessions', 's', 'hash', oldIds.user, 'password', '192.0.2.1', 'curl', time, time, time],
  ],
  34: [
    ['alert_occasions', 'ao', 'np', 'job 7', empty],
    ['notifications', 'n', oldIds.account, time, null, 1, 0, empty],
  ],
  35: [
    ['rollout', 1, 1, JSON.stringify({ state: 'off' })],
    ['rollout_reports', 'e', 0, JSON.stringify({ edge: 'e' })],
  ],
  36: [['sole_work', 'analytics', 'p', 0]],
}

/** Values of columns that a later migration adds must not be given: a row names as many as its table has then. */
async function insert(db: Kysely<Schema>, [table, ...values]: readonly unknown[]): Promise<void> {
  await sql`insert into ${sql.table(table as string)} values (${sql.join(values)})`.execute(db)
}

/** Leaves a database as the program of this schema would have, with a row in each table. */
export async function writeDatabaseOf(schema: number, db: Kysely<Schema>): Promise<void> {
  await sql`create table schema_migrations (
    number integer primary key, name text not null, applied_on text not null)`.execute(db)
  for (const { number, name, up } of migrations.slice(0, schema)) {
    await up(db, testCipher)
    await sql`insert into schema_migrations values (${number}, ${name}, '')`.execute(db)
    for (const row of oldRows[number] ?? []) await insert(db, row)
    if (number === 3) await sql`update tokens set user_id = ${oldIds.user}`.execute(db)
  }
  for (const [name, column, table] of [
    ['change', 'sequence', 'changes'],
    ['job', 'id', 'jobs'],
    ['ruleset', 'position', 'rulesets'],
    ...(schema < 3 ? [] : [['audit', 'position', 'audit_entries']]),
  ] as const)
    await sql`update counters set value = (select max(${sql.ref(column!)}) from ${sql.table(table!)})
      where name = ${name}`.execute(db)
}
