import assert from 'node:assert/strict'

/** A job as a Terraform configuration has it: only the written members. */
export interface ConfiguredJob {
  readonly destination_conf: string
  readonly output_options?: Readonly<Record<string, unknown>>
  readonly ownership_challenge?: string
  readonly [attribute: string]: unknown
}

/** The provider's state of a job: attributes with their values, null for attributes without one. */
export type JobState = Readonly<Record<string, unknown>>

/** Attributes that the provider gives a value when the configuration has none. */
const defaults = {
  dataset: 'http_requests',
  enabled: false,
  filter: '',
  frequency: 'high',
  kind: '',
  logpull_options: '',
  name: '',
  max_upload_bytes: 0,
  max_upload_interval_seconds: 0,
  max_upload_records: 0,
} as const

/** Of these an answer without a value, or with null, is the default too; of the others it is null. */
const defaultedAnswers: ReadonlySet<string> = new Set([
  'filter',
  'logpull_options',
  'name',
  'max_upload_bytes',
  'max_upload_interval_seconds',
  'max_upload_records',
])

const outputKeys = [
  'batch_prefix',
  'batch_suffix',
  'field_delimiter',
  'field_names',
  'merge_subrequests',
  'output_type',
  'record_delimiter',
  'record_prefix',
  'record_suffix',
  'record_template',
  'sample_rate',
  'timestamp_format',
] as const
const flag = 'CVE-2021-44228'

/** Attributes that are the server's; a plan does not know them. */
const computed = ['id', 'error_message', 'last_complete', 'last_error'] as const

/** The provider's plan. */
export function plannedJob(configured: ConfiguredJob): JobState {
  const { output_options: options, ownership_challenge: challenge, ...rest } = configured
  return {
    ...defaults,
    ...rest,
    output_options: options === undefined ? null : outputState(options),
    ownership_challenge: challenge ?? null,
  }
}

function outputState(options: Readonly<Record<string, unknown>>): JobState {
  const keys = outputKeys.map(key => [key, options[key] ?? null])
  return { ...Object.fromEntries(keys), [flag]: options[flag] ?? false }
}

/** The body of its POST: everything that has a value. */
export function createdJob(planned: JobState): object {
  return valuesOf(planned)
}

/**
 * The body of its PUT: the whole plan, with null for members that have lost their value. It has no kind when the kind
 * was and is an old one.
 */
export function updatedJob(planned: JobState, state: JobState): object {
  const gone = Object.keys(planned).filter(key => planned[key] === null && (state[key] ?? null) !== null)
  const body = { ...valuesOf(planned), ...Object.fromEntries(gone.map(key => [key, null])) }
  const old = ['', 'instant-logs']
  if (!old.includes(String(planned['kind'])) || !old.includes(String(state['kind']))) return body
  const { kind: _, ...rest } = body as { readonly kind?: unknown }
  return rest
}

function valuesOf(state: JobState): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(state)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, isObject(value) ? valuesOf(value) : value]),
  )
}

/**
 * How it reads an answer.
 * @param before the challenge is never answered; what was known of it stays
 */
export function answeredJob(answer: JobState, before?: JobState): JobState {
  const attribute = (key: keyof typeof defaults) =>
    answer[key] ?? (defaultedAnswers.has(key) ? defaults[key] : null)
  const options = answer['output_options'] ?? null
  return {
    ...Object.fromEntries(computed.map(key => [key, answer[key] ?? null])),
    ...Object.fromEntries(Object.keys(defaults).map(key => [key, attribute(key as keyof typeof defaults)])),
    destination_conf: answer['destination_conf'],
    output_options: isObject(options) ? outputState(options) : null,
    ownership_challenge: before?.['ownership_challenge'] ?? null,
  }
}

function isObject(value: unknown): value is JobState {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Attributes that the next plan would change; a user of the provider wants to see none. */
export function planDifferences(planned: JobState, state: JobState): string[] {
  return Object.keys(planned).filter(key => JSON.stringify(planned[key]) !== JSON.stringify(state[key]))
}

/** Terraform's own check: after an apply every planned value is present. */
export function assertAppliedJob(planned: JobState, state: JobState): void {
  for (const [key, value] of Object.entries(planned)) assert.deepEqual(state[key], value, key)
  assert.ok(Number.isInteger(state['id']) && (state['id'] as number) >= 1)
}
