import type { Logger } from 'pino'
import type { Analytics } from '../analytics/index.ts'
import type { RecordReader } from '../bus/port.ts'
import type { Imported } from '../crs/index.ts'
import type { Clock } from '../kit/clock.ts'
import type { DestinationPolicy, InstantLogs, JobReport, LogPull, ReplayRequest } from '../logpush/index.ts'
import type { CertificateReport } from '../model/certificate.ts'
import type { Notification, NotificationWebhook } from '../model/notification.ts'
import type { TraceAnswer, TraceRequest } from '../model/request-trace.ts'
import type { AuditEntry, CrsRelease, LogpushJob, NotEnforced, Replay, Zone } from '../model/resource.ts'
import type { Rollout } from '../model/rollout.ts'
import type { Reach } from '../model/settings/index.ts'
import type { DataSources } from '../rulesets/index.ts'
import type { Store } from '../store/port.ts'
import type { SignInFailure } from './access/failed-sign-ins.ts'
import type { OidcSetup } from './access/oidc/provider.ts'
import type { Dashboard } from './system/dashboard-files.ts'

/** The dependencies of the API. */
export interface ApiDeps extends DataSources {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  /** Whether every role of this process is ready for work. */
  isReady(): boolean
  /** Reason why the edge of this process refuses requests, with the remedy; undefined while it serves them. */
  edgeRefuses(): Promise<string | undefined>
  /** Sentences on what does not work although the process is ready. Anyone may read them. */
  details(): readonly string[]
  /**
   * The certificates that clients get.
   * @param zone only for its name and names below it
   * @throws when neither an edge nor the database answers
   */
  certificates(zone?: Zone): Promise<readonly CertificateReport[]>
  /** The dashboard; without it, a small page explains the address. */
  readonly dashboard: Dashboard | undefined
  /** Address of the edge of this process, such as `http://127.0.0.1:8080`; undefined when it runs elsewhere. */
  edgeUrl(): string | undefined
  /** Version of the newest CRS release that upstream published. @throws Error when upstream does not answer */
  newestCrsRelease(): Promise<string>
  readonly crs: CrsChanges
  /** Counts a sign-in that failed. */
  signInFailed(failure: SignInFailure): void
  /** Where users can sign in, beside passwords. */
  readonly oidc: OidcSetup | undefined
  /** Prometheus text. */
  metrics(): Promise<string>
  /**
   * Sets where a job that becomes enabled starts to read.
   * @param fromMs at the records that were received from then on, as far as they are kept; without it at the newest
   */
  readonly startJob: (job: LogpushJob, fromMs?: number) => Promise<void>
  /** Delivers the records of a range again, beside the regular delivery of the job. */
  readonly replayJob: (
    job: LogpushJob,
    request: ReplayRequest,
    audit: (replay: Replay) => AuditEntry,
  ) => Promise<Replay>
  /** @param sinceHour first hour of the counts */
  readonly reportJob: (job: LogpushJob, sinceHour: string) => Promise<JobReport>
  readonly instantLogs: InstantLogs
  /** Lines of the record log, as `pullLogs`. */
  readonly readLogs: (pull: LogPull, signal: AbortSignal) => AsyncGenerator<string, void>
  /** The record log, for samples of the newest records. */
  readonly records: Pick<RecordReader, 'log' | 'stats' | 'at' | 'read'>
  readonly analytics: Analytics
  /**
   * Traces a request through an edge of this process; undefined if the process has none.
   * @throws when the edge fails or does not answer in time
   */
  readonly traceRequest: ((request: TraceRequest) => Promise<TraceAnswer>) | undefined
  /** Peers whose X-Forwarded-For is trusted, as addresses or CIDR blocks; it decides the client address. */
  readonly trustedProxies: readonly string[]
  /** Addresses that origins may have. */
  readonly origins: Reach
  /** Unix sockets that origins may be: their paths, or directories of them. */
  readonly originSockets: readonly string[]
  /** The handling of settings that cannot be enforced here. */
  readonly notEnforced: NotEnforced
  readonly destinations: DestinationPolicy
  /** Sends a notification to its receiver. @returns why the receiver has not taken it */
  readonly sendNotification: (
    notification: Notification,
    webhooks: readonly NotificationWebhook[],
  ) => Promise<string | undefined>
  /** Whether notifications can be sent as e-mails. */
  readonly sendsEmail: boolean
  readonly stages: StagesOfChanges
}

/** Changes of the CRS releases of the installation. */
export interface CrsChanges {
  /**
   * Imports the newest release of upstream and checks its signature; the active release stays.
   * @throws CrsError
   */
  obtain(audit: (release: CrsRelease) => AuditEntry): Promise<Imported>
  /** Activates an imported release, so that `latest` refers to it. @throws CrsError */
  use(version: number, audit: AuditEntry): Promise<CrsRelease>
}

/** How changes come to edges, as the settings of this process say. */
export interface StagesOfChanges {
  /** Of the edges that take changes first, in percent; 0: changes are not staged. */
  readonly share: number
  /** When staged changes go to all edges if no further change comes, ms since the epoch. */
  readonly endMs: (rollout: Rollout) => number
}
