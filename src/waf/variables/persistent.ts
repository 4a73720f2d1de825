import { transactionLimits } from '../limits.ts'
import { flatCopy } from '../transformations/scratch.ts'
import { PersistentVariables } from './persistent-variables.ts'

/** Collections that outlive a request; `initcol` opens a record of one. */
export const persistentCollections = ['GLOBAL', 'IP', 'RESOURCE', 'SESSION', 'USER'] as const

/** One record, for example of one client. Shared by all requests that open it. */
export class PersistentRecord {
  readonly variables = new PersistentVariables()
  readonly #expiries = new Map<string, number>()
  /** The whole record is forgotten at this time, ms since the epoch. */
  expiresMs = Number.POSITIVE_INFINITY

  /** Removes `name` at `atMs`. */
  expireAt(name: string, atMs: number): void {
    this.#expiries.set(name, atMs)
  }

  /** Removes expired variables. */
  purge(nowMs: number): void {
    for (const [name, atMs] of this.#expiries) {
      if (atMs > nowMs) continue
      this.variables.delete(name)
      this.#expiries.delete(name)
    }
  }

  copy(): PersistentRecord {
    const copy = new PersistentRecord()
    for (const { key, value, folded } of this.variables.all()) copy.variables.set(key, value, folded)
    for (const [name, atMs] of this.#expiries) copy.expireAt(name, atMs)
    copy.expiresMs = this.expiresMs
    return copy
  }
}

/** The source of records for requests. */
export interface PersistentRecords {
  /** The record of that name (the first bytes of a long one), a new one if there is none or it has expired. */
  open(collection: string, name: string, nowMs: number): PersistentRecord
}

/**
 * The records of one program, in memory, by collection and key. Of each collection the least recently used are dropped
 * first.
 */
export class PersistentStore implements PersistentRecords {
  readonly #collections = new Map<string, Map<string, PersistentRecord>>()

  open(collection: string, name: string, nowMs: number): PersistentRecord {
    const key = keyOf(name)
    let records = this.#collections.get(collection)
    if (records === undefined) {
      records = new Map()
      this.#collections.set(collection, records)
    }
    let record = records.get(key)
    if (record === undefined || record.expiresMs <= nowMs) record = new PersistentRecord()
    records.delete(key)
    records.set(key, record)
    if (records.size > transactionLimits.persistentRecordsMax) records.delete(records.keys().next().value!)
    record.purge(nowMs)
    return record
  }

  /** Copies of the records, each in its state when it is opened. Writes stay in the copies. */
  copies(): PersistentRecords {
    return {
      open: (collection, name, nowMs) => {
        const record = this.#collections.get(collection)?.get(keyOf(name))
        if (record === undefined || record.expiresMs <= nowMs) return new PersistentRecord()
        const copy = record.copy()
        copy.purge(nowMs)
        return copy
      },
    }
  }
}

function keyOf(name: string): string {
  return flatCopy(name.slice(0, transactionLimits.persistentKeyBytesMax))
}
