import type { AuditEntry } from '../../model/resource.ts'
import type { EdgeReport, Rollout } from '../../model/rollout.ts'

export interface StoredRollout {
  readonly rollout: Rollout
  /** Increases with each change. */
  readonly revision: number
}

export interface RolloutStore {
  get(): Promise<StoredRollout>
  /** @throws StoreError `stale` when it was changed since `revision` */
  put(rollout: Rollout, revision: number, audit?: AuditEntry): Promise<void>
  /** Replaces the edge's report. It counts for a minute. */
  report(report: EdgeReport): Promise<void>
  /** The reports that count, in the order of the edges' ids. */
  reports(): Promise<readonly EdgeReport[]>
}
