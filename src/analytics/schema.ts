import type { Dimension } from './types.ts'

/**
 * Of the tables below, of the texts in them and of `blocks`. A file of an older one is begun anew, one of a newer one is
 * refused.
 */
export const schemaVersion = 2

/**
 * Texts are kept once and named by number everywhere else. Rows of one zone lie together in the order of time, so that
 * most questions read one piece of one table.
 *
 * - `texts`: `day` is that of the newest record with the text, so that it can go when those are gone.
 * - `positions`: up to where each partition of the record log was read, and how many records were missed on the way.
 * - `minutes`: requests of a zone and minute; `s0` … `s5` by the first digit of the status.
 * - `actions`: per minute requests that were held up (`kind` 0) and events (1), by action and source.
 * - `zone_hours`: requests of all zones of an account, for its overview.
 * - `values_hours`: events per hour by each dimension; value 0 stands for those that were too many to keep apart.
 * - `rule_hours`: requests per hour by rule, `<id> <ref>` (`idOfRule`): those that it matched, whatever was done to them.
 * - `events`: what events are found by; `rules` are the matched managed rules as `,4,15,`.
 * - `blocks`: the texts of records, some together, compressed; `slot` of an event is its place there.
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

/** Numbers of dimensions in `values_hours`. Texts of `matched_rule` are `<id> <ref>` (`idOfRule`). */
export const dimensionNumbers: { readonly [D in Dimension]: number } = {
  rule: 1,
  path: 2,
  client: 3,
  country: 4,
  user_agent: 5,
  host: 6,
  matched_rule: 7,
}

/** Dimensions whose values clients choose, so that there can be any number of them. */
export const openDimensions: readonly number[] = [
  dimensionNumbers.path,
  dimensionNumbers.client,
  dimensionNumbers.user_agent,
  dimensionNumbers.host,
]

/** SQL of what a row is given to: adds, up to what a number holds exactly. Records may claim anything. */
export function addedUp(column: string): string {
  return `${column} = min(${column} + excluded.${column}, ${Number.MAX_SAFE_INTEGER})`
}

/** `kind` in `actions`. */
export const actionKinds = { mitigated: 0, events: 1 } as const

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
