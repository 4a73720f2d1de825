/** Dataset of samples in the record log. Log push does not offer it: nothing but analytics reads it. */
export const whatIfSamplesDataset = 'what_if_samples'

/** What the managed rules find in one request when every paranoia level is on. Texts are as records have them. */
export interface WhatIfSample {
  /** When the request arrived, ms since the epoch. */
  readonly time: number
  readonly ray: string
  readonly client: string
  /** Lower case; `xx` when unknown. */
  readonly country: string
  readonly host: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Share of requests that was sampled then. */
  readonly rate: number
  /** Requests of the zone that this worker left out since its last sample, for want of processor time or room. */
  readonly leftOut: number
  /** Processor time of the evaluation in microseconds; 0 when the zone's own rules had all levels on anyway. */
  readonly cpuMicros: number
  /** What was done with the request, in lower case; empty when nothing. */
  readonly action: string
  /** Sums of the points of the rules that match, at paranoia levels 1 to 4. */
  readonly scores: readonly [number, number, number, number]
  /** The lowest level at which a rule stops the request whatever the score; 0 when none does. */
  readonly stops: number
  /** The work budget was used up: rules after that were not evaluated. */
  readonly incomplete: boolean
  readonly rules: readonly SampledRule[]
}

/** Id in the API, number in its sources, lowest paranoia level at which it is on, points. */
export type SampledRule = readonly [id: string, ref: string, level: number, score: number]
