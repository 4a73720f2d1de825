/**
 * The durable queue of log records between the edge and delivery. A log has partitions: one for each writer in the
 * spool, one for some of the zones on JetStream. In a partition, sequence numbers increase by one from 1 and never change, so that
 * a range of them always names the same records. The name of a partition holds the epoch of its log
 * (`partitionName`). When the log is lost, created again or has lost its end, the partition gets another name, and
 * the old one is gone.
 */
export interface RecordLog {
  /**
   * A writer for this process. It owns one partition of the spool, also where readers read JetStream.
   * @param isWanted whether some job waits for the records; otherwise no log is full
   */
  writer(name: string, isWanted?: () => boolean): Promise<RecordWriter>
  reader(): Promise<RecordReader>
  /**
   * Begins to move the records of this machine's spool to where readers read them. One process of a data directory
   * does it at a time. Absent where readers read the spool.
   * @param isWanted as for `writer`
   */
  forward?(isWanted?: () => boolean): Promise<Forwarding>
  close(): Promise<void>
}

export interface Forwarding {
  /** Of the spool; `delivered` is the last record that was moved. */
  stats(): Promise<readonly PartitionStats[]>
  /** Moves what is there, if that does not take long, and ends. */
  stop(): Promise<void>
}

export interface RecordWriter {
  /**
   * Why no work that will append a record should begin: another record could only be kept in place of an undelivered
   * one. Work in progress still appends, and capacity is reserved for it. Undefined while the log is not full, and
   * always where the policy deletes the oldest records.
   */
  readonly full: string | undefined
  /**
   * Queues one record. It survives a crash of the process once the current turn of the event loop has ended. The sync
   * policy decides about a power loss.
   * @param record one JSON text in UTF-8 without line breaks; see `StoredRecord`
   */
  append(record: string): void
  /**
   * Resolves when earlier records survive a crash of the process, or could not be written for now: they were handed
   * to the system, with all others of the same turn of the event loop. Never rejects, and never waits for a disk.
   */
  handedOver(): Promise<void>
  /**
   * Resolves when all records appended so far survive a crash of the process, and with the sync policy `always` a
   * power loss too.
   * @throws RecordLogError `write-failed` when an attempt fails; the records stay queued and are tried again
   */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface RecordReader {
  /** Identifies the log: readers of the same name, anywhere, read the same partitions. */
  readonly log: string
  /** Different processes can deliver them: on JetStream one for each stream, in the spool one for all partitions. */
  readonly parts: readonly LogPart[]
  partitions(): Promise<readonly string[]>
  /** Sequence of the newest record; 0 when the partition is empty. */
  head(partition: string): Promise<number>
  /**
   * Sequence of the first stored record that was received at `ms` since the epoch or later; without one, of the next
   * record. Where a clock was set back, the first in the order of the records.
   */
  at(partition: string, ms: number): Promise<number>
  /**
   * Records after `afterSequence`, in order; empty when there are none yet. Deleted records are skipped. Returned
   * records are as durable as the log can make them (unless the sync policy is `never`). So a sequence number never
   * names another record later. A log that ends before `afterSequence` has lost its end and gets a new epoch (fault
   * `reset`).
   * @param limits stops at the first limit reached; always returns at least one record when there is one
   */
  read(
    partition: string,
    afterSequence: number,
    limits: { readonly records: number; readonly bytes: number },
  ): Promise<readonly SequencedRecord[]>
  /**
   * Marks records up to and including `sequence` as delivered to all jobs. They are kept for the retention time while
   * the quota allows it. Call this repeatedly: it also removes records whose retention time is over.
   */
  release(partition: string, sequence: number): Promise<void>
  stats(): Promise<readonly PartitionStats[]>
  /** Whether undelivered records use up the quota: writers then report it too, while some job waits for the records. */
  isFull(): Promise<boolean>
  /**
   * Share of the quota that undelivered records use, from 0. Near 1, requests are refused or records are lost soon. A
   * log without a quota answers 0.
   */
  undeliveredShare(): Promise<number>
  close(): Promise<void>
}

/** Some partitions of a log. */
export interface LogPart {
  /** `partName`; of the only part the log's name. */
  readonly name: string
  /** The existing ones. */
  partitions(): Promise<readonly string[]>
  /** Whether new records come into this part. @param zone id: records of this zone */
  has(zone?: string): boolean
}

export interface PartitionStats {
  readonly partition: string
  readonly bytes: number
  /** When the oldest stored record was received, ms since the epoch; null when there is none. */
  readonly oldestMs: number | null
  /** Sequence of the oldest stored record; without one, of the next record. */
  readonly first: number
  /** As `RecordReader.head`. */
  readonly head: number
  /** The last released sequence. */
  readonly delivered: number
  /**
   * Undelivered records that the quota removed: since the partition began (spool), since the reader was opened
   * (JetStream).
   */
  readonly dropped: number
}

export interface SequencedRecord {
  readonly sequence: number
  /** When the record was appended, ms since the epoch. */
  readonly receivedMs: number
  readonly record: string
}

/** The content of a record's JSON text, members in this order. `fields` is a LogRecord of `dataset`. */
export interface StoredRecord {
  /** Ids. */
  readonly zone: string
  readonly account: string
  readonly dataset: string
  readonly fields: { readonly [field: string]: unknown }
}

/** Informs every process that documents changed. The database carries the changes, so that none is missed. */
export interface ChangeFeed {
  /**
   * Calls back within 300 ms of a committed write, in the order of the writes, at least once each. After a lost
   * connection it catches up by itself. When the database went back (a restored backup, a failover to a lagging
   * server), one change of kind `everything` replaces the lost ones.
   */
  subscribe(onChange: (change: Change) => void): () => void
  close(): Promise<void>
}

export type Change = StoredChange | { readonly kind: 'everything' }

/** A row of the database that records a write. */
export interface StoredChange {
  /** Increases by one with each write. */
  readonly sequence: number
  /**
   * `zone` covers the zone itself, its rulesets, records, load balancers, shadow and sampling. `account` covers its
   * rulesets and the set of its lists, `list` the items of one list. `crs` covers releases, `logpush` jobs, `acme`
   * challenges, and `certificates` the certificates of one zone. `load_balancing` covers the monitors and pools of
   * one account, `access_rules` the rules of one account or zone.
   */
  readonly kind:
    | 'zone'
    | 'account'
    | 'list'
    | 'crs'
    | 'logpush'
    | 'certificates'
    | 'acme'
    | 'load_balancing'
    | 'access_rules'
  /** Id of the zone, account or list; empty for `crs` and `acme`. */
  readonly id: string
  /** Random. The same sequence number with another mark belongs to another history: the database went back. */
  readonly mark: string
}

/** Counters of rate limits, shared by all threads that count; `SharedCounters` shares them with other machines. */
export interface RateCounters {
  /**
   * Adds to the count of a key in its current period and returns the resulting state. A period begins with the first
   * counted request. A key that exceeds `max` stays limited for `mitigationMs`, or until its period ends.
   * @param key byte string that names the rule and its characteristics
   * @param amount 0 only reads
   */
  count(key: string, amount: number, limit: RateLimit, nowMs: number): RateState | Promise<RateState>
}

export interface RateLimit {
  readonly periodMs: number
  readonly max: number
  /** 0: until the period ends. */
  readonly mitigationMs: number
}

export interface RateState {
  readonly limited: boolean
  /** When the limitation ends; 0 when the key is not limited. */
  readonly untilMs: number
}

/** Shares the counts of this machine with other machines, in the background. */
export interface SharedCounters {
  /** Why this machine counts alone at the moment; undefined while it shares. */
  readonly away: string | undefined
  /** Live. */
  readonly stats: SharedCounterStats
  /** Shares the last counts if the server is there, and ends. */
  close(): Promise<void>
}

export interface SharedCounterStats {
  readonly exchanges: number
  /** Counts in these exchanges. */
  readonly counts: number
  /** Failed connections and exchanges, which are retried. */
  readonly failures: number
}
