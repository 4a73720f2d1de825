import { compileFilter } from '../logfilter/index.ts'
import type { Dataset } from '../model/dataset.ts'
import { datasets } from '../model/datasets/table.ts'
import type { Checked } from '../model/problem.ts'
import type { JsonObject, LogpushJob } from '../model/resource.ts'
import { type LineFormat, parseOutputOptions } from './format.ts'
import { parseLogpullOptions } from './output/logpull-options.ts'
import { accept, refuse } from './problems.ts'
import { parseDestination } from './sinks/table.ts'

/** What a person writes of a job. */
type JobFields = Omit<LogpushJob, 'id' | 'zoneId' | 'lastComplete' | 'lastError' | 'errorMessage'>

const emptyJob: JobFields = {
  name: '',
  enabled: false,
  dataset: 'http_requests',
  destinationConf: '',
  logpullOptions: null,
  outputOptions: null,
  filter: '',
  frequency: 'high',
  kind: '',
  maxUploadBytes: null,
  maxUploadIntervalSeconds: null,
  maxUploadRecords: null,
}

/**
 * Checks the body of `POST …/logpush/jobs`. Defaults are Cloudflare's: disabled, dataset http_requests.
 * Ownership and reachability of the destination are not looked at here.
 */
export function createJob(body: unknown, zoneId: string): Checked<Omit<LogpushJob, 'id'>> {
  const fields = merge(body, emptyJob)
  if (!fields.ok) return fields
  if (fields.value.destinationConf === '')
    return refuse('invalidDestination', 'destination_conf is required', '/destination_conf')
  const checked = checkJob(fields.value)
  if (!checked.ok) return checked
  return accept({ ...fields.value, zoneId, lastComplete: null, lastError: null, errorMessage: null })
}

/**
 * Checks the body of `PUT …/logpush/jobs/{id}`: keys left out keep their value, `output_options` is replaced whole,
 * null clears. Dataset and kind cannot change.
 */
export function updateJob(body: unknown, current: LogpushJob): Checked<LogpushJob> {
  const merged = merge(body, current)
  if (!merged.ok) return merged
  const { value } = merged
  if (value.dataset !== current.dataset)
    return refuse('immutable', 'the dataset of a job cannot be changed', '/dataset')
  if (value.kind !== current.kind) return refuse('immutable', 'the kind of a job cannot be changed', '/kind')
  const checked = checkJob(value)
  return checked.ok ? accept({ ...current, ...value }) : checked
}

/** Are these `logpull_options` fit for the dataset? */
export function validateLogpullOptions(dataset: string, options: string | null): Checked<void> {
  const known = datasetOf(dataset)
  if (!known.ok) return known
  const format = parseLogpullOptions(options ?? '', known.value)
  return format.ok ? accept(undefined) : format
}

/** How a stored job's lines look; `output_options` win over `logpull_options`. */
export function formatOf(
  job: Pick<LogpushJob, 'dataset' | 'logpullOptions' | 'outputOptions'>,
): Checked<LineFormat> {
  const dataset = datasetOf(job.dataset)
  if (!dataset.ok) return dataset
  return job.outputOptions === null
    ? parseLogpullOptions(job.logpullOptions ?? '', dataset.value)
    : parseOutputOptions(job.outputOptions, dataset.value)
}

function checkJob(job: JobFields): Checked<void> {
  const destination = parseDestination(job.destinationConf)
  if (!destination.ok) return destination
  const dataset = datasetOf(job.dataset)
  if (!dataset.ok) return dataset
  const format = formatOf(job)
  if (!format.ok) return format
  if (job.filter === null || job.filter === '') return accept(undefined)
  const filter = compileFilter(job.filter, dataset.value)
  if (filter.ok) return accept(undefined)
  const { pointer, message } = filter.problem
  return refuse(
    'invalidFilter',
    `the filter is not valid${pointer === '' ? '' : ` at ${pointer}`}: ${message}`,
    '/filter',
  )
}

