/** Positions and open batches of jobs in the record log. No change entries. */
export interface DeliveryStore {
  cursors(run: Run): Promise<Cursors>
  /** The lowest positions of these jobs' live runs. A partition in which one of them has no position is absent. */
  lowest(jobIds: readonly number[]): Promise<Cursors>
  /**
   * Sets where a run starts, in the partitions where it has no position yet. A disabled job has no positions.
   * @param begin for a live run: the log of these cursors; in other logs the job begins with the records received
   *   from `ms` on. An enabled job that has such a start keeps it and its cursors: then nothing changes
   */
  start(run: Run, cursors: Cursors, begin?: { readonly log: string; readonly ms: number }): Promise<void>
  /**
   * The moment from which a live run reads a log in which it has no position yet, ms since the epoch. Undefined when
   * it has one.
   */
  startOf(jobId: number, log: string): Promise<number | undefined>
  /**
   * Sets the position of a live run in a log in which it has none yet. Partitions that appear in the log later are
   * read from their start.
   * @param ms as `startOf` answered
   * @throws StoreError `stale` when `startOf` answers otherwise by now; `fenced`
   */
  begin(run: Run, log: string, ms: number, cursors: Cursors): Promise<void>
  /**
   * Forgets a job's positions and open batch, and cancels its replays. When the job is enabled again, it starts
   * fresh.
   */
  stop(jobId: number): Promise<void>
  /** All partitions in which live runs have a position, of every log. */
  positions(): Promise<readonly string[]>
  /**
   * Forgets live positions in logs that are gone, and counts one reset for each. A run gets no new position there
   * unless the log is back. A position of an earlier version names no epoch and is transferred to the log of that
   * name.
   * @param partitions the existing partitions, by the names that readers use
   * @param hour `2026-08-12T22:00:00Z`
   * @returns the positions that were forgotten
   */
  reset(
    gone: readonly string[],
    partitions: readonly string[],
    hour: string,
  ): Promise<readonly LostPosition[]>
  /**
   * Advances live runs that had nothing to deliver, some in each transaction; never backwards. A run stays, and its
   * missing records are not counted, in four cases: its job is disabled, its job has another revision, it has an open batch,
   * or its lease is lost.
   * @returns the moves of the other runs
   */
  advance(moves: readonly Move[]): Promise<readonly Move[]>
  /**
   * Stores a batch before its upload. A run has at most one open batch.
   * @param revision of the job as the run knows it
   * @throws StoreError `stale` when a live run's job is disabled or was changed since, when the replay is not
   *   running, or when the run has passed the batch's beginning; `conflict` when another batch is open, or one
   *   of another run has records of it; `fenced`
   */
  openBatch(batch: DeliveryBatch, revision: number): Promise<void>
  openBatchOf(run: Run): Promise<DeliveryBatch | undefined>
  /**
   * Removes a batch that is at its destination or held nothing to send. Moves the run to its end, never backwards,
   * and records the object for the manifest. A batch that is no longer open changes nothing.
   * @param missing counted in the same transaction
   * @param count counted in the same transaction, whether the batch is open or not: the upload was made
   * @returns false when the batch was no longer open
   * @throws StoreError `fenced`
   */
  closeBatch(
    batch: DeliveryBatch,
    object?: ManifestObject,
    missing?: MissingRecords,
    count?: DeliveryCount,
  ): Promise<boolean>
  /**
   * Removes a batch that the destination does not accept as it is, and leaves the run in place, so that its records
   * are batched again. A batch that is no longer open changes nothing.
   * @throws StoreError `fenced`
   */
  giveUpBatch(batch: DeliveryBatch): Promise<void>
  /**
   * Hours (`2026-08-12T22:00:00Z`) before `before` in which a job wrote objects and has no manifest yet, oldest
   * first.
   */
  manifestHours(jobId: number, before: string): Promise<readonly string[]>
  /**
   * Closes this hour and the earlier ones: objects that arrive late for them are listed in the next hour.
   * @throws StoreError `fenced`
   */
  manifestObjects(jobId: number, hour: string, lease?: Lease): Promise<readonly ManifestObject[]>
  /** Forgets the objects of an hour whose manifest is written. @throws StoreError `fenced` */
  closeManifest(jobId: number, hour: string, lease?: Lease): Promise<void>
  /** Adds to the counts. Jobs that are gone are skipped. */
  count(counts: readonly DeliveryCount[]): Promise<void>
  /** Counts of one job from an hour on, oldest first; within an hour by outcome, then status. */
  counts(jobId: number, sinceHour: string): Promise<readonly DeliveryCount[]>
  /** Keeps the longest lag of each job and hour. Jobs that are gone are skipped. */
  raiseLags(lags: readonly DeliveryLag[]): Promise<void>
  /** Lags of one job from an hour on, oldest first. */
  lags(jobId: number, sinceHour: string): Promise<readonly DeliveryLag[]>
  /** Forgets the counts and lags of hours before this one, and logs that were gone by then. */
  forgetHours(beforeHour: string): Promise<void>
}

