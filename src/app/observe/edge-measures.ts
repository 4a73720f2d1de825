import { Counter, Gauge } from 'prom-client'
import type { Edge, EdgeLoad, EdgeMeasures } from '../../edge/index.ts'
import { ReadHistogram } from './read-histogram.ts'

const histograms: readonly (readonly [
  name: string,
  help: string,
  key: Exclude<keyof EdgeMeasures, 'zones'>,
])[] = [
  [
    'sluice_edge_request_duration_seconds',
    'Time from a request to the end of its response; upgraded connections are left out',
    'requestSeconds',
  ],
  [
    'sluice_waf_duration_seconds',
    'Time in which the WAF engine ran for a request that managed rules inspected',
    'wafSeconds',
  ],
  [
    'sluice_edge_origin_duration_seconds',
    'Time from a request to an origin to the end of its response',
    'originSeconds',
  ],
  [
    'sluice_waf_work_ratio',
    'Share of the work budget that the managed rules used for a request',
    'wafWorkShare',
  ],
]

const gauges: readonly (readonly [name: string, help: string, key: keyof EdgeLoad])[] = [
  ['sluice_edge_active_requests_limit', 'Requests in flight that are accepted', 'activeMax'],
  ['sluice_edge_body_bytes', 'Request bodies in memory', 'bodyBytes'],
  ['sluice_edge_body_bytes_limit', 'Memory for request bodies', 'bodyBytesMax'],
  [
    'sluice_edge_origin_waiting_requests',
    'Requests that wait for a connection to their origin',
    'originWaiting',
  ],
]

/**
 * Exports an edge's durations, its load and the requests of its busiest zones, read at each scrape.
 * @param thread of the edge. Its zones are not added up with those of other threads: the sum would fall when one of them
 *   stops to name a zone
 */
export function exposeMeasures({ measures, load }: Pick<Edge, 'measures' | 'load'>, thread: string): void {
  for (const [name, help, key] of histograms) new ReadHistogram(name, help, () => measures[key])
  for (const [name, help, key] of gauges)
    new Gauge({
      name,
      help,
      collect() {
        this.set(load()[key])
      },
    })
  new Counter({
    name: 'sluice_zone_requests_total',
    help: 'Requests by zone, class of the status and action; zones beyond the busiest are `other`',
    labelNames: ['zone', 'status', 'action', 'thread'],
    collect() {
      this.reset()
      for (const { requests, ...labels } of measures.zones.entries())
        this.inc({ ...labels, thread }, requests)
    },
  })
}
