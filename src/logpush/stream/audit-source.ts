import type { SequencedRecord, StoredRecord } from '../../bus/port.ts'
import { timestampOf } from '../../kit/clock.ts'
import { nanosecondsOf } from '../../logfilter/nanoseconds.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { auditLogs } from '../../model/datasets/audit-logs.ts'
import type { AuditEntry, Json } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { logpushLimits } from '../limits.ts'
import type { RecordSource } from './source.ts'

/** Its only partition. */
export const auditPartition = 'audit'

/**
 * The audit trail, read like one more partition of the record log. Sequences are positions of the trail, which are as
 * permanent as those of records. Deleted entries are skipped.
 */
export function auditSource({ audit }: Pick<Store, 'audit'>): RecordSource {
  return {
    partitions: async () => [auditPartition],
    head: () => audit.head(),
    at: (_partition, ms) => audit.at(timestampOf(ms)),
    async read(_partition, afterSequence, limits) {
      const entriesMax = Math.max(1, Math.min(limits.records, logpushLimits.auditEntriesRead))
      const records: SequencedRecord[] = []
      let bytes = 0
      for (const { position, entry } of await audit.after(afterSequence, entriesMax)) {
        const record = auditRecord(entry)
        bytes += Buffer.byteLength(record)
        if (records.length > 0 && bytes > limits.bytes) break
        records.push({ sequence: position, receivedMs: Date.parse(entry.at), record })
      }
      return records
    },
  }
}

/** The text of a record of the dataset audit_logs. */
export function auditRecord(entry: AuditEntry): string {
  const { zoneId: zone = '', accountId: account } = entry
  const record: StoredRecord = { zone, account, dataset: auditLogs.name, fields: fieldsOf(entry) }
  return JSON.stringify(record)
}

function fieldsOf(entry: AuditEntry): LogRecord {
  const { actor, zoneId } = entry
  return {
    ActionResult: true,
    ActionType: entry.action,
    ActorEmail: actor.email ?? '',
    ActorID: actor.id,
    ActorIP: actor.ip,
    // In the form of the API's audit trail.
    ActorType: actor.kind === 'system' ? 'Cloudflare' : 'user',
    ID: entry.id,
    Interface: 'API',
    Metadata: {
      method: entry.method,
      path: entry.path,
      ...(actor.kind === 'token' ? { token_id: actor.id } : {}),
      ...(zoneId === undefined ? {} : { zone_id: zoneId }),
    },
    NewValue: asObject(entry.after),
    OldValue: asObject(entry.before),
    OwnerID: entry.accountId,
    ResourceID: entry.resource.id,
    ResourceType: entry.resource.kind,
    When: String(nanosecondsOf(entry.at) ?? 0n),
  }
}

/** The field's type is object, for every kind of resource. */
function asObject(value: Json): object {
  if (value === null) return {}
  return typeof value === 'object' && !Array.isArray(value) ? value : { value }
}
