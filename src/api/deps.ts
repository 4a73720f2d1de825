import type { Logger } from 'pino'
import type { Clock } from '../kit/clock.ts'
import type { LogPull } from '../logpush/index.ts'
import type { LogpushJob } from '../model/resource.ts'
import type { DestinationReach } from '../model/settings.ts'
import type { Store } from '../store/port.ts'

/** What the API needs from its surroundings. */
export interface ApiDeps {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  /** Whether every role of this process is ready for work. */
  isReady(): boolean
  /** Prometheus text. */
  metrics(): Promise<string>
  /** Sets where a job that becomes enabled starts to read: at the newest records, so that nothing old is delivered. */
  readonly startJob: (job: LogpushJob) => Promise<void>
  /** Lines of the record log, as `pullLogs`. */
  readonly readLogs: (pull: LogPull, signal: AbortSignal) => AsyncGenerator<string, void>
  /** Peers whose X-Forwarded-For is believed, as addresses or CIDR blocks: conditions of tokens and the audit trail look at it. */
  readonly trustedProxies: readonly string[]
  /** Where log push may connect to. */
  readonly destinations: DestinationReach
}
