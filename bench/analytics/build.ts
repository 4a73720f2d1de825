import { renameSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openDatabase, transact } from '../../src/analytics/database.ts'
import { BatchWriter } from '../../src/analytics/ingest/batch-writer.ts'
import { Keeper } from '../../src/analytics/ingest/keeper.ts'
import { dimensionNumbers, hourMs, minuteMs } from '../../src/analytics/schema.ts'
import { eventRecord, happening, requestRecord } from './traffic.ts'

export const daysBuilt = 7
/** The week consists of pieces of whole hours; all but the first are copies. */
const pieces = 42
const pieceMs = (daysBuilt * 24 * hourMs) / pieces

const batchEvents = 4000
/** With a request for every five events. */
const batchRecords = batchEvents + batchEvents / 5

/** Later than any record. */
export const always = { sinceMs: 0, untilMs: Number.POSITIVE_INFINITY }

export const unlimited = { ageMs: 10 * 365 * 24 * hourMs, bytes: 2 ** 40 }

/**
 * Builds a database with this many events in the week from `startMs` on. Records of the first four hours are read from
 * the record log. The other pieces are copied from it inside the database, with half of the clients and paths renamed,
 * so that the number of distinct ones is realistic.
 */
export function build(path: string, events: number, startMs: number): void {
  const unfinished = `${path}.unfinished`
  for (const end of ['', '-wal', '-shm']) rmSync(`${unfinished}${end}`, { force: true })
  const database = openDatabase(unfinished)
  // An unfinished file is deleted, so it needs no journal.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000')
  readPiece(database, Math.ceil(events / pieces), startMs)
  withoutIndexes(database, () => copyPieces(database))
  database.exec('pragma journal_mode = wal')
  database.close()
  renameSync(unfinished, path)
}

function readPiece(database: DatabaseSync, events: number, startMs: number): void {
  const writer = new BatchWriter(database, unlimited)
  const keeper = new Keeper(database, unlimited)
  const tell = progress('events read', events)
  for (let n = 0, last = 0; n < events; n += batchEvents, last += batchRecords) {
    const records = recordsFrom(n, index => startMs + Math.floor((index / events) * pieceMs), events)
    writer.write({ partition: 'bench', after: last, last: last + batchRecords, missing: 0, records }, always)
    tell(Math.min(events, n + batchEvents))
  }
  // Late enough for every hour to be folded.
  keeper.run(startMs + 2 * pieceMs)
}

function recordsFrom(first: number, timeOf: (event: number) => number, end: number): readonly string[] {
  const records: string[] = []
  for (let n = first; n < Math.min(end, first + batchEvents); n++) {
    const what = happening(timeOf(n))
    records.push(eventRecord(what))
    if (n % 10 === 0) records.push(requestRecord(what.zone, what.timeMs, what))
    if (n % 10 === 5) records.push(requestRecord(what.zone, what.timeMs))
  }
  return records
}

/** Indexes are created at the end, which is faster than adding to them. */
function withoutIndexes(database: DatabaseSync, work: () => void): void {
  const indexes = database
    .prepare("select name, sql from sqlite_master where type = 'index' and sql <> ''")
    .all()
  for (const { name } of indexes) database.exec(`drop index ${name}`)
  work()
  const tell = progress('indexes made', indexes.length)
  for (const [at, { sql }] of indexes.entries()) {
    database.exec(sql as string)
    tell(at + 1)
  }
}

function copyPieces(database: DatabaseSync): void {
  const max = (sql: string) => database.prepare(sql).get()!['n'] as number
  const firstOf = {
    texts: max('select max(id) as n from texts'),
    events: max('select max(id) as n from events'),
    blocks: max('select max(id) as n from blocks'),
  }
  const { path, client } = dimensionNumbers
  database.exec(`
    create temp table renamed as select id from texts where id % 2 = 1 and
      id in (select value from values_hours where dimension in (${path}, ${client})
             union select path from events union select client from events);
    create temp table piece as select * from events;
    create temp table piece_values as select * from values_hours`)
  for (const table of ['blocks', 'minutes', 'actions', 'zone_hours', 'rule_hours'])
    database.exec(`create temp table piece_${table} as select * from ${table}`)
  const tell = progress('pieces copied', pieces - 1)
  for (let n = 1; n < pieces; n++) {
    const minutes = (n * pieceMs) / minuteMs
    const hours = (n * pieceMs) / hourMs
    const renamed = (column: string) =>
      `case when ${column} % 2 = 1 then ${column} + ${n * firstOf.texts} else ${column} end`
    transact(database, () =>
      database.exec(`
        insert into texts select id + ${n * firstOf.texts}, text || '~${n}', day
          from texts where id in (select id from renamed);
        insert into blocks select id + ${n * firstOf.blocks}, newest + ${n * pieceMs}, data from piece_blocks;
        insert into events select zone, time + ${n * pieceMs}, id + ${n * firstOf.events}, action, source, rule,
          ${renamed('client')}, country, ${renamed('path')}, method, host, agent, ray / 2 + ${n * 1_000_003}, held, rules,
          block + ${n * firstOf.blocks}, slot from piece;
        insert into values_hours select zone, dimension, hour + ${hours},
          case when dimension in (${path}, ${client}) then ${renamed('value')} else value end, events, mitigated
          from piece_values;
        insert into minutes select zone, minute + ${minutes}, requests, mitigated, bytes, request_bytes,
          s0, s1, s2, s3, s4, s5 from piece_minutes;
        insert into actions select zone, minute + ${minutes}, kind, action, source, count from piece_actions;
        insert into zone_hours select account, hour + ${hours}, zone, requests, mitigated from piece_zone_hours;
        insert into rule_hours select zone, hour + ${hours}, rule, hits, mitigated, passed from piece_rule_hours`),
    )
    tell(n)
  }
}

/** Reports progress, at most every ten seconds. */
function progress(what: string, end: number): (done: number) => void {
  const began = performance.now()
  let toldMs = began
  return done => {
    const now = performance.now()
    if (now - toldMs < 10_000 && done < end) return
    toldMs = now
    process.stderr.write(`${what}: ${done} of ${end}, ${((now - began) / 1000).toFixed(0)} s\n`)
  }
}
