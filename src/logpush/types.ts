import type { RecordReader } from '../bus/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { LogpushJob } from '../model/resource.ts'
import type { Store } from '../store/port.ts'

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
