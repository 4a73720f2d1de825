import type { WhatIfSample } from '../../model/what-if-sample.ts'
import type { TimeRange } from '../types.ts'

export interface MatrixQuestion {
  readonly range: TimeRange
  /** Scores at or above which a request is acted on. */
  readonly thresholds: readonly number[]
}

/** Figures of all samples of a range. */
export interface SampleTotals {
  /** As answered: whole minutes, and none from before samples are kept. */
  readonly range: TimeRange
  readonly samples: number
  /** Requests of the zone in the range, sampled or not. */
  readonly requests: number
  /** Samples that cost an evaluation of their own; the others were read off the zone's own run. */
  readonly evaluated: number
  /** Processor time of these. */
  readonly cpuMs: number
  /** Requests that were drawn and left out. */
  readonly leftOut: number
  /** Samples whose rules were not evaluated to the end. */
  readonly incomplete: number
  /** Samples of requests that the zone held up: block, challenges, closed connections. */
  readonly heldUp: number
}

export interface Matrix extends SampleTotals {
  readonly thresholds: readonly number[]
  /** Samples that would have been acted on, by paranoia level (1–4) and, in it, by threshold. */
  readonly levels: readonly (readonly number[])[]
}

export interface CellQuestion {
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

/** What one paranoia level and threshold would have acted on. */
export interface Cell {
  readonly range: TimeRange
  readonly samples: number
  /** Samples that would have been acted on. */
  readonly acted: number
  /** Of these, requests that the zone did not hold up. */
  readonly actedAnew: number
  /** Samples of requests that the zone held up and the cell would not. */
  readonly letThrough: number
  readonly paths: readonly CountedValue[]
  readonly clients: readonly CountedValue[]
  /** Rules that score in them, `id ref`. */
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
