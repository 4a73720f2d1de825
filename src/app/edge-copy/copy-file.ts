import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { Cipher } from '../../kit/cipher.ts'
import { ensurePrivateFile } from '../../kit/private-file.ts'
import { edgeCopyLimits } from '../limits.ts'

/** A document of the copy, found by kind and id. `owner`: the account or zone that it belongs to. */
export interface Entry {
  readonly kind: string
  readonly id: string
  readonly owner?: string
  /** Absent: the entry is removed. */
  readonly value?: unknown
}

const format = 2

/**
 * A file of JSON documents, readable by its owner only. Every value is sealed with the key of the database's secrets. A
 * change is written whole or not at all. Every call blocks for the time of its reads or writes.
 */
export class CopyFile {
  readonly #database: DatabaseSync
  readonly #cipher: Cipher

  /** @throws the system's or SQLite's error if the file cannot be used */
  constructor(path: string, cipher: Cipher) {
    this.#cipher = cipher
    ensurePrivateFile(path)
    this.#database = new DatabaseSync(path, { timeout: edgeCopyLimits.blockedMsMax })
    const { bytesMax } = edgeCopyLimits
    // A power loss can undo the last changes, together with the position up to which they were taken.
    this.#database.exec(`pragma journal_mode = wal; pragma synchronous = normal;
      pragma max_page_count = ${Math.floor(bytesMax / 4096)}`)
    if (this.#database.prepare('pragma user_version').get()!['user_version'] !== format)
      this.#database.exec(`begin immediate; drop table if exists entries; drop table if exists earlier;
        create table entries (kind text, id text, owner text, value text not null, primary key (kind, id)) without rowid;
        create index entries_by_owner on entries (kind, owner);
        create table earlier (kind text, id text, owner text, value text not null, primary key (kind, id)) without rowid;
        pragma user_version = ${format}; commit`)
  }

  /** @throws CipherError when the entry was sealed with another key */
  get<T>(kind: string, id: string): T | undefined {
    const row = this.#database.prepare('select value from entries where kind = ? and id = ?').get(kind, id)
    return row && this.#valueOf(row)
  }

  /** In the order of their ids. */
  all<T>(kind: string): T[] {
    return this.#database
      .prepare('select value from entries where kind = ? order by id')
      .all(kind)
      .map(row => this.#valueOf<T>(row))
  }

  /** In the order of their ids. */
  ofOwner<T>(kind: string, owner: string): T[] {
    return this.#database
      .prepare('select value from entries where kind = ? and owner = ? order by id')
      .all(kind, owner)
      .map(row => this.#valueOf<T>(row))
  }

  /** After an id, in the order of ids. */
  page<T>(kind: string, afterId: string, limit: number): T[] {
    return this.#database
      .prepare('select value from entries where kind = ? and id > ? order by id limit ?')
      .all(kind, afterId, limit)
      .map(row => this.#valueOf<T>(row))
  }

  /**
   * One transaction.
   * @param entries in order
   * @param isWhole all other entries are removed
   */
  write(entries: Iterable<Entry>, isWhole: boolean): void {
    const put = this.#database.prepare('insert or replace into entries values (?, ?, ?, ?)')
    const remove = this.#database.prepare('delete from entries where kind = ? and id = ?')
    this.#inTransaction(() => {
      if (isWhole) this.#database.exec('delete from entries')
      for (const { kind, id, owner, value } of entries)
        if (value === undefined) remove.run(kind, id)
        else put.run(kind, id, owner ?? null, this.#cipher.seal(JSON.stringify(value)))
    })
  }

  /**
   * An entry of another file, which another process may be writing. Undefined also if that file has another format.
   * @throws CipherError when the entry was sealed with another key
   */
  getFrom<T>(path: string, kind: string, id: string): T | undefined {
    return this.#beside(path, () => {
      if (this.#database.prepare('pragma beside.user_version').get()!['user_version'] !== format) return
      const row = this.#database
        .prepare('select value from beside.entries where kind = ? and id = ?')
        .get(kind, id)
      return row && this.#valueOf<T>(row)
    })
  }

  /** Replaces all entries, and the earlier ones, by those of another file of the same format. One transaction. */
  replaceBy(path: string): void {
    this.#beside(path, () => this.#replace(['entries', 'beside.entries'], ['earlier', 'beside.earlier']))
  }

  /** Keeps the entries as they are, in place of the ones from the call before. */
  keepEarlier(): void {
    this.#replace(['earlier', 'entries'])
  }

  /** An entry as `keepEarlier` found it. @throws CipherError as `get` */
  getEarlier<T>(kind: string, id: string): T | undefined {
    const row = this.#database.prepare('select value from earlier where kind = ? and id = ?').get(kind, id)
    return row && this.#valueOf(row)
  }

  /** Makes all entries what they were at `keepEarlier`. */
  restoreEarlier(): void {
    this.#replace(['entries', 'earlier'])
  }

  close(): void {
    this.#database.close()
  }

  #beside<T>(path: string, read: () => T): T {
    this.#database.prepare('attach ? as beside').run(path)
    try {
      return read()
    } finally {
      this.#database.exec('detach beside')
    }
  }

  #replace(...tables: readonly (readonly [to: string, from: string])[]): void {
    this.#inTransaction(() => {
      for (const [to, from] of tables)
        this.#database.exec(`delete from main.${to}; insert into main.${to} select * from ${from}`)
    })
  }

  #inTransaction(write: () => void): void {
    this.#database.exec('begin immediate')
    try {
      write()
      this.#database.exec('commit')
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (this.#database.isTransaction) this.#database.exec('rollback')
      throw error
    }
  }

  #valueOf<T>({ value }: Record<string, SQLOutputValue>): T {
    return JSON.parse(this.#cipher.open(value as string)) as T
  }
}
