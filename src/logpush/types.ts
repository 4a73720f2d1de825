import type { LogpushJob } from '../model/resource.ts'
import type { Clock } from '../kit/clock.ts'
import type { RecordReader } from '../bus/port.ts'
import type { Store } from '../store/port.ts'

/**
 * What the API's routes use (exported by index.ts):
 *
 *   createJob(body: unknown, zoneId): Checked<Omit<LogpushJob, 'id'>>
 *   updateJob(body: unknown, current: LogpushJob): Checked<LogpushJob>
 *   checkDestination(destinationConf: string): Promise<DestinationCheck>          (writes a probe)
 *   destinationNeedsOwnership(destinationConf: string): boolean
 *   issueOwnership(destinationConf: string, owner: OwnershipOwner): Promise<OwnershipIssue>   (writes the challenge file)
 *   verifyOwnership(token: string, destinationConf: string, owner: OwnershipOwner): boolean
 *   validateLogpullOptions(dataset: string, options: string | null): Checked<void>
 *   datasets: ReadonlyMap<string, Dataset>
 * and the app:
 *   startDelivery(deps: DeliveryDeps): Delivery
 */
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
  /** Finishes uploads under way, delivers what is due now, then stops. */
  stop(): Promise<void>
}