function datasetOf(name: string): Checked<Dataset> {
  const dataset = datasets.get(name)
  if (dataset !== undefined) return accept(dataset)
  return refuse(
    'invalidField',
    `'${name}' is not a valid value for dataset because it is one of ${[...datasets.keys()].join(', ')}`,
    '/dataset',
  )
}

/** One key of the body: where it goes and what may stand there. `null` clears where `clear` gives a value. */
interface Key {
  readonly field: keyof JobFields
  readonly fits: (value: unknown) => boolean
  readonly allowed: string
  readonly clear: unknown
}

const isText = (max: number) => (value: unknown) => typeof value === 'string' && value.length <= max
const isNumberIn = (min: number, max: number) => (value: unknown) =>
  value === 0 || (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)

const keys: Readonly<Record<string, Key>> = {
  name: {
    field: 'name',
    fits: value => typeof value === 'string' && /^[a-zA-Z0-9._-]{0,512}$/.test(value),
    allowed: 'at most 512 letters, digits and . _ -',
    clear: '',
  },
  enabled: {
    field: 'enabled',
    fits: value => typeof value === 'boolean',
    allowed: 'true or false',
    clear: undefined,
  },
  dataset: { field: 'dataset', fits: isText(256), allowed: 'the name of a dataset', clear: undefined },
  destination_conf: {
    field: 'destinationConf',
    fits: isText(4096),
    allowed: 'text of at most 4096 characters',
    clear: undefined,
  },
  logpull_options: {
    field: 'logpullOptions',
    fits: isText(4096),
    allowed: 'text of at most 4096 characters',
    clear: null,
  },
  output_options: {
    field: 'outputOptions',
    fits: value => typeof value === 'object' && !Array.isArray(value),
    allowed: 'an object',
    clear: null,
  },
  filter: {
    field: 'filter',
    fits: value => typeof value === 'string',
    allowed: 'a text that holds JSON',
    clear: '',
  },
  frequency: {
    field: 'frequency',
    fits: value => value === 'high' || value === 'low',
    allowed: 'high or low',
    clear: 'high',
  },
  kind: {
    field: 'kind',
    fits: value => value === '',
    allowed: 'empty: edge jobs are not available in this version',
    clear: '',
  },
  max_upload_bytes: {
    field: 'maxUploadBytes',
    fits: isNumberIn(5_000_000, 1_000_000_000),
    allowed: '0 or 5,000,000 to 1,000,000,000',
    clear: null,
  },
  max_upload_interval_seconds: {
    field: 'maxUploadIntervalSeconds',
    fits: isNumberIn(30, 300),
    allowed: '0 or 30 to 300',
    clear: null,
  },
  max_upload_records: {
    field: 'maxUploadRecords',
    fits: isNumberIn(1_000, 1_000_000),
    allowed: '0 or 1,000 to 1,000,000',
    clear: null,
  },
}

/** Known keys that are checked elsewhere. */
const otherKeys = ['ownership_challenge']

function merge(body: unknown, base: JobFields): Checked<JobFields> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse('invalidField', 'the body is a JSON object', '')
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(body as JsonObject)) {
    if (otherKeys.includes(name)) {
      if (value === null || isText(4096)(value)) continue
      return refuse('invalidField', `'${name}' is text of at most 4096 characters`, `/${name}`)
    }
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined
    if (key === undefined) return refuse('invalidField', `invalid JSON: unknown field "${name}"`, `/${name}`)
    const given = value === null ? key.clear : value
    if (given === undefined || (given !== null && !key.fits(given)))
      return refuse(
        'invalidField',
        `${JSON.stringify(value)} is not a valid value for ${name} because it has to be ${key.allowed}`,
        `/${name}`,
      )
    merged[key.field] = given
  }
  return accept(merged as unknown as JobFields)
}
