import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { splitPartitionName } from '../../model/partition-name.ts'
import { isFull, packBlock } from '../blocks.ts'
import { requireOwnVersion, transact } from '../database.ts'
import { analyticsLimits } from '../limits.ts'
import type { TimeRange } from '../positions.ts'
import { addedUp } from '../schema.ts'
import { TextWriter } from '../texts.ts'
import type { Kept } from '../types.ts'
import { SampleWriter } from '../what-if/writer.ts'
import { type EventSeen, seenIn } from './stored.ts'
import type { SumTable } from './sum-table.ts'
import { Counts, type EventIds, eventIds } from './tally.ts'

/** Consecutive records of one partition. */
export interface Batch {
  readonly partition: string
  /** The partition was read up to here before. */
  readonly after: number
  /** The partition is read up to here now. */
  readonly last: number
  /** Records between the two that no longer exist. */
  readonly missing: number
  readonly records: readonly string[]
}

/** Where a partition is read next, and how many records were lost before. */
export interface Position {
  readonly sequence: number
  readonly missing: number
}

/** Writes a batch and its end position in the log in one transaction. */
export class BatchWriter {
  readonly #database: DatabaseSync
  readonly #texts: TextWriter
  readonly #samples: SampleWriter
  readonly #statements: Statements

  constructor(database: DatabaseSync, kept: Kept) {
    this.#database = database
    this.#texts = new TextWriter(database, kept.bytes / analyticsLimits.textsShare)
    this.#samples = new SampleWriter(database, this.#texts)
    this.#statements = prepare(database)
  }

  position(partition: string): Position {
    const row = this.#statements.position.get(partition)
    return (row as unknown as Position | undefined) ?? { sequence: 0, missing: 0 }
  }

  /**
   * Adopts the position of an earlier version, whose partition names have no epoch: it belongs to the log of that
   * name, unless that log ends before it.
   */
  adopt(partition: string, head: number): void {
    const { name, epoch } = splitPartitionName(partition)
    const { moveOver, forget } = this.#statements
    if (epoch === '') return
    transact(this.#database, () => {
      moveOver.run(partition, name, head, partition)
      forget.run(name)
    })
  }

  /**
   * @param times of records that are kept: older ones would be deleted at once, and ones far in the future never
   * @returns false when another process has read further in the meantime; then nothing was written
   */
  write(batch: Batch, times: TimeRange): boolean {
    try {
      return transact(this.#database, () => this.#write(batch, times))
    } catch (error) {
      this.#texts.forget()
      throw error
    }
  }

  /** Called after texts were removed. */
  forgetTexts(): void {
    this.#texts.forget()
  }

  #write({ partition, after, last, missing, records }: Batch, { sinceMs, untilMs }: TimeRange): boolean {
    requireOwnVersion(this.#database)
    if (this.position(partition).sequence !== after) return false
    const counts = new Counts(this.#texts)
    const events: EventSeen[] = []
    for (const record of records) {
      const seen = seenIn(record)
      if (seen === undefined || seen.timeMs < sinceMs || seen.timeMs >= untilMs) continue
      if (seen.kind === 'event') events.push(seen)
      else if (seen.kind === 'sample') this.#samples.write(seen)
      else counts.addRequest(seen)
    }
    this.#writeEvents(events, counts)
    this.#addRows(counts)
    this.#statements.move.run(partition, last, missing)
    return true
  }

  #writeEvents(events: readonly EventSeen[], counts: Counts): void {
    let id = (this.#statements.lastEvent.get()?.['value'] as number | undefined) ?? 0
    let block: EventSeen[] = []
    let characters = 0
    for (const event of events) {
      block.push(event)
      characters += event.record.length
      if (!isFull(block.length, characters)) continue
      id = this.#writeBlock(block, id, counts)
      block = []
      characters = 0
    }
    if (block.length > 0) id = this.#writeBlock(block, id, counts)
    if (events.length > 0) this.#statements.setLastEvent.run(id)
  }

  #writeBlock(events: readonly EventSeen[], lastId: number, counts: Counts): number {
    const newest = events.reduce((ms, event) => Math.max(ms, event.timeMs), 0)
    const data = packBlock(events.map(event => event.record))
    const block = Number(this.#statements.addBlock.run(newest, data).lastInsertRowid)
    let id = lastId
    for (const [slot, event] of events.entries()) {
      const ids = eventIds(event, this.#texts)
      counts.addEvent(event, ids)
      this.#addEvent(event, ids, ++id, block, slot)
    }
    return id
  }

  #addEvent(event: EventSeen, ids: EventIds, id: number, block: number, slot: number): void {
    this.#statements.addEvent.run(
      ids.zone,
      event.timeMs,
      id,
      ids.action,
      ids.source,
      ids.rule,
      ids.client,
      ids.country,
      ids.path,
      ids.method,
      ids.host,
      ids.agent,
      event.ray,
      event.held ? 1 : 0,
      ids.rules.length === 0 ? '' : `,${ids.rules.join()},`,
      block,
      slot,
    )
  }

  #addRows(counts: Counts): void {
    const { minutes, actions, zoneHours, values, rules } = this.#statements
    runAll(minutes, counts.minutes)
    runAll(actions, counts.actions)
    runAll(zoneHours, counts.zoneHours)
    runAll(values, counts.values)
    runAll(rules, counts.rules)
  }
}

function runAll(statement: StatementSync, table: SumTable): void {
  for (const row of table.rows()) statement.run(...row)
}

type Statements = ReturnType<typeof prepare>

function prepare(database: DatabaseSync) {
  return {
    position: database.prepare('select sequence, missing from positions where partition = ?'),
    move: database.prepare(
      `insert into positions (partition, sequence, missing) values (?, ?, ?)
       on conflict do update set sequence = excluded.sequence, missing = missing + excluded.missing`,
    ),
    moveOver: database.prepare(
      `update positions set partition = ? where partition = ? and sequence <= ?
       and not exists (select 1 from positions where partition = ?)`,
    ),
    forget: database.prepare('delete from positions where partition = ?'),
    lastEvent: database.prepare("select value from marks where name = 'last_event'"),
    setLastEvent: database.prepare(
      `insert into marks (name, value) values ('last_event', ?)
       on conflict do update set value = excluded.value`,
    ),
    addBlock: database.prepare('insert into blocks (newest, data) values (?, ?)'),
    addEvent: database.prepare(`insert into events values (${Array(17).fill('?').join()})`),
    minutes: adding(
      database,
      'minutes',
      ['zone', 'minute'],
      ['requests', 'mitigated', 'bytes', 'request_bytes', 's0', 's1', 's2', 's3', 's4', 's5'],
    ),
    actions: adding(database, 'actions', ['zone', 'minute', 'kind', 'action', 'source'], ['count']),
    zoneHours: adding(database, 'zone_hours', ['account', 'hour', 'zone'], ['requests', 'mitigated']),
    values: adding(database, 'values_hours', ['zone', 'dimension', 'hour', 'value'], ['events', 'mitigated']),
    rules: adding(database, 'rule_hours', ['zone', 'hour', 'rule'], ['hits', 'mitigated', 'passed']),
  }
}

/** Adds counts to the row of a key, or inserts it. */
function adding(
  database: DatabaseSync,
  table: string,
  key: readonly string[],
  counts: readonly string[],
): StatementSync {
  const columns = [...key, ...counts]
  return database.prepare(
    `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})
     on conflict do update set ${counts.map(addedUp).join()}`,
  )
}
