import type { StoredRecord } from '../../bus/port.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { firewallEvents } from '../../model/datasets/firewall-events.ts'
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
    deps.records.append(httpRequestRecord(exchange, plan, texts, endedMs))
    for (const event of firewallEventRecords(exchange, plan, texts))
      deps.records.append(storedEvent(plan, event))
  }
  const { auditLog } = deps
  if (auditLog === undefined) return
  const notable = ledger.notable || (shadow?.outcome !== undefined && shadow.outcome.would !== 'none')
  if (auditLog.mode === 'all' || notable)
    auditLog.write(auditLine(exchange, endedMs, auditLog.mode === 'all'))
}

function storedEvent({ zone }: ZonePlan, fields: LogRecord): string {
  const { id, accountId: account } = zone
  const record: StoredRecord = { zone: id, account, dataset: firewallEvents.name, fields }
  return JSON.stringify(record)
}
