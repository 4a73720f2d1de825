import type { AlertName } from '../../model/notification.ts'
import type { Condition } from '../look.ts'
import { expiringCertificates } from './certificates.ts'
import { newerCrsRelease } from './crs-release.ts'
import { lateJobs, stoppedJobs } from './jobs.ts'
import { silentEdges } from './silent-edges.ts'
import { attackSpikes, errorSpikes } from './traffic.ts'

/** The state behind each kind of alert. */
export const conditions: Readonly<Record<AlertName, Condition>> = {
  failing_logpush_job_disabled_alert: stoppedJobs,
  sluice_logpush_job_lag_alert: lateJobs,
  clickhouse_alert_fw_anomaly: attackSpikes,
  http_alert_edge_error: errorSpikes,
  universal_ssl_event_type: expiringCertificates,
  sluice_crs_release_alert: newerCrsRelease,
  sluice_edge_silent_alert: silentEdges,
}
