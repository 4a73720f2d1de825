import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { analyticsLimits } from '../kit/limits.ts'

/** What is compared and counted of a text: its beginning, when it is very long. */
export function keptText(text: string): string {
  return text.length <= analyticsLimits.textCharactersMax
    ? text
    : text.slice(0, analyticsLimits.textCharactersMax)
}

interface Known {
  readonly id: number
  day: number
}

/** Before names of rules, so that no header or path of a client reads like one: they have no such character. */
const ruleMark = '\x01'

/** Number of all texts that are not told apart. */
export const otherText = 0

/** A text is there twice, in its row and in the index, and takes about so many bytes beside. */
const bytesBeside = 32

function bytesOf(text: string): number {
  return 2 * text.length + bytesBeside
}

/** Numbers of texts, for the thread that writes. */
export class TextWriter {
  readonly #bytesMax: number
  readonly #put: StatementSync
  readonly #find: StatementSync
  readonly #measure: StatementSync
  readonly #known = new Map<string, Known>()
  #bytes: number
  #full = false

  /** @param bytesMax room for texts; when it is used up, new ones that clients choose are not told apart */
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

  /** Of a text of which there are few. @param day of the record that has it */
  idOf(text: string, day: number): number {
    const kept = keptText(text)
    const known = this.#known.get(kept)
    return known !== undefined && known.day >= day ? known.id : this.#write(kept, day)
  }

  /** Of a managed rule, `<id> <ref>`. */
  idOfRule(name: string, day: number): number {
    return this.idOf(ruleMark + name, day)
  }

  /** Of a text that a client chose; `otherText` when there is no room for it. */
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

  /** After a transaction that came to nothing, or texts that were removed. */
  forget(): void {
    this.#known.clear()
    this.#bytes = this.#measured()
    this.#full = false
  }

  /** The count is of all texts that were not remembered, so that it is at first too high. */
  #isFull(): boolean {
    if (this.#full || this.#bytes < this.#bytesMax) return this.#full
    this.#bytes = this.#measured()
    // Not measured again and again when it is nearly so.
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

/** Numbers of texts and texts of numbers, for those who ask. */
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

  /** Numbers of the rules with an id: one has several when releases number it differently. */
  findRules(ruleId: string): readonly number[] {
    const start = `${ruleMark}${keptText(ruleId)}`
    return this.#findRules.all(`${start} `, `${start}!`).map(({ id }) => id as number)
  }
}
