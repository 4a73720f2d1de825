import type { StoredRecord } from '../../bus/port.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { EdgeCore } from '../core.ts'
import type { Exchange } from '../exchange.ts'
import { auditLine } from './audit.ts'
import { httpRequestRecord } from './http-request.ts'

/** Writes what is kept of a request that has ended. Requests that belong to no zone are in the audit log only. */
export function writeRecords({ deps }: EdgeCore, exchange: Exchange): void {
  const endedMs = deps.clock.nowMs()
  const { plan } = exchange
  if (plan !== undefined) {
    const fields = httpRequestRecord(exchange, plan, endedMs)
    const record: StoredRecord = { zone: plan.zone.id, dataset: httpRequests.name, fields }
    deps.records.append(JSON.stringify(record))
  }
  const { auditLog } = deps
  if (auditLog !== undefined && (auditLog.mode === 'all' || exchange.ledger.notable))
    auditLog.write(auditLine(exchange, endedMs, auditLog.mode === 'all'))
}
