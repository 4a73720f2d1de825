import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { TimeRange } from '../positions.ts'
import { minuteMs } from '../schema.ts'
import { TextReader } from '../texts.ts'
import type { Dimension, Grouping } from '../types.ts'

/** An open database with the caches that all queries share. */
export class Reader {
  readonly #database: DatabaseSync
  readonly texts: TextReader
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
    this.texts = new TextReader(database)
  }

  /** @param sql one of few texts: each is prepared once and kept */
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#prepared(sql).all(...values) as unknown as readonly Row[]
  }

  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values) as unknown as Row | undefined
  }

  /** Name of a value: for `matched_rule` its text is `<id> <ref>`. */
  named(value: number, by: Grouping | Dimension): { readonly value: string; readonly ref: string } {
    return by === 'matched_rule'
      ? ruleNamed(this.texts.rule(value))
      : { value: this.texts.get(value), ref: '' }
  }

  /** All reads inside see the same state of the database. */
  atOnce<T>(ask: () => T): T {
    this.#database.exec('begin')
    try {
      return ask()
    } finally {
      this.#database.exec('commit')
    }
  }

  /** Events before this were removed, but not their counts. */
  eventsSinceMs(): number {
    return this.get<{ value: number }>("select value from marks where name = 'events_since'")?.value ?? 0
  }

  /** @param range of whole minutes */
  eventsIn(zone: number, range: TimeRange): number {
    const row = this.get<{ n: number | null }>(
      'select sum(count) as n from actions where zone = ? and minute >= ? and minute < ? and kind = 1',
      zone,
      ...minutesOf(range),
    )
    return row?.n ?? 0
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** SQL: the sum of a column under its name, 0 without rows, bounded to exact numbers. Records may claim any amount. */
export function sumOf(column: string): string {
  return `min(total(${column}), ${Number.MAX_SAFE_INTEGER}) as ${column}`
}

/** First minute of the range, and the minute after its last. */
export function minutesOf({ sinceMs, untilMs }: TimeRange): [first: number, end: number] {
  return [Math.floor(sinceMs / minuteMs), Math.ceil(untilMs / minuteMs)]
}

/** The range extended to whole steps. */
export function wholeSteps({ sinceMs, untilMs }: TimeRange, stepMs: number): TimeRange {
  return { sinceMs: Math.floor(sinceMs / stepMs) * stepMs, untilMs: Math.ceil(untilMs / stepMs) * stepMs }
}

/** The ref of `<id> <ref>`. */
export function ruleNamed(text: string): { readonly value: string; readonly ref: string } {
  const [value = '', ref = ''] = text.split(' ', 2)
  return { value, ref }
}
