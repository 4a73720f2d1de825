/** Datasets of Logpush: their fields and types. Facts from Cloudflare's log field reference. */
export type FieldType =
  | 'string'
  | 'int'
  | 'bool'
  | 'float'
  /** Nanoseconds since the epoch; the job chooses the written form. */
  | 'timestamp'
  | 'array[string]'
  | 'array[int]'
  | 'array[object]'
  | 'object'

export interface DatasetField {
  readonly name: string
  readonly type: FieldType
  readonly description: string
  /** Its source in Sluice; `none` if a self-hosted edge cannot know it and it keeps its type's empty value. */
  readonly from: string
}

export interface Dataset {
  readonly name: string
  /** The levels at which jobs may deliver it. */
  readonly scopes: readonly ('account' | 'zone')[]
  readonly fields: readonly DatasetField[]
  /** The field with the time of the request, event or change. */
  readonly timeField: string
  /** Delivered when a job names no fields. */
  readonly defaultFields: readonly string[]
}

/**
 * One log line before it is encoded: field name → value, only the fields that have one.
 * Timestamps are decimal text of nanoseconds (they exceed 2^53). Records of the edge always have
 * `ZoneName`.
 */
export type LogRecord = { readonly [field: string]: unknown }
