import type { RecordReader } from '../bus/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { LogpushJob } from '../model/resource.ts'
import type { DestinationReach } from '../model/settings.ts'
import type { Store } from '../store/port.ts'
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
  /** Called once a failure or success changes a job's health, for the log. */
  readonly onOutcome: (job: LogpushJob, outcome: DeliveryOutcome) => void
  /** Something around the jobs failed; it is tried again. */
  readonly onError: (message: string, error?: unknown) => void
}

export interface DeliveryOutcome {
  readonly ok: boolean
  readonly records: number
  readonly bytes: number
  readonly message: string
}

export interface Delivery {
  /** Re-reads the jobs; called when they changed. */
  refresh(): void
  /** Finishes uploads under way, delivers what there is (one attempt), then stops. Waits a few seconds at most. */
  stop(): Promise<void>
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
