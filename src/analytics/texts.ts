import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { analyticsLimits } from './limits.ts'

/** The compared and counted part of a text: a prefix, when it is very long. */
export function keptText(text: string): string {
  return text.length <= analyticsLimits.textCharactersMax
    ? text
    : text.slice(0, analyticsLimits.textCharactersMax)
}

interface Known {
  readonly id: number
  day: number
}

/**
 * Precedes names of rules, so that no header or path of a client reads like one: they cannot contain this character.
 */
const ruleMark = '\x01'

/** The text of a managed rule: `<id> <ref>`, marked. */
export function ruleName(id: string, ref: string): string {
  return `${ruleMark}${id} ${ref}`
}

/** Id of all texts that are counted together. */
export const otherText = 0

/** A text is stored in its row and in the index, with about this many bytes of overhead. */
const bytesBeside = 32

function bytesOf(text: string): number {
  return 2 * text.length + bytesBeside
}

/** Ids of texts, for the writing thread. */
export class TextWriter {
  readonly #bytesMax: number
  readonly #put: StatementSync
  readonly #find: StatementSync
  readonly #measure: StatementSync
  readonly #known = new Map<string, Known>()
  #bytes: number
  #full = false

  /** @param bytesMax space for texts; when it is used up, new client-chosen texts are counted together */
  constructor(database: DatabaseSync, bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#put = database.prepare(
      `insert into texts (text, day) values (?, ?)
       on conflict (text) do update set day = max(day, excluded.day) returning id, day`,
    )
    this.#find = database.prepare('select 1 from texts where text = ?')
    this.#measure = database.prepare(
      `select coalesce(sum(2 * length(text) + ${bytesBeside}), 0) as bytes from texts`,
    )
    this.#bytes = this.#measured()
  }

  /** Id of a text from a small set. @param day of the record that has it */
  idOf(text: string, day: number): number {
    const kept = keptText(text)
    const known = this.#known.get(kept)
    return known !== undefined && known.day >= day ? known.id : this.#write(kept, day)
  }

  /** Id of a client-chosen text; `otherText` when the space is used up. */
  idOfChosen(text: string, day: number): number {
    const kept = keptText(text)
    const known = this.#known.get(kept)
    if (known !== undefined && known.day >= day) return known.id
    if (known === undefined) {
      if (this.#isFull() && this.#find.get(kept) === undefined) return otherText
      this.#bytes += bytesOf(kept)
    }
    return this.#write(kept, day)
  }

  /** Called after a transaction was rolled back, or texts were removed. */
  forget(): void {
    this.#known.clear()
    this.#bytes = this.#measured()
    this.#full = false
  }

  /** Counts all texts that were not cached, so the first value is too high. */
  #isFull(): boolean {
    if (this.#full || this.#bytes < this.#bytesMax) return this.#full
    this.#bytes = this.#measured()
    // Near the limit, it is not measured again each time.
    this.#full = this.#bytes > 0.9 * this.#bytesMax
    return this.#full
  }

  #write(kept: string, day: number): number {
    const row = this.#put.get(kept, day) as unknown as Known
    if (this.#known.size >= analyticsLimits.textsKnownMax) this.#known.clear()
    this.#known.set(kept, { id: row.id, day: row.day })
    return row.id
  }

  #measured(): number {
    return this.#measure.get()!['bytes'] as number
  }
}

/** Ids of texts and texts of ids, for queries. */
export class TextReader {
  readonly #find: StatementSync
  readonly #get: StatementSync
  readonly #findRules: StatementSync

  constructor(database: DatabaseSync) {
    this.#find = database.prepare('select id from texts where text = ?')
    this.#get = database.prepare('select text from texts where id = ?')
    this.#findRules = database.prepare('select id from texts where text >= ? and text < ? limit 8')
  }

  /** Undefined when no record has the text. */
  find(text: string): number | undefined {
    return this.#find.get(keptText(text))?.['id'] as number | undefined
  }

  get(id: number): string {
    return (this.#get.get(id)?.['text'] as string | undefined) ?? ''
  }

  /** `<id> <ref>` */
  rule(id: number): string {
    return this.get(id).slice(ruleMark.length)
  }

  /** Ids of the rules with an API id: it has several when releases number the rule differently. */
  findRules(ruleId: string): readonly number[] {
    const start = `${ruleMark}${keptText(ruleId)}`
    return this.#findRules.all(`${start} `, `${start}!`).map(({ id }) => id as number)
  }
}
