import { analyticsLimits } from '../limits.ts'
import type { RecordStore } from '../records/port.ts'
import { sql, trusted } from '../records/sql.ts'
import { tables } from '../records/tables.ts'
import type { Kept } from '../types.ts'

/** Removes rows that are too old or too many. */
export class Keeper {
  readonly #store: RecordStore
  readonly #kept: Kept
  #nextMs = 0
  #bytes = 0

  constructor(store: RecordStore, kept: Kept) {
    this.#store = store
    this.#kept = kept
  }

  /** Called often. @param grew whether rows were added since the last call; @returns bytes in use */
  async run(nowMs: number, grew: boolean): Promise<number> {
    const isTime = nowMs >= this.#nextMs
    if (grew || isTime) this.#bytes = await this.#store.usedBytes()
    const isFull = this.#bytes > this.#kept.bytes
    if (!isTime && !(grew && isFull)) return this.#bytes
    await this.#store.expire(nowMs - this.#kept.ageMs)
    if (isFull) await this.#removeSurplus()
    this.#nextMs = nowMs + analyticsLimits.keepMs
    this.#bytes = await this.#store.usedBytes()
    return this.#bytes
  }

  /** Removes the oldest rows. Engines free the space of many rows at once, so it may take several calls. */
  async #removeSurplus(): Promise<void> {
    const { since, until } = await this.#times()
    if (since === null || until === null) return
    await this.#store.removeBefore(since + Math.max(1, (until - since) * analyticsLimits.surplusRemoved))
  }

  /** Times of the oldest and of the newest row. */
  async #times(): Promise<{ readonly since: number | null; readonly until: number | null }> {
    const all = Object.keys(tables)
      .map(table => `select time from ${table}`)
      .join(' union all ')
    const [row] = await this.#store.rows<{ since: number | null; until: number | null }>(
      sql`select toUnixTimestamp64Milli(min(time)) as since, toUnixTimestamp64Milli(max(time)) as until
        from (${trusted(all)}) as times having count(*) > 0`,
    )
    return row ?? { since: null, until: null }
  }
}
