import type { Dimension } from './types.ts'

/**
 * Version of the tables, of their texts and of `blocks`. A file of an older version is rebuilt, one of a newer
 * version is refused.
 */
export const schemaVersion = 2

/**
 * Each text is stored once and referred to by its id. Rows of one zone are adjacent in the order of time, so that
 * most queries read one range of one table.
 *
 * - `texts`: `day` is the day of the newest record with the text, so that it can be deleted when those are gone.
 * - `positions`: up to where each partition of the record log was read, and how many records were missing.
 * - `minutes`: requests of a zone and minute; `s0` … `s5` by the first digit of the status.
 * - `actions`: per minute mitigated requests (`kind` 0) and events (1), by action and source.
 * - `zone_hours`: requests of all zones of an account, for its overview.
 * - `values_hours`: events per hour by each dimension; value 0 stands for values that were too many to count
 *   separately.
 * - `rule_hours`: matched requests per hour by rule, `<id> <ref>` (`ruleName`), regardless of the action.
 * - `events`: the indexed properties of events; `rules` are the matched managed rules as `,4,15,`.
 * - `blocks`: the texts of several records, compressed together; `slot` of an event is its index in the block.
 */
export const schema = `
create table texts (id integer primary key, text text not null unique, day integer not null) strict;

create table positions (
  partition text primary key, sequence integer not null, missing integer not null
) strict, without rowid;

create table marks (name text primary key, value integer not null) strict, without rowid;

create table minutes (
  zone integer not null, minute integer not null,
  requests integer not null, mitigated integer not null, bytes integer not null, request_bytes integer not null,
  s0 integer not null, s1 integer not null, s2 integer not null, s3 integer not null, s4 integer not null,
  s5 integer not null,
  primary key (zone, minute)
) strict, without rowid;

create table actions (
  zone integer not null, minute integer not null, kind integer not null, action integer not null,
  source integer not null, count integer not null,
  primary key (zone, minute, kind, action, source)
) strict, without rowid;

create table zone_hours (
  account integer not null, hour integer not null, zone integer not null,
  requests integer not null, mitigated integer not null,
  primary key (account, hour, zone)
) strict, without rowid;

create table values_hours (
  zone integer not null, dimension integer not null, hour integer not null, value integer not null,
  events integer not null, mitigated integer not null,
  primary key (zone, dimension, hour, value)
) strict, without rowid;

create table rule_hours (
  zone integer not null, hour integer not null, rule integer not null,
  hits integer not null, mitigated integer not null, passed integer not null,
  primary key (zone, hour, rule)
) strict, without rowid;

create table events (
  zone integer not null, time integer not null, id integer not null,
  action integer not null, source integer not null, rule integer not null, client integer not null,
  country integer not null, path integer not null, method integer not null, host integer not null,
  agent integer not null, ray integer not null, held integer not null, rules text not null,
  block integer not null, slot integer not null,
  primary key (zone, time, id)
) strict, without rowid;
create index events_by_client on events (zone, client, time, id);
create index events_by_path on events (zone, path, time, id);
create index events_by_ray on events (zone, ray);

create table blocks (
  id integer primary key, newest integer not null, data blob not null
) strict;
create index blocks_by_newest on blocks (newest);
`

/** Numbers of dimensions in `values_hours`. Texts of `matched_rule` are `<id> <ref>` (`ruleName`). */
export const dimensionNumbers: { readonly [D in Dimension]: number } = {
  rule: 1,
  path: 2,
  client: 3,
  country: 4,
  user_agent: 5,
  host: 6,
  matched_rule: 7,
}

/** Dimensions with client-chosen values, so that there can be any number of them. */
export const openDimensions: readonly number[] = [
  dimensionNumbers.path,
  dimensionNumbers.client,
  dimensionNumbers.user_agent,
  dimensionNumbers.host,
]

/** SQL of an update: adds, bounded to exact numbers. Records may claim any amount. */
export function addedUp(column: string): string {
  return `${column} = min(${column} + excluded.${column}, ${Number.MAX_SAFE_INTEGER})`
}

/** `kind` in `actions`. */
export const actionKinds = { mitigated: 0, events: 1 } as const

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
