import type { RecordReader } from '../bus/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { InstantSession, LogpushJob } from '../model/resource.ts'
import type { DestinationReach } from '../model/settings.ts'
import type { DeliveryCount, DeliveryLag, Store } from '../store/port.ts'
import type { LineFormat } from './format.ts'

export interface OwnershipOwner {
  readonly scope: 'zone' | 'account'
  readonly id: string
  /** Signing key of the installation. */
  readonly key: string
  readonly clock: Clock
}

export interface OwnershipIssue {
  readonly filename: string
  readonly valid: boolean
  readonly message: string
}

export interface DestinationCheck {
  readonly valid: boolean
  /** Empty when valid. */
  readonly message: string
}

export interface DeliveryDeps {
  readonly store: Store
  readonly reader: RecordReader
  readonly clock: Clock
  /** Where jobs may connect to. */
  readonly destinations: DestinationReach
  /** Called after every attempt to deliver a batch, for the log and the metrics. */
  readonly onOutcome: (job: LogpushJob, outcome: DeliveryOutcome) => void
  /** Something around the jobs failed; it is tried again. */
  readonly onError: (message: string, error?: unknown) => void
  /** Other than the usual ones, for tests that cannot wait. */
  readonly pace?: Partial<DeliveryPace>
}

/** How long delivery waits for what, ms. */
export interface DeliveryPace {
  /** Between two looks for new records. */
  readonly tickMs: number
  /** A batch is not closed before its first line is this old, so that lines of one moment share an object. */
  readonly settleMs: number
  /** Records younger than this wait for those of other partitions that were received before them. */
  readonly orderMs: number
  /** After a first failure; doubled with each further one … */
  readonly retryFirstMs: number
  /** … up to this. */
  readonly retryLongestMs: number
  /** A destination has this long to take a batch. */
  readonly uploadMs: number
  /** A paused job is tried this often all the same. */
  readonly pausedRetryMs: number
  /** Positions, counts, manifests and releases are brought up to date this often. */
  readonly upkeepMs: number
}

export interface DeliveryOutcome {
  /** `paused`: only a person can mend it. */
  readonly outcome: 'successful' | 'retry' | 'paused'
  /** HTTP status as text, or what went wrong in a word; empty where there is neither. */
  readonly status: string
  readonly lines: number
  /** Before and after compression. */
  readonly bytes: number
  readonly bytesCompressed: number
  /** Name of the object, or why it failed. */
  readonly message: string
}

export interface Delivery {
  /** Re-reads jobs and replays; called when they changed. */
  refresh(): void
  /** What each running job is at, for the metrics. */
  lags(): readonly JobLag[]
  /** Finishes uploads under way, delivers what there is (one attempt), then stops. Waits a few seconds at most. */
  stop(): Promise<void>
}

export interface JobLag {
  readonly jobId: number
  /** How long ago the oldest record was received that the job has not passed; 0 when it has passed all. Seconds. */
  readonly lagSeconds: number
  readonly paused: boolean
}

/** A range of time that a job's records are to be delivered of once more. */
export interface ReplayRequest {
  /** As they were asked for, and ms since the epoch: records received from the first on and before the second. */
  readonly start: string
  readonly end: string
  readonly startMs: number
  readonly endMs: number
}

/** How the delivery of a job is doing. */
export interface JobReport {
  readonly state: 'disabled' | 'running' | 'retrying' | 'paused'
  /** When the oldest record that the job has not passed was received; null when it has passed all. */
  readonly oldestUndelivered: string | null
  readonly counts: readonly DeliveryCount[]
  readonly lags: readonly DeliveryLag[]
}

/** What is pulled from the record log. */
export type LogPull = ReceivedPull | RayPull

/** Records of a zone that were received from `fromMs` on and before `toMs`, ms since the epoch. */
export interface ReceivedPull {
  readonly kind: 'received'
  readonly zoneId: string
  readonly format: LineFormat
  readonly fromMs: number
  readonly toMs: number
  /** Lines at most, after sampling. */
  readonly countMax: number
}

/** Records of a zone that have this ray id. */
export interface RayPull {
  readonly kind: 'ray'
  readonly zoneId: string
  readonly format: LineFormat
  readonly rayId: string
  readonly nowMs: number
}

/** Lets people look at records as they come. */
export interface InstantLogs {
  /**
   * Hands a session's lines to a listener: those of records that come after this resolves, and maybe some before.
   * Whether the session is over is the caller's to know.
   * @returns to be called when the listener is gone; again does nothing
   * @throws InstantLimitError
   */
  listen(session: InstantSession, listener: InstantListener): Promise<() => void>
  stats(): InstantStats
  /** Ends every listener; nobody may listen any more. */
  close(): Promise<void>
}

/** Who takes the lines of a session. Its methods must not throw. */
export interface InstantListener {
  /** What was sent and is not taken yet. */
  waitingBytes(): number
  /** @param lines NDJSON, each with its line break */
  send(lines: string): void
  /** So many lines were not sent, because too much waits. */
  leaveOut(lines: number): void
  /** Nothing comes after this. */
  end(reason: InstantEnd): void
}

/** The session has lasted as long as it may, or is not there any more, or this process stops. */
export type InstantEnd = 'age' | 'gone' | 'stopped'

export interface InstantStats {
  /** That somebody listens to. */
  readonly sessions: number
  readonly listeners: number
  /** Since the start; a line counts once for each listener. */
  readonly linesSent: number
  readonly linesLeftOut: number
}
