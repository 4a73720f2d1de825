import { newId } from '../../kit/ids.ts'
import { areExclusive, type DnsRecord } from '../../model/dns-record.ts'
import { refusal } from '../http/errors.ts'
import { patched, type RecordContext, type RecordInput, type RecordPatch, recordFrom } from './input.ts'
import { dnsLimits } from './limits.ts'
import { RecordIndex } from './record-index.ts'

/**
 * The records of a zone while a request changes them. Every change is checked against the records as the changes before
 * it left them; nothing is stored until all of them were accepted.
 */
export class RecordChanges {
  readonly #records: Map<string, DnsRecord>
  readonly #index = new RecordIndex()
  readonly #stored = new Map<string, DnsRecord>()
  readonly #deleted = new Set<string>()

  constructor(records: readonly DnsRecord[]) {
    this.#records = new Map(records.map(record => [record.id, record]))
    for (const record of records) this.#index.add(record)
  }

  /** For the store. */
  get change(): { readonly deleted: readonly string[]; readonly stored: readonly DnsRecord[] } {
    return { deleted: [...this.#deleted], stored: [...this.#stored.values()] }
  }

  find(id: string): DnsRecord | undefined {
    return this.#records.get(id)
  }

  /** @throws ApiError 404 */
  get(id: string, pointer?: string): DnsRecord {
    const record = this.#records.get(id)
    if (record === undefined) throw refusal('dnsRecordNotFound', { id: id.slice(0, 32) }, pointer)
    return record
  }

  add(input: RecordInput, context: RecordContext): DnsRecord {
    this.#refuseFull()
    return this.#put(recordFrom(input, context, newId(), undefined), context)
  }

  /** @returns whether the record was added; false when an identical one exists */
  addNew(input: RecordInput, context: RecordContext): boolean {
    const record = recordFrom(input, context, newId(), undefined)
    if (this.#index.hasSame(record)) return false
    this.#refuseFull()
    this.#put(record, context)
    return true
  }

  /** Members that the input leaves out have their defaults. */
  replace(id: string, input: RecordInput, context: RecordContext): DnsRecord {
    const former = this.get(id, context.pointer)
    return this.#put(recordFrom(input, context, id, former), context)
  }

  /** Members that the patch leaves out stay. */
  patch(id: string, patch: RecordPatch, context: RecordContext): DnsRecord {
    const former = this.get(id, context.pointer)
    return this.#put(recordFrom(patched(former, patch), context, id, former), context)
  }

  delete(id: string, pointer?: string): DnsRecord {
    const record = this.get(id, pointer)
    this.#records.delete(id)
    this.#index.delete(record)
    this.#stored.delete(id)
    this.#deleted.add(id)
    return record
  }

  #refuseFull(): void {
    const { recordsPerZoneMax } = dnsLimits
    if (this.#records.size >= recordsPerZoneMax)
      throw refusal('dnsTooManyRecords', { limit: String(recordsPerZoneMax) })
  }

  /** A refusal ends all changes, so it may leave the index without the former record. */
  #put(record: DnsRecord, { pointer }: RecordContext): DnsRecord {
    const former = this.#records.get(record.id)
    if (former === record) return record
    if (former !== undefined) this.#index.delete(former)
    if (this.#index.hasSame(record))
      throw refusal('dnsRecordExists', {}, pointer === '' ? undefined : pointer)
    for (const type of this.#index.typesOf(record.name)) {
      if (!areExclusive(record.type, type)) continue
      throw refusal('dnsHostTaken', { type: record.type, other: type, name: record.name }, `${pointer}/name`)
    }
    this.#records.set(record.id, record)
    this.#index.add(record)
    this.#stored.set(record.id, record)
    return record
  }
}
