import type { Dataset } from '../dataset.ts'
import { auditLogs } from './audit-logs.ts'
import { firewallEvents } from './firewall-events.ts'
import { httpRequests } from './http-requests.ts'

/** The datasets that jobs can push, by name: the edge's datasets, and the audit trail. */
export const datasets: ReadonlyMap<string, Dataset> = new Map(
  [httpRequests, firewallEvents, auditLogs].map(dataset => [dataset.name, dataset]),
)
