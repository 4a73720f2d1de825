import type { DatabaseSync } from 'node:sqlite'
import { transact } from '../database.ts'
import { analyticsLimits } from '../limits.ts'
import { dayMs, hourMs, minuteMs, openDimensions } from '../schema.ts'
import type { Kept } from '../types.ts'

/** Tables of hourly counts, their first key and the columns between it and the hour. */
const hourTables = [
  { table: 'zone_hours', key: 'account', between: [''] },
  { table: 'rule_hours', key: 'zone', between: [''] },
  {
    table: 'values_hours',
    key: 'zone',
    between: [1, 2, 3, 4, 5, 6, 7].map(dimension => `and dimension = ${dimension}`),
  },
] as const

/**
 * Removes data that is too old or too large, in small steps so that batches are written in between, and folds past
 * hours.
 */
export class Keeper {
  readonly #database: DatabaseSync
  readonly #kept: Kept
  #nextMs = 0
  /** Counts before this hour, and texts before this day, were removed. */
  #countsFrom = 0
  #textsFrom = 0

  constructor(database: DatabaseSync, kept: Kept) {
    this.#database = database
    this.#kept = kept
  }

  /** Called often; most calls do nothing. @returns whether texts were removed */
  run(nowMs: number): boolean {
    if (nowMs < this.#nextMs) return false
    const more = this.#removeOld(nowMs - this.#kept.ageMs) || this.#removeSurplus()
    if (!more) {
      this.#foldHours(nowMs)
      this.#nextMs = nowMs + analyticsLimits.keepMs
    }
    const removed = this.#removeTexts()
    this.#database.exec(`pragma incremental_vacuum(${analyticsLimits.vacuumPages})`)
    return removed
  }

  /** Bytes in use; freed space in the file is reused. */
  usedBytes(): number {
    const read = (name: string) => this.#database.prepare(`pragma ${name}`).get()![name] as number
    return (read('page_count') - read('freelist_count')) * read('page_size')
  }

  /** @returns whether there may be more to remove */
  #removeOld(oldestMs: number): boolean {
    return transact(this.#database, () => {
      this.#removeCounts(oldestMs)
      return this.#removeEvents(oldestMs)
    })
  }

  /** @returns whether there may be more to remove */
  #removeSurplus(): boolean {
    if (this.usedBytes() <= this.#kept.bytes) return false
    const some = 'select newest as n from blocks order by newest limit 1 offset ?'
    const last =
      this.#oneOf(some, analyticsLimits.blocksRemoved) ?? this.#oneOf('select max(newest) as n from blocks')
    if (last !== undefined) {
      transact(this.#database, () => {
        this.#mark('events_since', last + 1)
        this.#removeEvents(last + 1)
      })
      return true
    }
    const hours = hourTables.map(({ table }) => this.#oneOf(`select min(hour) as n from ${table}`))
    const known = hours.filter(hour => hour !== undefined)
    if (known.length === 0) return false
    const until = Math.min(...known) + analyticsLimits.hoursRemoved
    transact(this.#database, () => this.#removeCounts(until * hourMs))
    return true
  }

  /** @returns whether there are more to remove */
  #removeEvents(oldestMs: number): boolean {
    let more = false
    for (const zone of this.#keysIn('events', 'zone')) {
      const boundary = this.#database
        .prepare('select time, id from events where zone = ? and time < ? order by time, id limit 1 offset ?')
        .get(zone, oldestMs, analyticsLimits.eventsRemoved)
      if (boundary === undefined) {
        this.#database.prepare('delete from events where zone = ? and time < ?').run(zone, oldestMs)
      } else {
        more = true
        this.#database
          .prepare('delete from events where zone = ? and (time, id) < (?, ?)')
          .run(zone, boundary['time']!, boundary['id']!)
      }
    }
    // Remaining blocks are newer, unless there is more to do.
    if (!more) this.#database.prepare('delete from blocks where newest < ?').run(oldestMs)
    return more
  }

  /** Deletes by whole hours. */
  #removeCounts(oldestMs: number): void {
    const hour = Math.floor(oldestMs / hourMs)
    if (hour <= this.#countsFrom) return
    for (const table of ['minutes', 'actions'] as const)
      for (const zone of this.#keysIn(table, 'zone'))
        this.#database
          .prepare(`delete from ${table} where zone = ? and minute < ?`)
          .run(zone, hour * (hourMs / minuteMs))
    for (const { table, key, between } of hourTables)
      for (const value of this.#keysIn(table, key))
        for (const part of between)
          this.#database
            .prepare(`delete from ${table} where ${key} = ? ${part} and hour < ?`)
            .run(value, hour)
    this.#countsFrom = hour
  }

  /** Deletes texts that no stored record uses. */
  #removeTexts(): boolean {
    const day = Math.floor((this.#countsFrom * hourMs) / dayMs)
    if (day <= this.#textsFrom) return false
    this.#textsFrom = day
    return this.#database.prepare('delete from texts where day < ?').run(day).changes !== 0
  }

  /** Reduces past hours to the most frequent values, and the sum of the others. */
  #foldHours(nowMs: number): void {
    const until = Math.floor((nowMs - analyticsLimits.foldAfterMs) / hourMs)
    const folded = this.#oneOf("select value as n from marks where name = 'folded'") ?? 0
    if (folded >= until) return
    const from = folded - analyticsLimits.foldedAgainHours
    transact(this.#database, () => {
      for (const zone of this.#keysIn('values_hours', 'zone'))
        for (const dimension of openDimensions) this.#fold(zone, dimension, from, until)
      this.#mark('folded', until)
    })
  }

  #fold(zone: number, dimension: number, from: number, until: number): void {
    const hours = this.#database
      .prepare(
        `select hour from values_hours where zone = ? and dimension = ? and hour >= ? and hour < ?
         group by hour having count(*) > ?`,
      )
      .all(zone, dimension, from, until, analyticsLimits.valuesPerHour)
    for (const { hour } of hours) this.#foldHour(zone, dimension, hour as number)
  }

  #foldHour(zone: number, dimension: number, hour: number): void {
    const rest = `from values_hours where zone = ? and dimension = ? and hour = ? and value in (
      select value from values_hours where zone = ? and dimension = ? and hour = ? and value <> 0
      order by events desc, value limit -1 offset ?)`
    const key = [zone, dimension, hour]
    const values = [...key, ...key, analyticsLimits.valuesPerHour]
    const sums = this.#database
      .prepare(`select sum(events) as events, sum(mitigated) as mitigated ${rest}`)
      .get(...values)!
    if (sums['events'] === null) return
    this.#database.prepare(`delete ${rest}`).run(...values)
    this.#database
      .prepare(
        `insert into values_hours values (?, ?, ?, 0, ?, ?)
         on conflict do update set events = events + excluded.events, mitigated = mitigated + excluded.mitigated`,
      )
      .run(...key, sums['events']!, sums['mitigated']!)
  }

  #mark(name: string, value: number): void {
    this.#database
      .prepare('insert into marks values (?, ?) on conflict do update set value = excluded.value')
      .run(name, value)
  }

  /** One look-up each: a scan would read the whole table. */
  #keysIn(table: string, column: string): number[] {
    const next = this.#database.prepare(`select min(${column}) as n from ${table} where ${column} > ?`)
    const keys: number[] = []
    for (let key = next.get(0)!['n']; key !== null; key = next.get(key as number)!['n'])
      keys.push(key as number)
    return keys
  }

  #oneOf(sql: string, ...values: number[]): number | undefined {
    return (this.#database.prepare(sql).get(...values)?.['n'] as number | null | undefined) ?? undefined
  }
}
