/**
 * The durable queue of log records between the edge and delivery.
 * A log has partitions (one a writer locally, one in all on JetStream); inside a partition sequence
 * numbers rise by one from 1 and never change, so that a range of them always names the same records.
 */
export interface RecordLog {
  /** A writer for this process. Locally it owns one partition. */
  writer(name: string): Promise<RecordWriter>
  reader(): Promise<RecordReader>
  close(): Promise<void>
}

export interface RecordWriter {
  /**
   * Queues one record; it is safe from the death of the process once the current turn of the event loop has ended
   * (embedded; from a power loss as the sync policy says) or the server has acknowledged it (JetStream).
   * @param record one JSON text in UTF-8 without line breaks; see `StoredRecord`
   */
  append(record: string): void
  /**
   * Resolves when everything appended so far is safe from the death of the process, with the sync policy `always`
   * from a power loss too.
   * @throws RecordLogError `write-failed` when an attempt fails; the records stay queued and are tried again
   */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface RecordReader {
  partitions(): Promise<readonly string[]>
  /** Sequence of the newest record; 0 when the partition is empty. */
  head(partition: string): Promise<number>
  /**
   * Sequence of the first record that is kept and was received at `ms` since the epoch or later; of the next record to
   * come when there is none. Where a clock was set back, the first by the order of the records.
   */
  at(partition: string, ms: number): Promise<number>
  /**
   * Records after `afterSequence`, in order; empty when there are none (yet). It goes past records that are not kept
   * any more. What was read is as durable as the log can make it (unless the sync policy is `never`), so that a
   * sequence number which somebody has seen never comes to name another record.
   * @param limits stops at whichever is reached first; always returns at least one record when there is one
   */
  read(
    partition: string,
    afterSequence: number,
    limits: { readonly records: number; readonly bytes: number },
  ): Promise<readonly SequencedRecord[]>
  /**
   * Records up to and including `sequence` are delivered to all who want them; nobody waits for them. They are still
   * kept for the retention time, as long as the quota has room. To be called again and again: it is also what removes
   * those whose time is over.
   */
  release(partition: string, sequence: number): Promise<void>
  stats(): Promise<readonly PartitionStats[]>
  close(): Promise<void>
}

export interface PartitionStats {
  readonly partition: string
  readonly bytes: number
  /** Of the oldest record that is kept, ms since the epoch; null when there is none. */
  readonly oldestMs: number | null
  /** As `RecordReader.head`. */
  readonly head: number
  /** As released. */
  readonly delivered: number
  /**
   * Records that the quota took before they were delivered: since the partition began (embedded), since the reader was
   * opened (JetStream).
   */
  readonly dropped: number
}

export interface SequencedRecord {
  readonly sequence: number
  /** When it was appended, ms since the epoch. */
  readonly receivedMs: number
  readonly record: string
}

/**
 * What the JSON text of a record says, its members in this order. `fields` is a LogRecord of `dataset`.
 */
export interface StoredRecord {
  /** Ids. */
  readonly zone: string
  readonly account: string
  readonly dataset: string
  readonly fields: { readonly [field: string]: unknown }
}

/** Tells every process that documents changed; carried by the database, so that none is missed. */
export interface ChangeFeed {
  /**
   * Calls back within 300 ms of a committed write, in the order of the writes, at least once each.
   * After a lost connection it catches up by itself.
   */
  subscribe(onChange: (change: Change) => void): () => void
  close(): Promise<void>
}

export interface Change {
  readonly sequence: number
  /**
   * `zone` covers the zone itself, its rulesets, its shadow and its sampling; `account` its rulesets and which lists it
   * has; `list` the items of one list; `crs` releases; `logpush` jobs.
   */
  readonly kind: 'zone' | 'account' | 'list' | 'crs' | 'logpush'
  /** Id of the zone, account or list; empty for `crs`. */
  readonly id: string
}

/** Counters of rate limits, shared by all who must count together. */
export interface RateCounters {
  /**
   * Adds to the count of a key in its current period and says where that leaves it. A period begins with the first
   * request that is counted; a key that goes beyond `max` stays limited for `mitigationMs`, or until its period ends.
   * @param key byte string that names the rule and what it counts apart
   * @param amount 0 only looks
   */
  count(key: string, amount: number, limit: RateLimit, nowMs: number): RateState | Promise<RateState>
}

export interface RateLimit {
  readonly periodMs: number
  readonly max: number
  /** 0: no longer than the period. */
  readonly mitigationMs: number
}

export interface RateState {
  readonly limited: boolean
  /** When it ends; 0 when it is not limited. */
  readonly untilMs: number
}
