import type { LogpushJob, LogpushJobInput, LogpushJobUpdate } from '../../api/types.ts'
import type { Values } from './destinations/kind.ts'
import { confOf, formOf, kindById } from './destinations/kinds.ts'
import type { EditedGroup } from './filter/edited.ts'
import { editedFrom, newGroup } from './filter/edited.ts'

/** `output_options` without field names; only explicit options. */
export type OutputOptions = Readonly<Record<string, unknown>>

/** A job in the wizard. */
export interface Draft {
  readonly name: string
  readonly enabled: boolean
  readonly kind: string
  /** Form values of each visited kind. */
  readonly values: Readonly<Record<string, Values>>
  readonly challenge: string
  readonly dataset: string
  readonly fields: readonly string[]
  readonly filter: EditedGroup
  /** The filter as text, when edited as text. */
  readonly filterText: string | undefined
  readonly options: OutputOptions
  readonly frequency: 'high' | 'low'
  readonly seconds: string
  readonly records: string
  readonly bytes: string
  /** Start of delivery; empty for now. Local time in the input's form. */
  readonly start: string
}

export const firstKind = 's3'

/** @param fields the default fields of a job */
export function emptyDraft(dataset: string, fields: readonly string[]): Draft {
  return {
    name: '',
    enabled: true,
    kind: firstKind,
    values: {},
    challenge: '',
    dataset,
    fields,
    filter: newGroup(),
    filterText: undefined,
    // The default of Cloudflare’s dashboard; the API’s default is unixnano.
    options: { timestamp_format: 'rfc3339' },
    frequency: 'high',
    seconds: '',
    records: '',
    bytes: '',
    start: '',
  }
}

/** @param fields the default fields of a job */
export function draftOf(job: LogpushJob, fields: readonly string[]): Draft {
  const { kind, values } = formOf(job.destination_conf)
  const filter = job.filter ?? ''
  const tree = editedFrom(filter)
  const { names, options } = outputOf(job)
  return {
    name: job.name ?? '',
    enabled: job.enabled ?? false,
    kind: kind.id,
    values: { [kind.id]: values },
    challenge: '',
    dataset: job.dataset,
    fields: names.length === 0 ? fields : names,
    filter: tree ?? newGroup(),
    filterText: tree === undefined ? filter : undefined,
    options,
    frequency: job.frequency ?? 'high',
    seconds: amountText(job.max_upload_interval_seconds),
    records: amountText(job.max_upload_records),
    bytes: amountText(job.max_upload_bytes),
    start: '',
  }
}

function amountText(amount: number | null | undefined): string {
  return amount ? String(amount) : ''
}

/** `output_options` win over the older `logpull_options`. */
function outputOf(job: LogpushJob): { readonly names: readonly string[]; readonly options: OutputOptions } {
  if (job.output_options) {
    const { field_names: names, ...options } = job.output_options as {
      readonly field_names?: readonly string[] | null
    }
    return { names: names ?? [], options }
  }
  const text = job.logpull_options ?? ''
  const query = new URLSearchParams(text.slice(text.indexOf('?') + 1).replaceAll('+', '%2B'))
  const sample = query.get('sample')
  const timestamps = query.get('timestamps')
  return {
    names: query.get('fields')?.split(',').filter(Boolean) ?? [],
    options: {
      ...(timestamps === null ? {} : { timestamp_format: timestamps }),
      ...(sample === null ? {} : { sample_rate: Number(sample) }),
      ...(query.get('CVE-2021-44228') === 'true' ? { 'CVE-2021-44228': true } : {}),
    },
  }
}

/** True when the job still uses the older `logpull_options`. */
export function usesLogpullOptions({ output_options, logpull_options }: LogpushJob): boolean {
  return !output_options && (logpull_options ?? '') !== ''
}

/** Values of the selected form: entered ones, otherwise the initial ones. */
export function valuesOf(draft: Draft): Values {
  const kind = kindById(draft.kind)
  const given = draft.values[kind.id] ?? {}
  return Object.fromEntries(kind.fields.map(({ name, value = '' }) => [name, given[name] ?? value]))
}

/** Whether batches are stored as objects there; receivers take lines. */
export function storesObjects(draft: Draft): boolean {
  return /^(?:s3|r2|gs|azure|file):/.test(confOf(kindById(draft.kind), valuesOf(draft)))
}

/** The ownership challenge in the API's form. Messaging destinations wrap it in a message. */
export function challengeOf({ challenge }: Pick<Draft, 'challenge'>): string {
  const text = challenge.trim()
  return /^\{\s*"content"\s*:\s*"([^"]*)"\s*\}$/.exec(text)?.[1] ?? text
}

/** @param filterText in the API's form */
function settingsOf(draft: Draft, filterText: string) {
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    destination_conf: confOf(kindById(draft.kind), valuesOf(draft)),
    output_options: { field_names: draft.fields, ...draft.options },
    filter: filterText,
    frequency: draft.frequency,
    max_upload_interval_seconds: Number(draft.seconds) || 0,
    max_upload_records: Number(draft.records) || 0,
    max_upload_bytes: Number(draft.bytes) || 0,
  }
}

/** The body that creates the job, without default values. */
export function creationOf(draft: Draft, filterText: string): LogpushJobInput {
  const { name, filter, frequency, ...settings } = settingsOf(draft, filterText)
  const { max_upload_interval_seconds, max_upload_records, max_upload_bytes, ...rest } = settings
  return {
    ...(name === '' ? {} : { name }),
    dataset: draft.dataset,
    ...rest,
    ...(filter === '' ? {} : { filter }),
    ...(frequency === 'high' ? {} : { frequency }),
    ...(max_upload_interval_seconds === 0 ? {} : { max_upload_interval_seconds }),
    ...(max_upload_records === 0 ? {} : { max_upload_records }),
    ...(max_upload_bytes === 0 ? {} : { max_upload_bytes }),
    ...answerOf(draft),
    ...startOf(draft),
  }
}

/** The body that updates the job: only changed members. */
export function changeOf(
  before: Draft,
  beforeFilter: string,
  draft: Draft,
  filterText: string,
): LogpushJobUpdate {
  const [was, is] = [settingsOf(before, beforeFilter), settingsOf(draft, filterText)] as const
  const names = Object.keys(is) as (keyof typeof is)[]
  const different = names.filter(name => JSON.stringify(is[name]) !== JSON.stringify(was[name]))
  return {
    ...Object.fromEntries(different.map(name => [name, is[name]])),
    ...(different.includes('destination_conf') ? answerOf(draft) : {}),
    ...(draft.enabled && !before.enabled ? startOf(draft) : {}),
  }
}

function answerOf(draft: Draft): { readonly ownership_challenge?: string } {
  const answer = challengeOf(draft)
  return answer === '' ? {} : { ownership_challenge: answer }
}

function startOf({ enabled, start }: Draft): { readonly start?: string } {
  return enabled && start !== '' ? { start: new Date(start).toISOString() } : {}
}
