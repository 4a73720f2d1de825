import type { DnsRecord, DnsRecordType } from '../../model/dns-record.ts'

/** Identities and types of the records of a zone. A check costs the same for any number of records of one name. */
export class RecordIndex {
  readonly #identities = new Set<string>()
  /** Numbers of records by type, by name. */
  readonly #types = new Map<string, Map<DnsRecordType, number>>()

  add(record: DnsRecord): void {
    this.#identities.add(identityOf(record))
    this.#count(record, 1)
  }

  delete(record: DnsRecord): void {
    this.#identities.delete(identityOf(record))
    this.#count(record, -1)
  }

  /** Whether there is a record with its name, type, content and priority. */
  hasSame(record: DnsRecord): boolean {
    return this.#identities.has(identityOf(record))
  }

  typesOf(name: string): Iterable<DnsRecordType> {
    return this.#types.get(name)?.keys() ?? []
  }

  #count({ name, type }: DnsRecord, change: number): void {
    const types = this.#types.get(name) ?? new Map<DnsRecordType, number>()
    const count = (types.get(type) ?? 0) + change
    if (count === 0) types.delete(type)
    else types.set(type, count)
    if (types.size === 0) this.#types.delete(name)
    else this.#types.set(name, types)
  }
}

function identityOf({ name, type, priority, content }: DnsRecord): string {
  return `${name} ${type} ${priority ?? ''} ${content}`
}
