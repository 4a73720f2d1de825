import type { StoredRecord } from '../../bus/port.ts'
import type { Dataset, LogRecord } from '../../model/dataset.ts'
import { firewallEvents } from '../../model/datasets/firewall-events.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { ZonePlan } from '../../rulesets/plan.ts'
import type { EdgeCore } from '../core.ts'
import type { Exchange } from '../exchange.ts'
import { auditLine } from './audit.ts'
import { firewallEventRecords } from './firewall-events.ts'
import { httpRequestRecord } from './http-request.ts'
import { requestTexts } from './request-texts.ts'

/**
 * Writes what is kept of a request that has ended, without what is secret in it. Requests that belong to no zone are in
 * the audit log only.
 * @param endedMs when it did
 */
export function writeRecords({ deps }: EdgeCore, exchange: Exchange, endedMs: number): void {
  const { plan, ledger, shadow } = exchange
  if (plan !== undefined) {
    const texts = requestTexts(exchange.request, plan.redaction)
    deps.records.append(stored(plan, httpRequests, httpRequestRecord(exchange, plan, texts, endedMs)))
    for (const event of firewallEventRecords(exchange, plan, texts))
      deps.records.append(stored(plan, firewallEvents, event))
  }
  const { auditLog } = deps
  if (auditLog === undefined) return
  const notable = ledger.notable || (shadow?.outcome !== undefined && shadow.outcome.would !== 'none')
  if (auditLog.mode === 'all' || notable)
    auditLog.write(auditLine(exchange, endedMs, auditLog.mode === 'all'))
}

function stored({ zone }: ZonePlan, dataset: Dataset, fields: LogRecord): string {
  const record: StoredRecord = { zone: zone.id, account: zone.accountId, dataset: dataset.name, fields }
  return JSON.stringify(record)
}
