import { newId } from '../../kit/ids.ts'
import type { DnsRecord, DnsRecordType } from '../../model/dns-record.ts'
import { refusal } from '../http/errors.ts'
import { patched, type RecordContext, type RecordInput, type RecordPatch, recordFrom } from './input.ts'
import { dnsLimits } from './limits.ts'

/**
 * The records of a zone while a request changes them. Every change is checked against the records as the changes before
 * it left them; nothing is stored until all of them were accepted.
 */
export class RecordChanges {
  readonly #records: Map<string, DnsRecord>
  /** Ids by name. */
  readonly #byName = new Map<string, Set<string>>()
  readonly #stored = new Map<string, DnsRecord>()
  readonly #deleted = new Set<string>()

  constructor(records: readonly DnsRecord[]) {
    this.#records = new Map(records.map(record => [record.id, record]))
    for (const record of records) this.#index(record)
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
    const { recordsPerZoneMax } = dnsLimits
    if (this.#records.size >= recordsPerZoneMax)
      throw refusal('dnsTooManyRecords', { limit: String(recordsPerZoneMax) })
    return this.#put(recordFrom(input, context, newId(), undefined), context)
  }

  /** @returns whether the record was added; false when an identical one exists */
  addNew(input: RecordInput, context: RecordContext): boolean {
    const record = recordFrom(input, context, newId(), undefined)
    if (this.#ofName(record.name).some(other => isSame(other, record))) return false
    this.add(input, context)
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
    this.#byName.get(record.name)?.delete(id)
    this.#stored.delete(id)
    this.#deleted.add(id)
    return record
  }

  #put(record: DnsRecord, { pointer }: RecordContext): DnsRecord {
    const others = this.#ofName(record.name).filter(other => other.id !== record.id)
    if (others.some(other => isSame(other, record)))
      throw refusal('dnsRecordExists', {}, pointer === '' ? undefined : pointer)
    for (const { type } of others) {
      if (!excludes(record.type, type) && !excludes(type, record.type)) continue
      throw refusal('dnsHostTaken', { type: record.type, other: type, name: record.name }, `${pointer}/name`)
    }
    const former = this.#records.get(record.id)
    if (former === record) return record
    if (former !== undefined) this.#byName.get(former.name)?.delete(former.id)
    this.#records.set(record.id, record)
    this.#index(record)
    this.#stored.set(record.id, record)
    return record
  }

  #ofName(name: string): readonly DnsRecord[] {
    return [...(this.#byName.get(name) ?? [])].map(id => this.#records.get(id)!)
  }

  #index({ id, name }: DnsRecord): void {
    const ids = this.#byName.get(name) ?? new Set()
    this.#byName.set(name, ids.add(id))
  }
}

/** @source Cloudflare API: CNAME is alone beside A and AAAA, NS beside everything */
function excludes(type: DnsRecordType, other: DnsRecordType): boolean {
  if (type === 'CNAME') return other === 'A' || other === 'AAAA' || other === 'CNAME'
  return type === 'NS' && other !== 'NS'
}

function isSame(
  a: Pick<DnsRecord, 'type' | 'content' | 'priority'>,
  b: Pick<DnsRecord, 'type' | 'content' | 'priority'>,
): boolean {
  return a.type === b.type && a.content === b.content && a.priority === b.priority
}
