import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { maskedDestination } from '../../logpush/index.ts'
import { logpushLimits } from '../../logpush/limits.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { mayEditLogs } from '../access/permissions/check.ts'

import { describedText, nullable, optional, text, time, type Wire } from '../http/schemas.ts'

const zeroOr = (from: number, maximum: number) =>
  Type.Integer({ minimum: 0, maximum, description: `0 or from ${from.toLocaleString('en-US')}` })

const settings = {
  name: optional(
    nullable(Type.String({ pattern: '^[a-zA-Z0-9._-]*$', maxLength: logpushLimits.jobNameCharactersMax })),
  ),
  enabled: optional(Type.Boolean()),
  frequency: optional(nullable(Type.Enum(['high', 'low']))),
  kind: optional(nullable(Type.Enum(['', 'edge']))),
  logpull_options: optional(nullable(text)),
  output_options: optional(nullable(Type.Object({}))),
  filter: optional(nullable(describedText('JSON text: {"where": …}'))),
  filter_attack_traffic: optional(nullable(Type.Boolean())),
  max_upload_bytes: optional(nullable(zeroOr(logpushLimits.uploadBytesMin, logpushLimits.uploadBytesMax))),
  max_upload_interval_seconds: optional(
    nullable(zeroOr(logpushLimits.uploadSecondsMin, logpushLimits.uploadSecondsMax)),
  ),
  max_upload_records: optional(
    nullable(zeroOr(logpushLimits.uploadRecordsMin, logpushLimits.uploadRecordsMax)),
  ),
}

const destination_conf = Type.String({ maxLength: logpushLimits.destinationCharactersMax })

const written = {
  ...settings,
  dataset: optional(nullable(text)),
  ownership_challenge: optional(nullable(Type.String({ maxLength: logpushLimits.optionsCharactersMax }))),
  start: optional(
    nullable(
      Type.Union([text, Type.Integer()], {
        description:
          'When the job becomes enabled, it begins with records received from this time on. Sluice’s own',
      }),
    ),
  ),
}

/** Bodies are checked by the logpush module. */
export const jobInputSchema = Type.Object({ ...written, destination_conf })
export const jobUpdateSchema = Type.Object({ ...written, destination_conf: optional(destination_conf) })

export const jobSchema = Type.Object({
  id: Type.Integer(),
  dataset: text,
  ...settings,
  destination_conf: describedText('masked for credentials without write permission'),
  last_complete: nullable(time),
  last_error: nullable(time),
  error_message: nullable(text),
})

export const jobIdSchema = Type.Object({ id: Type.Integer() })

/** The stored values, with the destination's credentials: Terraform compares them byte for byte. */
export function jobToWire(job: LogpushJob): Wire<typeof jobSchema> {
  return {
    id: job.id,
    dataset: job.dataset,
    // The logpush module admits no other kinds.
    kind: job.kind as '' | 'edge',
    enabled: job.enabled,
    name: job.name,
    destination_conf: job.destinationConf,
    frequency: job.frequency,
    logpull_options: job.logpullOptions,
    output_options: job.outputOptions,
    filter: job.filter,
    ...(job.filterAttackTraffic === undefined ? {} : { filter_attack_traffic: job.filterAttackTraffic }),
    max_upload_bytes: job.maxUploadBytes,
    max_upload_interval_seconds: job.maxUploadIntervalSeconds,
    max_upload_records: job.maxUploadRecords,
    last_complete: job.lastComplete,
    last_error: job.lastError,
    error_message: job.errorMessage,
  }
}

/** Jobs in the form for the credentials of the request: read permission alone shows no secrets. */
export function jobsShownTo(request: FastifyRequest, jobs: readonly LogpushJob[]): Wire<typeof jobSchema>[] {
  return mayEditLogs(request) ? jobs.map(jobToWire) : jobs.map(job => jobToWire(withoutSecrets(job)))
}

/**
 * A job before and after a change, for the audit trail, which masks both destinations. Null before a creation and after
 * a deletion.
 */
export function jobChange(
  before: LogpushJob | undefined,
  after: LogpushJob | undefined,
): { readonly before: object | null; readonly after: object | null } {
  const shownBefore = before === undefined ? null : jobToWire(before)
  const shownAfter = after === undefined ? null : jobToWire(after)
  if (before === undefined || after === undefined || !differInSecretsOnly(before, after))
    return { before: shownBefore, after: shownAfter }
  return { before: shownBefore, after: { ...shownAfter, destination_conf_changed: 'in what is masked' } }
}

function differInSecretsOnly(before: LogpushJob, after: LogpushJob): boolean {
  return (
    before.destinationConf !== after.destinationConf &&
    maskedDestination(before.destinationConf) === maskedDestination(after.destinationConf)
  )
}

function withoutSecrets(job: LogpushJob): LogpushJob {
  return { ...job, destinationConf: maskedDestination(job.destinationConf) }
}
