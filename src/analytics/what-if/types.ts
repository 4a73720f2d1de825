import type { WhatIfSample } from '../../model/what-if-sample.ts'
import type { TimeRange } from '../positions.ts'

export interface MatrixQuery {
  readonly range: TimeRange
  /** Scores at or above which a request is mitigated. */
  readonly thresholds: readonly number[]
}

/** Totals over all samples of a range. */
export interface SampleTotals {
  /** The answered range: whole minutes, limited to the time with samples. */
  readonly range: TimeRange
  readonly samples: number
  /** Requests of the zone in the range, sampled or not. */
  readonly requests: number
  /** Samples that needed a separate evaluation; the others were derived from the zone's own run. */
  readonly evaluated: number
  /** Processor time of these evaluations. */
  readonly cpuMs: number
  /** Selected requests that were not evaluated. */
  readonly leftOut: number
  /** Samples whose rules were not completely evaluated. */
  readonly incomplete: number
  /** Samples of requests that the zone mitigated: block, challenges, closed connections. */
  readonly heldUp: number
}

export interface Matrix extends SampleTotals {
  readonly thresholds: readonly number[]
  /** Samples that would have been mitigated, by paranoia level (1–4) and, in it, by threshold. */
  readonly levels: readonly (readonly number[])[]
}

export interface CellQuery {
  readonly range: TimeRange
  /** 1–4. */
  readonly level: number
  readonly threshold: number
  /** Paths, clients and rules, each. */
  readonly limit: number
  readonly examples: number
}

export interface CountedValue {
  readonly value: string
  readonly samples: number
}

/** The requests that one paranoia level and threshold would have mitigated. */
export interface Cell {
  readonly range: TimeRange
  readonly samples: number
  /** Samples that would have been mitigated. */
  readonly acted: number
  /** Samples among them that the zone did not mitigate. */
  readonly actedAnew: number
  /** Samples of requests that the zone mitigated and the cell would not. */
  readonly letThrough: number
  readonly paths: readonly CountedValue[]
  readonly clients: readonly CountedValue[]
  /** Rules that score in these samples, `id ref`. */
  readonly rules: readonly CountedValue[]
  /** Newest first. */
  readonly examples: readonly SampleExample[]
}

export interface SampleExample
  extends Pick<
    WhatIfSample,
    | 'time'
    | 'ray'
    | 'client'
    | 'country'
    | 'host'
    | 'method'
    | 'path'
    | 'action'
    | 'scores'
    | 'stops'
    | 'rules'
  > {}
