import type { RecordReader } from '../bus/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { InstantSession, LogpushJob } from '../model/resource.ts'
import type { Reach } from '../model/settings/index.ts'
import type { DeliveryCount, DeliveryLag, LostPosition } from '../store/port/delivery.ts'
import type { Store } from '../store/port.ts'
import type { LineFormat } from './output/format.ts'
import type { Loss } from './run/losses.ts'

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

/** The destinations that jobs may use. */
export interface DestinationPolicy {
  /** Addresses that may be connected to. */
  readonly reach: Reach
  /** Directory of all file destinations. Created when needed. */
  readonly directory: string
}

export interface DeliveryDeps {
  readonly store: Store
  readonly reader: RecordReader
  readonly clock: Clock
  /** Identifies this process's data directory in an installation. Only one process at a time delivers there. */
  readonly location: string
  readonly destinations: DestinationPolicy
  /** Memory for the batches of all jobs. */
  readonly batchBytes: number
  /** Called after every attempt to deliver a batch, for the log and the metrics. */
  readonly onOutcome: (job: LogpushJob, outcome: DeliveryOutcome) => void
  /** The log that a job read was lost or replaced: it is read from its start. */
  readonly onReset?: (position: LostPosition) => void
  /** Records were lost before a job had delivered them: the quota deleted them, or they cannot be read. */
  readonly onLoss?: (loss: Loss) => void
  /** An operation around the jobs failed; it is repeated. */
  readonly onError: (message: string, error?: unknown) => void
  /** Overrides of the usual pace, for tests that cannot wait. */
  readonly pace?: Partial<DeliveryPace>
}

/** Waiting times of delivery, ms. */
export interface DeliveryPace {
  /** Between two looks for new records. */
  readonly tickMs: number
  /** A batch is not closed before its first line is this old, so that lines of one moment share an object. */
  readonly settleMs: number
  /** Records younger than this wait for those of other partitions that were received before them. */
  readonly orderMs: number
  /** After a first failure; doubled after each further one … */
  readonly retryFirstMs: number
  /** … up to this. */
  readonly retryLongestMs: number
  /** Time limit for a destination to accept a batch. */
  readonly uploadMs: number
  /** Interval at which a paused job is tried all the same. */
  readonly pausedRetryMs: number
  /** Interval at which positions, counts, manifests and releases are updated. */
  readonly upkeepMs: number
  /** A process that is silent for this long, by the database's clock, counts as dead: others take its jobs. */
  readonly leaseMs: number
}

export interface DeliveryOutcome {
  /** `paused`: the job must be edited first. */
  readonly outcome: 'successful' | 'retry' | 'paused'
  /** HTTP status as text, or the failure in a word; empty where there is neither. */
  readonly status: string
  readonly lines: number
  /** Before and after compression. */
  readonly bytes: number
  readonly bytesCompressed: number
  /** Name of the object, or the reason of the failure. */
  readonly message: string
}

export interface Delivery {
  /** Re-reads jobs and replays; called when they changed. */
  refresh(): void
  /** The lag of each running job, for the metrics. */
  lags(): readonly JobLag[]
  /**
   * Finishes uploads in progress, delivers the stored records (one attempt), then stops. Uploads that take longer than
   * `finishMs` (5 s) are aborted: the next process repeats them.
   */
  stop(finishMs?: number): Promise<void>
}

export interface JobLag {
  readonly jobId: number
  /** Age of the oldest record that the job has not passed, in seconds; 0 when it has passed all. */
  readonly lagSeconds: number
  readonly paused: boolean
}

/** A range of time whose records a job is to deliver again. */
export interface ReplayRequest {
  /**
   * As requested, and in ms since the epoch: records received from the first moment (inclusive) to the second
   * (exclusive).
   */
  readonly start: string
  readonly end: string
  readonly startMs: number
  readonly endMs: number
}

/** The state of a job's delivery. */
export interface JobReport {
  readonly state: 'disabled' | 'running' | 'retrying' | 'paused'
  /** When the oldest record that the job has not passed was received; null when it has passed all. */
  readonly oldestUndelivered: string | null
  readonly counts: readonly DeliveryCount[]
  readonly lags: readonly DeliveryLag[]
  /** Records after its position that no longer exist; counted as `missing` when it passes them. */
  readonly lost: number
  /** Records that wait for this job in a full log, so that edges refuse requests; 0 while the log is not full. */
  readonly held: number
}

/** Reads the record log for Logpull. */
export type LogPull = ReceivedPull | RayPull

/** Records of a zone that were received from `fromMs` (inclusive) to `toMs` (exclusive), ms since the epoch. */
export interface ReceivedPull {
  readonly kind: 'received'
  readonly zoneId: string
  readonly format: LineFormat
  readonly fromMs: number
  readonly toMs: number
  /** Maximum of lines, after sampling. */
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

/** Shows records to people as they arrive. */
export interface InstantLogs {
  /**
   * Sends a session's lines to a listener: of records that arrive after this resolves, and maybe some before. The
   * caller checks whether the session is over.
   * @returns ends the listener; further calls do nothing
   * @throws InstantLimitError
   */
  listen(session: InstantSession, listener: InstantListener): Promise<() => void>
  stats(): InstantStats
  /** Ends every listener; new ones are refused. */
  close(): Promise<void>
}

/** Receives the lines of a session. Its methods must not throw. */
export interface InstantListener {
  /** Bytes that were sent and are not taken yet. */
  waitingBytes(): number
  /** @param lines NDJSON, each with its line break */
  send(lines: string): void
  /** The number of lines that were left out, because too many wait. */
  leaveOut(lines: number): void
  /** No lines follow. */
  end(reason: InstantEnd): void
}

/** The session has reached its time limit, or was deleted, or this process stops. */
export type InstantEnd = 'age' | 'gone' | 'stopped'

export interface InstantStats {
  /** Sessions with listeners. */
  readonly sessions: number
  readonly listeners: number
  /** Since the start; a line counts once for each listener. */
  readonly linesSent: number
  readonly linesLeftOut: number
}
