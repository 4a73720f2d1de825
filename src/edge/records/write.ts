import type { StoredRecord } from '../../bus/port.ts'
import type { Dataset, LogRecord } from '../../model/dataset.ts'
import { firewallEvents } from '../../model/datasets/firewall-events.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { EdgeCore } from '../core.ts'
import type { Exchange } from '../exchange.ts'
import { auditLine } from './audit.ts'
import { firewallEventRecords } from './firewall-events.ts'
import { httpRequestRecord } from './http-request.ts'

/**
 * Writes what is kept of a request that has ended. Requests that belong to no zone are in the audit log only.
 * @param endedMs when it did
 */
export function writeRecords({ deps }: EdgeCore, exchange: Exchange, endedMs: number): void {
  const { plan, ledger, shadow } = exchange
  if (plan !== undefined) {
    const write = (dataset: Dataset, fields: LogRecord): void => {
      const record: StoredRecord = { zone: plan.zone.id, dataset: dataset.name, fields }
      deps.records.append(JSON.stringify(record))
    }
    write(httpRequests, httpRequestRecord(exchange, plan, endedMs))
    for (const event of firewallEventRecords(exchange, plan)) write(firewallEvents, event)
  }
  const { auditLog } = deps
  if (auditLog === undefined) return
  const notable = ledger.notable || (shadow?.outcome !== undefined && shadow.outcome.would !== 'none')
  if (auditLog.mode === 'all' || notable)
    auditLog.write(auditLine(exchange, endedMs, auditLog.mode === 'all'))
}
