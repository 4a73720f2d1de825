import { nearest } from '../../kit/nearest.ts'
import type { Dataset, DatasetField } from '../../model/dataset.ts'
import type { Checked } from '../../model/problem.ts'
import type { JsonObject } from '../../model/resource.ts'
import { logpushLimits } from '../limits.ts'
import { accept, refuse } from '../problems.ts'
import { findFields } from './fields.ts'
import { parseTemplate, type TemplatePiece } from './template.ts'
import { type TimestampFormat, timestampFormats } from './timestamp.ts'

/** A job's output format; compiled once, because it is the same for all records. */
export interface LineFormat {
  readonly type: 'ndjson' | 'csv' | 'parquet'
  readonly fields: readonly DatasetField[]
  readonly timestamps: TimestampFormat
  /** Share of the records that is delivered, above 0 and at most 1. */
  readonly sampleRate: number
  /** Replaces each `${` by `x{`, so that no log viewer expands it (CVE-2021-44228). */
  readonly defuse: boolean
  readonly texts: FormatTexts
  /** Replaces the fields and their delimiter inside a record. */
  readonly template: readonly TemplatePiece[] | undefined
}

/** Texts around and between parts. Batches: once per object or request; records: once per record. */
export interface FormatTexts {
  readonly batchPrefix: string
  readonly batchSuffix: string
  readonly recordPrefix: string
  readonly recordSuffix: string
  readonly recordDelimiter: string
  readonly fieldDelimiter: string
}

const plainTexts = { batchPrefix: '', batchSuffix: '', recordDelimiter: '', fieldDelimiter: ',' } as const

/**
 * Rows of Parquet files are JSON arrays until the file is made of them.
 * @source Cloudflare, "Log output options": defaults of each output type
 */
const defaultTexts: Readonly<Record<LineFormat['type'], FormatTexts>> = {
  ndjson: { ...plainTexts, recordPrefix: '{', recordSuffix: '}\n' },
  csv: { ...plainTexts, recordPrefix: '', recordSuffix: '\n' },
  parquet: { ...plainTexts, recordPrefix: '[', recordSuffix: ']\n' },
}

const defaultTimestamps: Readonly<Record<LineFormat['type'], TimestampFormat>> = {
  ndjson: 'unixnano',
  csv: 'unixnano',
  parquet: 'rfc3339ns',
}

/** Options of lines. */
const lineOptions = [
  'batch_prefix',
  'batch_suffix',
  'record_prefix',
  'record_suffix',
  'record_delimiter',
  'field_delimiter',
  'record_template',
]

/** Reads an option's value; null means absent. */
interface OptionReader {
  readonly fits: (value: unknown) => boolean
  /** The allowed values, in words. */
  readonly allowed: string
}

const oneOf = (...values: readonly string[]): OptionReader => ({
  fits: value => values.includes(value as string),
  allowed: `one of ${values.join(', ')}`,
})

const flag: OptionReader = { fits: value => typeof value === 'boolean', allowed: 'true or false' }

const text: OptionReader = {
  fits: value => typeof value === 'string' && value.length <= logpushLimits.outputTextCharactersMax,
  allowed: `text of at most ${logpushLimits.outputTextCharactersMax} characters`,
}

const share: OptionReader = {
  fits: value => typeof value === 'number' && value > 0 && value <= 1,
  allowed: 'a number above 0 and at most 1',
}

/** Every key of `output_options`. */
const outputOptions: ReadonlyMap<string, OptionReader> = new Map([
  [
    'field_names',
    {
      fits: value => Array.isArray(value) && value.every(name => typeof name === 'string'),
      allowed: 'an array of field names',
    },
  ],
  ['output_type', oneOf('ndjson', 'csv', 'parquet')],
  ['batch_prefix', text],
  ['batch_suffix', text],
  ['record_prefix', text],
  ['record_suffix', text],
  ['record_delimiter', text],
  ['field_delimiter', text],
  [
    'record_template',
    {
      fits: value => typeof value === 'string' && value.length <= logpushLimits.outputTemplateCharactersMax,
      allowed: `text of at most ${logpushLimits.outputTemplateCharactersMax} characters`,
    },
  ],
  ['timestamp_format', oneOf(...timestampFormats)],
  ['sample_rate', share],
  ['CVE-2021-44228', flag],
  // The spelling in an earlier schema of the API.
  ['CVE-2021-4428', flag],
  ['merge_subrequests', flag],
])

