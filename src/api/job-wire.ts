import type { LogpushJob } from '../model/resource.ts'

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
    max_upload_bytes: job.maxUploadBytes,
    max_upload_interval_seconds: job.maxUploadIntervalSeconds,
    max_upload_records: job.maxUploadRecords,
    last_complete: job.lastComplete,
    last_error: job.lastError,
    error_message: job.errorMessage,
  }
}
