import type { Dataset } from '../dataset.ts'
import { firewallEvents } from './firewall-events.ts'
import { httpRequests } from './http-requests.ts'

/** The datasets that the edge writes and that jobs can push, by name. */
export const datasets: ReadonlyMap<string, Dataset> = new Map(
  [httpRequests, firewallEvents].map(dataset => [dataset.name, dataset]),
)
