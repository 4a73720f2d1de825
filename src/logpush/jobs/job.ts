import { compileFilter } from '../../logfilter/index.ts'
import type { Dataset } from '../../model/dataset.ts'
import { datasets } from '../../model/datasets/table.ts'
import type { Checked } from '../../model/problem.ts'
import type { LogpushJob, Scope } from '../../model/resource.ts'
import { type LineFormat, parseOutputOptions } from '../output/format.ts'
import { parseLogpullOptions } from '../output/logpull-options.ts'
import { accept, refuse, refuseFilter } from '../problems.ts'
import { parseDestination } from '../sinks/table.ts'
import { emptyJob, type JobFields, mergeFields } from './job-fields.ts'
import { momentForms, momentOf } from './moment.ts'

/** A requested job, and the moment of its first records (`start`), ms since the epoch; undefined is from now on. */
export interface WantedJob<J> {
  readonly job: J
  readonly startMs: number | undefined
}

/**
 * Checks the body of `POST …/logpush/jobs`. Defaults are Cloudflare's: disabled, dataset http_requests. Ownership and
 * reachability of the destination are checked elsewhere.
 */
export function createJob(
  body: unknown,
  scope: Scope,
  nowMs: number,
): Checked<WantedJob<Omit<LogpushJob, 'id'>>> {
  const fields = mergeFields(body, emptyJob)
  if (!fields.ok) return fields
  if (fields.value.destinationConf === '')
    return refuse('invalidDestination', 'destination_conf is required', '/destination_conf')
  const checked = checkJob(fields.value, scope.kind)
  if (!checked.ok) return checked
  const start = startOf(body, fields.value.enabled, nowMs)
  if (!start.ok) return start
  const health = { lastComplete: null, lastError: null, errorMessage: null, paused: false }
  return accept({ job: { ...fields.value, scope, revision: 1, ...health }, startMs: start.value })
}

/**
 * Checks the body of `PUT …/logpush/jobs/{id}`: absent keys keep their value, `output_options` is replaced as a
 * whole, null clears. Dataset and kind cannot change.
 */
export function updateJob(body: unknown, current: LogpushJob, nowMs: number): Checked<WantedJob<LogpushJob>> {
  const merged = mergeFields(body, current)
  if (!merged.ok) return merged
  // Settings that the body does not change come from `current`.
  const job = merged.value as LogpushJob
  if (job.dataset !== current.dataset)
    return refuse('immutable', 'the dataset of a job cannot be changed', '/dataset')
  if (job.kind !== current.kind) return refuse('immutable', 'the kind of a job cannot be changed', '/kind')
  const checked = checkJob(job, current.scope.kind)
  if (!checked.ok) return checked
  const start = startOf(body, job.enabled && !current.enabled, nowMs)
  return start.ok ? accept({ job, startMs: start.value }) : start
}

/** Whether these `logpull_options` fit the dataset, and the dataset fits jobs of this scope. */
export function validateLogpullOptions(
  dataset: string,
  options: string | null,
  level: Scope['kind'],
): Checked<void> {
  const known = datasetAt(dataset, level)
  if (!known.ok) return known
  const format = parseLogpullOptions(options ?? '', known.value)
  return format.ok ? accept(undefined) : format
}

/** The line format of a stored job; `output_options` take precedence over `logpull_options`. */
export function formatOf(
  job: Pick<LogpushJob, 'dataset' | 'logpullOptions' | 'outputOptions'>,
): Checked<LineFormat> {
  const dataset = datasetOf(job.dataset)
  return dataset.ok ? formatFor(job, dataset.value) : dataset
}

function formatFor(
  job: Pick<LogpushJob, 'logpullOptions' | 'outputOptions'>,
  dataset: Dataset,
): Checked<LineFormat> {
  return job.outputOptions === null
    ? parseLogpullOptions(job.logpullOptions ?? '', dataset)
    : parseOutputOptions(job.outputOptions, dataset)
}

function checkJob(job: JobFields, level: Scope['kind']): Checked<void> {
  const destination = parseDestination(job.destinationConf)
  if (!destination.ok) return destination
  const dataset = datasetAt(job.dataset, level)
  if (!dataset.ok) return dataset
  if (job.kind === 'edge' && job.dataset !== 'http_requests')
    return refuse('notAllowed', 'jobs of kind edge are for the dataset http_requests only', '/kind')
  if (job.filterAttackTraffic !== undefined && !attackedDatasets.includes(job.dataset))
    return refuse(
      'notAllowed',
      `filter_attack_traffic is for the datasets ${attackedDatasets.join(' and ')} only`,
      '/filter_attack_traffic',
    )
  const format = formatFor(job, dataset.value)
  if (format.ok && format.value.type === 'parquet' && !destination.value.objects)
    return refuse(
      'notAllowed',
      'parquet is for destinations that store objects: s3, r2, gs, azure and file',
      '/output_options/output_type',
    )
  return format.ok ? checkFilter(job.filter ?? '', dataset.value) : format
}

/**
 * @source Cloudflare, changelog of Logpush, 2026-09-18: `filter_attack_traffic`; of its datasets, the ones that exist
 *   here
 */
const attackedDatasets: readonly string[] = ['http_requests', 'firewall_events']

function checkFilter(text: string, dataset: Dataset): Checked<void> {
  if (text === '') return accept(undefined)
  const filter = compileFilter(text, dataset)
  return filter.ok ? accept(undefined) : refuseFilter(filter.problem)
}

function datasetAt(name: string, level: Scope['kind']): Checked<Dataset> {
  const dataset = datasetOf(name)
  if (!dataset.ok || dataset.value.scopes.includes(level)) return dataset
  const [other] = dataset.value.scopes
  return refuse(
    'notAllowed',
    `the dataset ${name} is for jobs of ${other}s only: use /${other}s/…`,
    '/dataset',
  )
}

function datasetOf(name: string): Checked<Dataset> {
  const dataset = datasets.get(name)
  if (dataset !== undefined) return accept(dataset)
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name
  return refuse(
    'invalidField',
    `'${shown}' is not a valid value for dataset because it must be one of ${[...datasets.keys()].join(', ')}`,
    '/dataset',
  )
}

/**
 * Specific to Sluice: the moment of the first records of a job.
 * @param begins whether this body enables the job
 */
function startOf(body: unknown, begins: boolean, nowMs: number): Checked<number | undefined> {
  const { start } = body as { readonly start?: string | number | null }
  if (start === undefined || start === null) return accept(undefined)
  const text = String(start)
  const moment = momentOf(text)
  const refuseStart = (reason: string) =>
    refuse(
      'invalidField',
      `'${text.slice(0, 64)}' is not a valid value for start because ${reason}`,
      '/start',
    )
  if (moment === undefined) return refuseStart(`it has to be ${momentForms}`)
  if (!begins) return refuseStart('the job does not become enabled')
  if (moment > nowMs) return refuseStart('it is in the future')
  return accept(moment)
}
