import type { Checked } from '../../model/problem.ts'
import type { JsonObject, LogpushJob } from '../../model/resource.ts'
import { logpushLimits } from '../limits.ts'
import { accept, refuse } from '../problems.ts'

/** The settings of a job as a person writes them. */
export type JobFields = Omit<
  LogpushJob,
  'id' | 'scope' | 'revision' | 'lastComplete' | 'lastError' | 'errorMessage' | 'paused'
>

/** A job with all defaults. */
export const emptyJob: JobFields = {
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

/** One key of the body: its field, the allowed values and the meaning of null. */
interface Key {
  readonly field: keyof JobFields
  readonly fits: (value: unknown) => boolean
  readonly allowed: string
  /** `left-out`: as if the key were absent. `gone`: the field is removed. */
  readonly ifNull: 'refused' | 'left-out' | 'gone' | { readonly becomes: unknown }
}

const isText = (max: number) => (value: unknown) => typeof value === 'string' && value.length <= max
const isFlag = (value: unknown) => typeof value === 'boolean'
const zeroOr = (min: number, max: number) => ({
  fits: (value: unknown) =>
    value === 0 || (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max),
  allowed: `0 or ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`,
})

const optionsText = `text of at most ${logpushLimits.optionsCharactersMax} characters`

const keys: Readonly<Record<string, Key>> = {
  name: {
    field: 'name',
    fits: value =>
      typeof value === 'string' &&
      value.length <= logpushLimits.jobNameCharactersMax &&
      /^[a-zA-Z0-9._-]*$/.test(value),
    allowed: `at most ${logpushLimits.jobNameCharactersMax} letters, digits and . _ -`,
    ifNull: { becomes: '' },
  },
  enabled: { field: 'enabled', fits: isFlag, allowed: 'true or false', ifNull: 'refused' },
  dataset: {
    field: 'dataset',
    fits: isText(logpushLimits.datasetNameCharactersMax),
    allowed: 'the name of a dataset',
    ifNull: 'left-out',
  },
  destination_conf: {
    field: 'destinationConf',
    fits: isText(logpushLimits.destinationCharactersMax),
    allowed: `text of at most ${logpushLimits.destinationCharactersMax} characters`,
    ifNull: 'refused',
  },
  logpull_options: {
    field: 'logpullOptions',
    fits: isText(logpushLimits.optionsCharactersMax),
    allowed: optionsText,
    ifNull: { becomes: null },
  },
  output_options: {
    field: 'outputOptions',
    fits: value => typeof value === 'object' && !Array.isArray(value),
    allowed: 'an object',
    ifNull: { becomes: null },
  },
  filter: {
    field: 'filter',
    fits: value => typeof value === 'string',
    allowed: 'a text that holds JSON',
    ifNull: { becomes: '' },
  },
  filter_attack_traffic: {
    field: 'filterAttackTraffic',
    fits: isFlag,
    allowed: 'true or false',
    ifNull: 'gone',
  },
  frequency: {
    field: 'frequency',
    fits: value => value === 'high' || value === 'low',
    allowed: 'high or low',
    ifNull: { becomes: 'high' },
  },
  kind: {
    field: 'kind',
    fits: value => value === '' || value === 'edge',
    allowed: 'empty or edge; Instant Logs have their own routes',
    ifNull: 'left-out',
  },
  max_upload_bytes: {
    field: 'maxUploadBytes',
    ...zeroOr(logpushLimits.uploadBytesMin, logpushLimits.uploadBytesMax),
    ifNull: { becomes: null },
  },
  max_upload_interval_seconds: {
    field: 'maxUploadIntervalSeconds',
    ...zeroOr(logpushLimits.uploadSecondsMin, logpushLimits.uploadSecondsMax),
    ifNull: { becomes: null },
  },
  max_upload_records: {
    field: 'maxUploadRecords',
    ...zeroOr(logpushLimits.uploadRecordsMin, logpushLimits.uploadRecordsMax),
    ifNull: { becomes: null },
  },
}

/** A key that is not a field of a job: it is handled elsewhere. */
interface OtherKey {
  readonly fits: (value: unknown) => boolean
  readonly allowed: string
}

const otherKeys: Readonly<Record<string, OtherKey>> = {
  ownership_challenge: { fits: isText(logpushLimits.optionsCharactersMax), allowed: optionsText },
  start: {
    fits: value => typeof value === 'string' || typeof value === 'number',
    allowed: 'a time',
  },
}

/** Applies a body to a job: absent keys keep their value. Each value is checked by itself. */
export function mergeFields(body: unknown, base: JobFields): Checked<JobFields> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse('invalidField', 'the body is a JSON object', '')
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(body as JsonObject)) {
    const key = ownOf(keys, name)
    const other = ownOf(otherKeys, name)
    if (key === undefined && other === undefined) return unknownField(name)
    const { fits, allowed } = (key ?? other)!
    if (value === null && key?.ifNull !== 'refused') {
      clear(merged, key)
      continue
    }
    if (value === null || !fits(value)) return badValue(name, value, allowed)
    if (key !== undefined) merged[key.field] = value
  }
  return accept(merged as unknown as JobFields)
}

function clear(merged: Record<string, unknown>, key: Key | undefined): void {
  if (key?.ifNull === 'gone') delete merged[key.field]
  else if (typeof key?.ifNull === 'object') merged[key.field] = key.ifNull.becomes
}

function ownOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function unknownField(name: string): Checked<never> {
  const shown = name.slice(0, 100)
  const pointer = `/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return refuse('invalidField', `invalid JSON: unknown field "${shown}"`, pointer)
}

/** Values that may hold credentials; errors do not repeat them, because errors are logged. */
const secretKeys: readonly string[] = ['destination_conf', 'ownership_challenge']

function badValue(name: string, value: unknown, allowed: string): Checked<never> {
  if (secretKeys.includes(name)) return refuse('invalidField', `${name} has to be ${allowed}`, `/${name}`)
  const text = JSON.stringify(value)
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text
  const message = `${shown} is not a valid value for ${name} because it has to be ${allowed}`
  return refuse('invalidField', message, `/${name}`)
}