/** Assigns jobs to delivering processes. No change entries. */
export interface LeaseStore {
  /**
   * Extends the life of a process to `ms` from now, by the database's clock. A process whose time has run out is
   * forgotten, and its leases are free.
   * @param first the process has just started: no earlier process of its data directory is alive
   * @returns all living processes, and the leases of this one
   */
  beat(
    process: DeliveryProcess,
    ms: number,
    first: boolean,
  ): Promise<{ readonly live: readonly DeliveryProcess[]; readonly held: readonly Lease[] }>
  /**
   * Takes leases that no living process holds, each with the next fence. Leases of others, and of jobs that are gone,
   * are left out.
   * @returns all leases of the owner
   */
  take(owner: string, wanted: readonly Pick<Lease, 'jobId' | 'log'>[]): Promise<readonly Lease[]>
  /** Returns leases that the owner no longer needs. */
  release(owner: string, leases: readonly Lease[]): Promise<void>
  /** Frees all leases of a process that ends. */
  leave(id: string): Promise<void>
}

/** The record logs in use, by the names that their readers have. No change entries. */
export interface LogStore {
  /** Registers the log that an edge writes to, for `ms` from now by the database's clock. */
  write(writer: LogWriter, ms: number): Promise<void>
  /** Removes the registrations of an edge that ends. */
  leave(location: string): Promise<void>
  /** The logs that living edges write to, and the logs that living processes deliver from; each once. */
  live(): Promise<{ readonly written: readonly string[]; readonly delivered: readonly string[] }>
  /** Edges whose registration has run out, and that have not ended. They are forgotten after a week. */
  silent(): Promise<readonly SilentEdge[]>
}

/** An edge that writes to a record log. */
export interface LogWriter {
  /** Identifies the data directory. */
  readonly location: string
  /** Name of the machine. */
  readonly host: string
  readonly log: string
}

export interface SilentEdge extends LogWriter {
  /** By the database's clock, ms since the epoch. */
  readonly sinceMs: number
}

/** A job's way through the record log: its live run, or one of its replays. */
export interface Run {
  readonly jobId: number
  /** 0: live. */
  readonly replay: number
  /** The lease of the process that delivers; without one, nothing is checked against leases. */
  readonly lease?: Lease
}

/** A process that delivers logs. */
export interface DeliveryProcess {
  readonly id: string
  /** Identifies the data directory; one process at a time delivers in it. */
  readonly location: string
  /** The record log that it reads. */
  readonly log: string
}

/**
 * The right to deliver a job's records of one log. Each of the holder's writes names the lease, and is refused once
 * the lease is lost.
 */
export interface Lease {
  readonly jobId: number
  readonly log: string
  /** Id of the process. */
  readonly owner: string
  /** Increases each time that the lease is taken. */
  readonly fence: number
}

/** Partition → sequence up to which (inclusive) the run has read. An absent partition is at 0. */
export type Cursors = ReadonlyMap<string, number>

/** A job's last position in a log that is gone. */
export interface LostPosition {
  readonly jobId: number
  readonly partition: string
  readonly sequence: number
}

/** The new position of a live run without an open batch. */
export interface Move {
  readonly jobId: number
  /** Revision of the job as the run knows it. */
  readonly revision: number
  readonly cursors: Cursors
  /** Counted in the same transaction. Records before the stored position are not counted again. */
  readonly missing?: MissingRecords
  readonly lease?: Lease
}

/** Records that a run passed and that no longer existed. */
export interface MissingRecords {
  /** When the gap was seen: `2026-08-12T22:00:00Z` */
  readonly hour: string
  readonly ranges: readonly BatchRange[]
}

export interface DeliveryBatch extends Run {
  readonly ranges: readonly BatchRange[]
  readonly objectName: string
  /**
   * JSON of the settings that determine its bytes (scope, dataset, filter, format), so that a second attempt writes
   * the same.
   */
  readonly shape: string
  /** Lines at the time of storing; 0 for a batch that an earlier version wrote. */
  readonly lines: number
  readonly openedOn: string
}

/** Records of one partition; both ends are included. */
export interface BatchRange {
  readonly partition: string
  readonly first: number
  readonly last: number
}

/** A manifest's entry for one object. */
export interface ManifestObject {
  /** `2026-08-12T22:00:00Z` */
  readonly hour: string
  readonly path: string
  readonly lines: number
  /** Before and after compression. */
  readonly bytes: number
  readonly bytesCompressed: number
  /** Of the compressed bytes, hex. */
  readonly sha256: string
}

/** Upload results of a job in one hour, by outcome and status. */
export interface DeliveryCount {
  readonly jobId: number
  /** `2026-08-12T22:00:00Z` */
  readonly hour: string
  /**
   * `successful`: the batch is delivered. `retry`: an attempt failed and is repeated. `failed`: an attempt failed,
   * and the job must be edited before the next one. `missing`: records were deleted before delivery; `lines` counts
   * those of all datasets. `reset`: the log that the job read was lost or replaced, and is read from its start;
   * `uploads` counts the resets.
   */
  readonly outcome: 'successful' | 'retry' | 'failed' | 'missing' | 'reset'
  /** HTTP status as text, or the failure in a word, such as `unreachable`; empty where there is neither. */
  readonly status: string
  readonly uploads: number
  readonly lines: number
  readonly bytes: number
  readonly bytesCompressed: number
}

/** The longest delivery lag of a job in one hour. */
export interface DeliveryLag {
  readonly jobId: number
  /** `2026-08-12T22:00:00Z` */
  readonly hour: string
  readonly secondsMax: number
}
