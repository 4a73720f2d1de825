import type {
  AuditEntry,
  InstantSession,
  JobHealth,
  LogpushJob,
  Replay,
  Scope,
} from '../../model/resource.ts'
import type { Basis } from './basis.ts'
import type { Cursors, Lease } from './delivery.ts'

export interface JobStore {
  /** Jobs of one scope, oldest first. An account's list leaves out the jobs of its zones. */
  list(scope: Scope): Promise<readonly LogpushJob[]>
  /** Jobs of an account and of its zones, oldest first. */
  listOfAccount(accountId: string): Promise<readonly LogpushJob[]>
  /** Enabled jobs of every scope. */
  listEnabled(): Promise<readonly LogpushJob[]>
  get(scope: Scope, id: number): Promise<LogpushJob | undefined>
  /**
   * Assigns the id. @throws StoreError `conflict` when its zone or account is gone, `full` when that has too many
   * jobs
   */
  insert(job: Omit<LogpushJob, 'id'>, audit?: (job: LogpushJob) => AuditEntry): Promise<LogpushJob>
  /**
   * Stores the editable settings with the next revision, and leaves the health alone. Delivery forgets the positions
   * of a job that is disabled.
   * @throws StoreError `stale` when the job was changed since it was read, or is gone
   */
  update(job: LogpushJob, audit?: AuditEntry): Promise<void>
  /**
   * Deletes the job with all its delivery state.
   * @param revision required revision; absent: any
   * @throws StoreError `stale` when there is none of that revision
   */
  delete(scope: Scope, id: number, audit?: AuditEntry, revision?: number): Promise<boolean>
  /**
   * Stores the health. No change entry.
   * @param part of the log that it is about, where the parts of a log are delivered separately. The job then has the
   *   newest delivery of all parts, and the fault of one as long as any has one, a pause before others
   */
  report(id: number, health: JobHealth, part?: string): Promise<void>
}

export interface ReplayStore {
  /** Newest first, at most 100. Older replays that have ended are deleted as new ones are added. */
  list(jobId: number): Promise<readonly Replay[]>
  get(jobId: number, id: number): Promise<Replay | undefined>
  /**
   * Assigns the id and writes a change entry of kind `logpush`.
   * @param until where the replay ends, in every partition that it reads
   * @throws StoreError `stale` when there is no such job, `full` when too many of its replays are running
   */
  insert(
    replay: Omit<Replay, 'id'>,
    from: Cursors,
    until: Cursors,
    audit?: (replay: Replay) => AuditEntry,
    log?: string,
  ): Promise<Replay>
  /** Running replays of every job, with their ends and the log that they read (empty for one of an earlier version). */
  running(): Promise<readonly { readonly replay: Replay; readonly until: Cursors; readonly log: string }[]>
  /**
   * Stores the state of a running replay; a replay that is no longer running is left as it is. When it ends, its
   * cursors and open batch are removed. No change entry.
   * @throws StoreError `fenced`
   */
  update(replay: Replay, lease?: Lease): Promise<void>
}

/** No change entries. */
export interface InstantStore {
  /** Sessions of a zone, oldest first. */
  list(zoneId: string): Promise<readonly InstantSession[]>
  get(id: string): Promise<InstantSession | undefined>
  /**
   * @param basis ids of the zone's sessions, as `list` returned them
   * @throws StoreError `conflict` when there is no such zone, `stale` when the sessions differ from the basis
   */
  insert(session: InstantSession, audit?: AuditEntry, basis?: Basis<readonly string[]>): Promise<void>
  touch(id: string, listenedOn: string): Promise<void>
  /** Writes no audit entry when the session is gone already. */
  delete(id: string, audit?: AuditEntry): Promise<void>
}
