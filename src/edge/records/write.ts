import type { ShadowFinding } from '../exchange/background-port.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { auditRecord } from './audit.ts'
import { firewallEventRecords } from './firewall-events.ts'
import { httpRequestRecord } from './http-request.ts'
import { modsecurityLines } from './modsecurity-lines.ts'
import { type RecordTexts, recordTexts } from './request-texts.ts'

/**
 * Writes the record of a request without its secrets. A request that belongs to no zone has none.
 * @param endedMs time at which the response was complete
 * @returns the texts of the request, for `writeEvents`
 */
export function writeRequest(
  { deps }: EdgeCore,
  exchange: Exchange,
  endedMs: number,
): RecordTexts | undefined {
  const { facts, decisions } = exchange
  const { plan, request } = facts
  if (plan === undefined) return undefined
  const texts = recordTexts(request, decisions.inspections, plan.redaction)
  deps.records.append(httpRequestRecord(exchange, plan, texts, endedMs))
  return texts
}

/**
 * Writes the events of a request, and its line of the audit log.
 * @param texts from `writeRequest`, unless it failed
 */
export function writeEvents(
  { deps }: EdgeCore,
  exchange: Exchange,
  endedMs: number,
  texts: RecordTexts | undefined,
  shadow: ShadowFinding | undefined,
): void {
  const { facts, decisions } = exchange
  const { plan } = facts
  if (plan !== undefined && (decisions.entries.length > 0 || shadow !== undefined)) {
    const known = texts ?? recordTexts(facts.request, decisions.inspections, plan.redaction)
    for (const event of firewallEventRecords(exchange, plan, known, shadow)) deps.records.append(event)
  }
  const { auditLog } = deps
  if (auditLog === undefined) return
  const notable = decisions.notable || (shadow !== undefined && shadow.outcome.would !== 'none')
  if (auditLog.mode === 'matched' && !notable) return
  const record = auditRecord(exchange, endedMs, auditLog.mode === 'all', shadow)
  const lines = auditLog.format === 'json' ? JSON.stringify(record) : modsecurityLines(record)
  if (lines !== '') auditLog.write(lines)
}
