import type { CheckedNode } from '../../logfilter/index.ts'
import type { DatasetField, LogRecord } from '../../model/dataset.ts'
import type { EventPosition, TimeRange } from '../positions.ts'

/** Datasets whose records can be searched. */
export const searchedDatasets = ['http_requests', 'firewall_events'] as const

export interface SearchQuery {
  readonly dataset: (typeof searchedDatasets)[number]
  readonly range: TimeRange
  /** Checked against the dataset; without it, every record passes. */
  readonly filter?: CheckedNode
  /** Of the rules language, checked by `expressionCondition`; records pass both. */
  readonly expression?: string
  /** Of the dataset; the records have these fields, in this order. */
  readonly fields: readonly DatasetField[]
  /** By time: the oldest or the newest records first. */
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** The position of the last record of the page before. */
  readonly after?: EventPosition
}

/** The columns of a file are the fields; fields that no record has are left out. */
export type SearchExport = Pick<SearchQuery, 'dataset' | 'range' | 'filter' | 'expression' | 'fields'>

export interface SearchPage {
  /**
   * At most `limit`, and fewer when they are large. Times are digits of nanoseconds; fields that no record has are left
   * out.
   */
  readonly records: readonly LogRecord[]
  /** Position of the last record; undefined when no others pass. */
  readonly next: EventPosition | undefined
}
