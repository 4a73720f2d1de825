import type { Logger } from 'pino'
import type { Analytics } from '../analytics/index.ts'
import type { RecordReader } from '../bus/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { InstantLogs, JobReport, LogPull, ReplayRequest } from '../logpush/index.ts'
import type { TraceAnswer, TraceRequest } from '../model/request-trace.ts'
import type { AuditEntry, LogpushJob, Replay } from '../model/resource.ts'
import type { DestinationReach } from '../model/settings.ts'
import type { Store } from '../store/port.ts'
import type { CrsChanges } from './crs-imports.ts'
import type { Dashboard } from './dashboard-files.ts'

/** What the API needs from its surroundings. */
export interface ApiDeps {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  /** Whether every role of this process is ready for work. */
  isReady(): boolean
  /** The page for people; without it a small page says what this address is. */
  readonly dashboard: Dashboard | undefined
  /** Address of the edge of this process, such as `http://127.0.0.1:8080`; undefined when it runs elsewhere. */
  edgeUrl(): string | undefined
  /** Version of the newest CRS release that upstream published. @throws Error when upstream does not answer */
  newestCrsRelease(): Promise<string>
  readonly crs: CrsChanges
  /** Prometheus text. */
  metrics(): Promise<string>
  /**
   * Sets where a job that becomes enabled starts to read.
   * @param fromMs at the records that were received from then on, as far as they are kept; without it at the newest
   */
  readonly startJob: (job: LogpushJob, fromMs?: number) => Promise<void>
  /** Lets records of a range be delivered once more, beside the job's own delivery. */
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
  /** The record log, where the newest records are looked at. */
  readonly records: Pick<RecordReader, 'stats' | 'at' | 'read'>
  readonly analytics: Analytics
  /**
   * Asks an edge of this process what would become of a request; undefined when it runs none.
   * @throws when the edge fails or does not answer in time
   */
  readonly traceRequest: ((request: TraceRequest) => Promise<TraceAnswer>) | undefined
  /** Peers whose X-Forwarded-For is believed, as addresses or CIDR blocks: conditions of tokens and the audit trail look at it. */
  readonly trustedProxies: readonly string[]
  /** Where log push may connect to. */
  readonly destinations: DestinationReach
}
