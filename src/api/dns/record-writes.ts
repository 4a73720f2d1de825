import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import type { DnsRecord } from '../../model/dns-record.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { zoneOf } from '../http/context.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { type OriginDeps, originBounds } from '../zones/origin-address.ts'
import { RecordChanges } from './changes.ts'
import type { RecordContext } from './input.ts'
import { dnsRecordToWire } from './wire.ts'

/** The outcome of a change, for the client and for the audit trail. */
export interface Changed<T> {
  readonly result: T
  readonly audit: AuditedChange
}

/** Changes of the records of zones. */
export class RecordWrites {
  readonly #deps: OriginDeps & Pick<ApiDeps, 'store' | 'clock'>
  readonly #queue = new KeyedQueue()

  constructor(deps: OriginDeps & Pick<ApiDeps, 'store' | 'clock'>) {
    this.#deps = deps
  }

  /** Reads the records, changes them and stores the change with its audit entry. */
  write<T>(request: FastifyRequest, change: (changes: RecordChanges) => Changed<T>): Promise<T> {
    const { dnsRecords } = this.#deps.store
    const { id: zoneId } = zoneOf(request)
    return this.#queue.write(zoneId, async () => {
      const before = await dnsRecords.list(zoneId)
      const changes = new RecordChanges(before)
      const { result, audit } = change(changes)
      await dnsRecords.change(zoneId, changes.change, auditEntry(request, audit), { before })
      return result
    })
  }

  /** @param pointer path of the record in the request's body */
  context(request: FastifyRequest, pointer = ''): RecordContext {
    return {
      zone: zoneOf(request),
      bounds: originBounds(this.#deps),
      now: timestampOf(this.#deps.clock.nowMs()),
      pointer,
    }
  }
}

/** The change of one record. */
export function changed(
  action: 'create' | 'update' | 'delete',
  before: DnsRecord | undefined,
  after: DnsRecord | undefined,
): Changed<ReturnType<typeof dnsRecordToWire>> {
  const shown = (record: DnsRecord | undefined) => (record === undefined ? null : dnsRecordToWire(record))
  const record = (after ?? before)!
  return {
    result: dnsRecordToWire(record),
    audit: {
      action,
      resource: { kind: 'dns_record', id: record.id },
      before: shown(before),
      after: shown(after),
    },
  }
}
