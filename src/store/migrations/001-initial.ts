import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** `bytea` is PostgreSQL's type; SQLite accepts any name and keeps a BLOB as it is. */
const statements: readonly string[] = [
  'create table accounts (id text primary key, name text not null, created_on text not null)',
  'create table users (id text primary key, email text not null unique, key_hash text not null)',
  `create table tokens (
    id text primary key, name text not null, hash text not null unique, created_on text not null)`,
  `create table zones (
    id text primary key,
    account_id text not null references accounts (id),
    name text not null unique,
    origin_url text not null,
    paused integer not null,
    created_on text not null,
    modified_on text not null)`,
  'create index zones_account on zones (account_id)',

  `create table rulesets (
    id text primary key,
    account_id text references accounts (id) on delete cascade,
    zone_id text references zones (id) on delete cascade,
    kind text not null,
    phase text not null,
    version integer not null,
    position bigint not null,
    summary text not null,
    rules text not null,
    check ((account_id is null) <> (zone_id is null)))`,
  'create index rulesets_account on rulesets (account_id, position)',
  'create index rulesets_zone on rulesets (zone_id, position)',
  `create unique index rulesets_account_entry_point on rulesets (account_id, phase)
    where kind in ('root', 'zone')`,
  `create unique index rulesets_zone_entry_point on rulesets (zone_id, phase)
    where kind in ('root', 'zone')`,
  `create table ruleset_versions (
    ruleset_id text not null references rulesets (id) on delete cascade,
    version integer not null,
    summary text not null,
    rules text not null,
    primary key (ruleset_id, version))`,

  `create table jobs (
    id bigint primary key,
    zone_id text not null references zones (id) on delete cascade,
    enabled integer not null,
    settings text not null,
    health text not null)`,
  'create index jobs_zone on jobs (zone_id, id)',
  `create table delivery_cursors (
    job_id bigint not null references jobs (id) on delete cascade,
    partition_name text not null,
    sequence bigint not null,
    primary key (job_id, partition_name))`,
  `create table delivery_batches (
    job_id bigint not null references jobs (id) on delete cascade,
    partition_name text not null,
    first_sequence bigint not null,
    last_sequence bigint not null,
    object_name text not null,
    shape text not null,
    opened_on text not null,
    primary key (job_id, partition_name))`,

  `create table crs_releases (
    version integer primary key,
    crs_version text not null,
    digest text not null unique,
    origin text not null,
    imported_on text not null,
    active integer not null)`,
  `create table crs_files (
    version integer not null references crs_releases (version) on delete cascade,
    position integer not null,
    name text not null,
    content bytea not null,
    primary key (version, position))`,
  `create table crs_managed_rulesets (
    version integer not null references crs_releases (version) on delete cascade,
    position integer not null,
    document text not null,
    primary key (version, position))`,

  'create table installation (name text primary key, value text not null)',
  'create table secrets (name text primary key, value text not null)',

  'create table changes (sequence bigint primary key, kind text not null, resource_id text not null)',
  'create index changes_resource on changes (kind, resource_id, sequence)',
  'create table counters (name text primary key, value bigint not null)',
  `insert into counters (name, value) values ('change', 0), ('job', 0), ('ruleset', 0)`,
]

export async function initial(db: Kysely<Schema>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
