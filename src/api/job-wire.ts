import type { FastifyRequest } from 'fastify'
import { maskedDestination } from '../logpush/index.ts'
import type { LogpushJob } from '../model/resource.ts'
import { mayEditLogs } from './permissions-check.ts'

/** Everything as it was stored, the destination's credentials included: Terraform compares it byte for byte. */
export function jobToWire(job: LogpushJob): object {
  return {
    id: job.id,
    dataset: job.dataset,
    kind: job.kind,
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

/** Jobs as the credentials of the request may see them: whoever may only read sees no secrets. */
export function jobsShownTo(request: FastifyRequest, jobs: readonly LogpushJob[]): object[] {
  return mayEditLogs(request) ? jobs.map(jobToWire) : jobs.map(job => jobToWire(withoutSecrets(job)))
}

/**
 * A job before and after a change, for the audit trail, which masks both destinations itself; null when there was or is
 * none.
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
