import { Histogram } from './histogram.ts'
import { ZoneTraffic } from './zone-traffic.ts'

/** How long requests took, in seconds, and how much each zone had. */
export interface EdgeMeasures {
  /** From the request line to the end of the response; upgraded connections are left out. */
  readonly requestSeconds: Histogram
  /** Time in which the WAF engine ran for a request that managed rules inspected; waiting is left out. */
  readonly wafSeconds: Histogram
  /** From the first byte sent to the origin to the end of its response. */
  readonly originSeconds: Histogram
  /** Share of the work budget that the costliest run of managed rules used. */
  readonly wafWorkShare: Histogram
  readonly zones: ZoneTraffic
}

// Times of requests are whole milliseconds.
const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const wafBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5]
const shareBounds = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1]

export function noMeasures(): EdgeMeasures {
  return {
    requestSeconds: new Histogram(requestBounds),
    wafSeconds: new Histogram(wafBounds),
    originSeconds: new Histogram(requestBounds),
    wafWorkShare: new Histogram(shareBounds),
    zones: new ZoneTraffic(),
  }
}
