/** Dataset of samples in the record log. Only analytics reads it; Logpush does not offer it. */
export const whatIfSamplesDataset = 'what_if_samples'

/** The findings of the managed rules in one request with every paranoia level on. Texts are as in records. */
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
  /** Requests of the zone that this worker left out since its last sample, for lack of processor time or memory. */
  readonly leftOut: number
  /** Processor time of the evaluation in microseconds; 0 when the zone's own rules had all levels on anyway. */
  readonly cpuMicros: number
  /** The action on the request, in lower case; empty if there was none. */
  readonly action: string
  /** Sums of the points of the rules that match, at paranoia levels 1 to 4. */
  readonly scores: readonly [number, number, number, number]
  /** The lowest level at which a rule stops the request regardless of the score; 0 if none does. */
  readonly stops: number
  /** The work budget was used up: rules after that were not evaluated. */
  readonly incomplete: boolean
  readonly rules: readonly SampledRule[]
}

/** Id in the API, number in its sources, lowest paranoia level at which it is on, points. */
export type SampledRule = readonly [id: string, ref: string, level: number, score: number]
