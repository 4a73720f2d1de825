import { nearest } from '../kit/nearest.ts'
import type { Dataset, DatasetField } from '../model/dataset.ts'
import type { Checked } from '../model/problem.ts'
import type { JsonObject } from '../model/resource.ts'
import { accept, refuse } from './problems.ts'

export type TimestampFormat = 'unixnano' | 'unix' | 'rfc3339'

/** How a job's lines look; the same for all its records, so it is worked out once. */
export interface LineFormat {
  readonly fields: readonly DatasetField[]
  readonly timestamps: TimestampFormat
  /** Replaces each `${` by `x{`, so that no log viewer expands it (CVE-2021-44228). */
  readonly defuse: boolean
}

const timestampFormats: readonly string[] = ['unixnano', 'unix', 'rfc3339'] satisfies TimestampFormat[]

/**
 * Reads `logpull_options`: `fields=A,B&timestamps=rfc3339&CVE-2021-44228=true`, or a whole Logpull URL of which only
 * the query counts. No fields means the dataset's default set, no timestamps means unixnano.
 * @source Cloudflare, "Logpull options" of log push jobs
 */
export function parseLogpullOptions(
  options: string,
  dataset: Dataset,
  pointer = '/logpull_options',
): Checked<LineFormat> {
  const query = options.includes('?') ? options.slice(options.indexOf('?') + 1) : options
  const parameters = new URLSearchParams(query.replaceAll('+', '%2B'))
  for (const name of parameters.keys())
    if (!['fields', 'timestamps', 'CVE-2021-44228', 'start', 'end', 'count', 'sample'].includes(name))
      return refuse(
        'invalidField',
        `unknown option "${name}": the options are fields, timestamps and CVE-2021-44228`,
        pointer,
      )
  const sample = parameters.get('sample')
  if (sample !== null && sample !== '1' && sample !== '1.0')
    return refuse(
      'invalidField',
      `'${sample}' is not a valid value for sample because every record is delivered; leave it out`,
      pointer,
    )
  const fields = parameters.get('fields')
  const defuse = parameters.get('CVE-2021-44228')
  if (defuse !== null && defuse !== 'true' && defuse !== 'false')
    return refuse(
      'invalidField',
      `'${defuse}' is not a valid value for CVE-2021-44228 because it is true or false`,
      pointer,
    )
  const names = fields === null || fields === '' ? dataset.defaultFields : fields.split(',')
  return lineFormat(names, parameters.get('timestamps') ?? 'unixnano', defuse === 'true', dataset, pointer)
}

/** Reads `output_options`. Keys that shape lines beyond field names and times are refused for now. */
export function parseOutputOptions(options: JsonObject, dataset: Dataset): Checked<LineFormat> {
  const pointer = '/output_options'
  for (const key of Object.keys(options))
    if (!['field_names', 'timestamp_format', 'output_type', 'CVE-2021-44228'].includes(key))
      return refuse(
        'invalidField',
        `output option "${key}" is not available in this version of Sluice`,
        `${pointer}/${key}`,
      )
  const names = options['field_names'] ?? dataset.defaultFields
  if (!Array.isArray(names) || !names.every(name => typeof name === 'string'))
    return refuse('invalidField', 'field_names is an array of field names', `${pointer}/field_names`)
  const type = options['output_type'] ?? 'ndjson'
  if (type !== 'ndjson')
    return refuse(
      'invalidField',
      `'${String(type)}' is not a valid value for output_type because it is ndjson in this version`,
      `${pointer}/output_type`,
    )
  const timestamps = options['timestamp_format'] ?? 'unixnano'
  const defuse = options['CVE-2021-44228'] ?? false
  if (typeof defuse !== 'boolean')
    return refuse('invalidField', 'CVE-2021-44228 is true or false', `${pointer}/CVE-2021-44228`)
  return lineFormat(names as string[], String(timestamps), defuse, dataset, pointer)
}

function lineFormat(
  names: readonly string[],
  timestamps: string,
  defuse: boolean,
  dataset: Dataset,
  pointer: string,
): Checked<LineFormat> {
  if (!timestampFormats.includes(timestamps))
    return refuse(
      'invalidField',
      `'${timestamps}' is not a valid value for timestamps because it is one of ${timestampFormats.join(', ')}`,
      pointer,
    )
  const known = new Map(dataset.fields.map(field => [field.name, field]))
  const fields: DatasetField[] = []
  for (const name of new Set(names)) {
    const field = known.get(name)
    if (field === undefined) {
      const close = nearest(name, known.keys())
      const hint = close === undefined ? '' : `; did you mean ${close}?`
      return refuse(
        'invalidField',
        `'${name}' is not a valid value for fields because ${dataset.name} has no such field${hint}`,
        pointer,
      )
    }
    fields.push(field)
  }
  return accept({ fields, timestamps: timestamps as TimestampFormat, defuse })
}
