/** Datasets of log push: their fields and types. Facts from Cloudflare's log field reference. */
export type FieldType =
  | 'string'
  | 'int'
  | 'bool'
  | 'float'
  /** Nanoseconds since the epoch; how it is written is the job's choice. */
  | 'timestamp'
  | 'array[string]'
  | 'array[int]'
  | 'array[object]'
  | 'object'

export interface DatasetField {
  readonly name: string
  readonly type: FieldType
  readonly description: string
  /** What fills it here; `none` when a self-hosted edge cannot know it and it keeps its type's empty value. */
  readonly from: string
}

export interface Dataset {
  readonly name: string
  /** At which levels jobs may deliver it. */
  readonly scopes: readonly ('account' | 'zone')[]
  readonly fields: readonly DatasetField[]
  /** Delivered when a job names no fields. */
  readonly defaultFields: readonly string[]
}

/**
 * One log line before it is encoded: field name → value, only the fields that have one.
 * Timestamps are decimal text of nanoseconds (they exceed 2^53); `ZoneName` is always there in those of
 * the edge.
 */
export type LogRecord = { readonly [field: string]: unknown }