/**
 * Reads `output_options`. Absent and null options have their defaults; an empty `field_names` is the default fields.
 * `merge_subrequests` changes nothing: the edge has no subrequests, so `Subrequests` is always empty.
 * `parquet` is specific to Sluice.
 * @source Cloudflare, "Log output options"
 */
export function parseOutputOptions(options: JsonObject, dataset: Dataset): Checked<LineFormat> {
  const pointer = '/output_options'
  for (const [key, value] of Object.entries(options)) {
    const option = outputOptions.get(key)
    if (option === undefined) return refuse('invalidField', unknownOption(key), `${pointer}/${escaped(key)}`)
    if (value !== null && !option.fits(value))
      return refuse('invalidField', `${key} is ${option.allowed}`, `${pointer}/${key}`)
  }
  if (options['merge_subrequests'] === true && dataset.name !== 'http_requests')
    return refuse('invalidField', 'merge_subrequests is for http_requests', `${pointer}/merge_subrequests`)
  const type = (options['output_type'] ?? 'ndjson') as LineFormat['type']
  const unfit = type === 'parquet' ? lineOptions.find(key => (options[key] ?? null) !== null) : undefined
  if (unfit !== undefined)
    return refuse('invalidField', `${unfit} is for lines, and a Parquet file has none`, `${pointer}/${unfit}`)
  const names = (options['field_names'] ?? []) as readonly string[]
  const fields = findFields(names, dataset, index => `${pointer}/field_names/${index}`)
  if (!fields.ok) return fields
  const written = (options['record_template'] ?? '') as string
  const template = written === '' ? undefined : parseTemplate(written)
  if (template?.ok === false)
    return refuse('invalidField', `record_template: ${template.message}`, `${pointer}/record_template`)
  return accept({
    type,
    fields: fields.value,
    timestamps: (options['timestamp_format'] ?? defaultTimestamps[type]) as TimestampFormat,
    sampleRate: (options['sample_rate'] ?? 1) as number,
    defuse: options['CVE-2021-44228'] === true || options['CVE-2021-4428'] === true,
    texts: textsOf(options, defaultTexts[type]),
    template: template?.pieces,
  })
}

function textsOf(options: JsonObject, defaults: FormatTexts): FormatTexts {
  const given = (key: string, otherwise: string) => (options[key] ?? otherwise) as string
  return {
    batchPrefix: given('batch_prefix', defaults.batchPrefix),
    batchSuffix: given('batch_suffix', defaults.batchSuffix),
    recordPrefix: given('record_prefix', defaults.recordPrefix),
    recordSuffix: given('record_suffix', defaults.recordSuffix),
    recordDelimiter: given('record_delimiter', defaults.recordDelimiter),
    fieldDelimiter: given('field_delimiter', defaults.fieldDelimiter),
  }
}

/** The line format of `logpull_options`: plain NDJSON. */
export function ndjsonFormat(
  fields: readonly DatasetField[],
  timestamps: TimestampFormat,
  sampleRate: number,
  defuse: boolean,
): LineFormat {
  return {
    type: 'ndjson',
    fields,
    timestamps,
    sampleRate,
    defuse,
    texts: defaultTexts.ndjson,
    template: undefined,
  }
}

function unknownOption(key: string): string {
  const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key
  const close = nearest(key.slice(0, 64), outputOptions.keys())
  return `there is no output option "${shown}"${close === undefined ? '' : `; did you mean ${close}?`}`
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
