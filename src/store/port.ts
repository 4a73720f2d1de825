import type { Change } from '../bus/port.ts'
import type {
  Account,
  ApiToken,
  AuditEntry,
  CrsFile,
  CrsRelease,
  InstantSession,
  JobHealth,
  List,
  ListItem,
  ListOperation,
  LogpushJob,
  Phase,
  Redaction,
  Replay,
  Ruleset,
  RulesetSummary,
  Scope,
  Shadow,
  User,
  Zone,
} from '../model/resource.ts'

/**
 * Everything that is kept. Each mutating call is one transaction and writes a change entry in it, and the audit entry
 * that it is given.
 * Adapters: SQLite (embedded) and PostgreSQL, through the same Kysely queries and migrations.
 */
export interface Store {
  readonly accounts: {
    list(): Promise<readonly Account[]>
    get(id: string): Promise<Account | undefined>
    insert(account: Account): Promise<void>
  }
  readonly users: {
    get(id: string): Promise<User | undefined>
    byEmail(email: string): Promise<User | undefined>
    /** Inserts, or replaces the key of the user with that e-mail. */
    put(user: User): Promise<void>
  }
  readonly tokens: {
    list(): Promise<readonly ApiToken[]>
    get(id: string): Promise<ApiToken | undefined>
    byHash(hash: string): Promise<ApiToken | undefined>
    insert(token: ApiToken, audit?: AuditEntry): Promise<void>
    /** @throws StoreError `stale` when there is no such token */
    update(token: ApiToken, audit?: AuditEntry): Promise<void>
    /** @returns false when there is no such token */
    delete(id: string, audit?: AuditEntry): Promise<boolean>
    /** Remembers when a token was used last; no change entry. */
    touch(id: string, at: string): Promise<void>
  }
  readonly zones: {
    list(): Promise<readonly Zone[]>
    get(id: string): Promise<Zone | undefined>
    byName(name: string): Promise<Zone | undefined>
    insert(zone: Zone, audit?: AuditEntry): Promise<void>
    /** @throws StoreError `stale` when there is no such zone */
    update(zone: Zone, audit?: AuditEntry): Promise<void>
    /** Deletes the zone with its rulesets and jobs. @returns false when there is no such zone */
    delete(id: string, audit?: AuditEntry): Promise<boolean>
  }
  readonly rulesets: {
    /** Rulesets of one scope, without rules, oldest first. */
    list(scope: Scope): Promise<readonly RulesetSummary[]>
    get(scope: Scope, id: string): Promise<Ruleset | undefined>
    /** Every ruleset of one scope, whole, oldest first. */
    all(scope: Scope): Promise<readonly Ruleset[]>
    /** Rulesets of an account and of its zones that may name a list (a `$` is in their rules), whole; one query. */
    namingLists(accountId: string): Promise<readonly Ruleset[]>
    /** Versions that are kept, without rules, oldest first; empty when there is no such ruleset. */
    versions(scope: Scope, id: string): Promise<readonly RulesetSummary[]>
    version(scope: Scope, id: string, version: number): Promise<Ruleset | undefined>
    /** Forgets an old version; its number is not used again. @returns false when there is none, or it is the newest */
    deleteVersion(scope: Scope, id: string, version: number, audit?: AuditEntry): Promise<boolean>
    /** The entry point (kind `zone` or `root`) of a phase. */
    entryPoint(scope: Scope, phase: Phase): Promise<Ruleset | undefined>
    /** @throws StoreError `conflict` when the scope already has an entry point for the phase */
    insert(ruleset: Ruleset, audit?: AuditEntry): Promise<void>
    /**
     * Replaces the stored version by the next one.
     * @throws StoreError `stale` when the stored version is not `ruleset.version - 1`
     */
    update(ruleset: Ruleset, audit?: AuditEntry): Promise<void>
    delete(scope: Scope, id: string, audit?: AuditEntry): Promise<boolean>
  }
  readonly shadows: {
    get(zoneId: string): Promise<Shadow | undefined>
    /** Sets a zone's shadow. */
    put(shadow: Shadow, audit?: AuditEntry): Promise<void>
    delete(zoneId: string, audit?: AuditEntry): Promise<boolean>
  }
  /** Which share of a zone's requests is sampled for what other settings would do, 0–1. */
  readonly sampling: {
    /** Undefined: as by default. */
    get(zoneId: string): Promise<number | undefined>
    /** @throws StoreError `conflict` when there is no such zone */
    put(zoneId: string, rate: number, audit?: AuditEntry): Promise<void>
  }
  /** Whether the records of a zone may be pulled; off until it is set. */
  readonly retention: {
    get(zoneId: string): Promise<boolean>
    /** @throws StoreError `conflict` when there is no such zone and the flag is on */
    set(zoneId: string, flag: boolean, audit?: AuditEntry): Promise<void>
  }
  readonly plans: {
    /** What the plans of these zones are built from, besides the zones: one read for many. At most 1,000 zones. */
    documents(zoneIds: readonly string[]): Promise<ReadonlyMap<string, PlanDocuments>>
  }
  readonly lists: {
    /** Lists of an account, oldest first. */
    list(accountId: string): Promise<readonly List[]>
    get(accountId: string, id: string): Promise<List | undefined>
    /** @throws StoreError `conflict` when the account has a list of this name */
    insert(list: List, audit?: AuditEntry): Promise<void>
    /** Name and description. */
    update(list: List, audit?: AuditEntry): Promise<void>
    /** Deletes the list with its items. */
    delete(accountId: string, id: string, audit?: AuditEntry): Promise<boolean>
    /** Items in the order in which they were added. @param after id of the last item of the page before */
    items(
      listId: string,
      page: { readonly after?: string; readonly limit: number; readonly search?: string },
    ): Promise<readonly ListItem[]>
    item(listId: string, id: string): Promise<ListItem | undefined>
    /** Content of every item, for the edge. */
    contents(listId: string): Promise<readonly ListItem['content'][]>
    /**
     * Adds items; one that is there already gets the new content and keeps its id. `replace` takes all others away.
     * Sets the list's modification time and number of items.
     * @throws StoreError `stale` when the list is gone, `conflict` when it would have too many items
     */
    putItems(list: List, items: readonly ListItem[], replace: boolean, audit?: AuditEntry): Promise<void>
    deleteItems(list: List, ids: readonly string[], audit?: AuditEntry): Promise<void>
    operation(accountId: string, id: string): Promise<ListOperation | undefined>
    /** Inserts or replaces. */
    putOperation(operation: ListOperation): Promise<void>
    /** Fails every operation, of any account, that has not ended: whoever ran them is gone. */
    failOpenOperations(error: string, at: string): Promise<void>
  }
  readonly audit: {
    /** Newest first, unless the direction says otherwise. Of the two times the first is included, the second is not. */
    list(
      accountId: string,
      page: {
        readonly offset: number
        readonly limit: number
        readonly id?: string
        readonly since?: string
        readonly before?: string
        readonly zoneId?: string
        readonly action?: string
        readonly resourceKind?: string
        readonly actorId?: string
        readonly actorEmail?: string
        readonly actorIp?: string
        readonly direction?: 'asc' | 'desc'
      },
    ): Promise<readonly AuditEntry[]>
    insert(entry: AuditEntry): Promise<void>
    /** Position of the newest entry; 0 when there is none. Positions rise by one in the order of the commits. */
    head(): Promise<number>
    /** Entries after a position, of every account, in order; those that are not kept any more are passed over. */
    after(
      position: number,
      limit: number,
    ): Promise<readonly { readonly position: number; readonly entry: AuditEntry }[]>
    /** Position of the first entry that is kept and was made at this moment or later; of the next to come otherwise. */
    at(moment: string): Promise<number>
  }
  readonly jobs: {
    /** Jobs of one scope, oldest first: those of an account's zones are not among the account's. */
    list(scope: Scope): Promise<readonly LogpushJob[]>
    /** Enabled jobs of every scope. */
    listEnabled(): Promise<readonly LogpushJob[]>
    get(scope: Scope, id: number): Promise<LogpushJob | undefined>
    /** Assigns the id. */
    insert(job: Omit<LogpushJob, 'id'>, audit?: (job: LogpushJob) => AuditEntry): Promise<LogpushJob>
    /**
     * Stores what a person can change, with the next revision; leaves the health alone.
     * @throws StoreError `stale` when there is no such job
     */
    update(job: LogpushJob, audit?: AuditEntry): Promise<void>
    /** Deletes the job with all that delivery keeps of it. */
    delete(scope: Scope, id: number, audit?: AuditEntry): Promise<boolean>
    /** No change entry. */
    report(id: number, health: JobHealth): Promise<void>
  }
  /** Where jobs are in the record log, and what they have in hand. No change entries. */
  readonly delivery: {
    cursors(run: Run): Promise<Cursors>
    /** What is behind all of these jobs' live runs; a partition where one of them is nowhere is absent. */
    lowest(jobIds: readonly number[]): Promise<Cursors>
    /** Sets where a run starts, in the partitions where it is nowhere yet. */
    start(run: Run, cursors: Cursors): Promise<void>
    /** Forgets where a job is and its open batch, and cancels its replays: when it goes on, it starts anew. */
    stop(jobId: number): Promise<void>
    /**
     * Moves live runs on that had nothing to deliver, all in one transaction; never back. A job that is not enabled, that
     * somebody has written since (its revision is another) or whose batch is open stays where it is, and what it misses
     * is not counted.
     */
    advance(moves: readonly Move[]): Promise<void>
    /**
     * Writes down a batch before it is uploaded. At most one is open a run.
     * @param revision of the job as the run knows it
     * @throws StoreError `stale` when the job is not enabled or was written since (live), when the replay is not running,
     *   or when the run has come past the batch's beginning; `conflict` when another batch is open
     */
    openBatch(batch: DeliveryBatch, revision: number): Promise<void>
    openBatchOf(run: Run): Promise<DeliveryBatch | undefined>
    /**
     * The batch is at its destination (or held nothing to send): removes it, moves the run to its end and remembers the
     * object where a manifest will list it. A batch that is not open any more changes nothing.
     * @param missing counted in the same transaction
     * @returns false when it was not open any more
     */
    closeBatch(batch: DeliveryBatch, object?: ManifestObject, missing?: MissingRecords): Promise<boolean>
    /**
     * The destination will not take the batch as it is: removes it and leaves the run where it is, so that its records
     * are cut anew. A batch that is not open any more changes nothing.
     */
    giveUpBatch(batch: DeliveryBatch): Promise<void>
    /** Hours (`2026-08-12T22:00:00Z`) before `before` that a job has objects of and no manifest yet, oldest first. */
    manifestHours(jobId: number, before: string): Promise<readonly string[]>
    /** Closes the hour, and those before: objects of them that come later are listed in the one after it. */
    manifestObjects(jobId: number, hour: string): Promise<readonly ManifestObject[]>
    /** The manifest is written: its objects are forgotten. */
    closeManifest(jobId: number, hour: string): Promise<void>
    /** Adds to what is counted; a job that is gone is passed over. */
    count(counts: readonly DeliveryCount[]): Promise<void>
    /** Of one job from an hour on, oldest first; of the same hour by outcome, then status. */
    counts(jobId: number, sinceHour: string): Promise<readonly DeliveryCount[]>
    /** Keeps the longest of each job and hour; a job that is gone is passed over. */
    raiseLags(lags: readonly DeliveryLag[]): Promise<void>
    /** Of one job from an hour on, oldest first. */
    lags(jobId: number, sinceHour: string): Promise<readonly DeliveryLag[]>
    /** Forgets the counts and lags of hours before this one. */
    forgetHours(beforeHour: string): Promise<void>
  }
  readonly replays: {
    /** Newest first, at most 100; older ones that have ended are forgotten as new ones come. */
    list(jobId: number): Promise<readonly Replay[]>
    get(jobId: number, id: number): Promise<Replay | undefined>
    /**
     * Assigns the id; writes a change entry of kind `logpush`.
     * @param until where it ends, in every partition that it reads
     * @throws StoreError `stale` when there is no such job
     */
    insert(
      replay: Omit<Replay, 'id'>,
      from: Cursors,
      until: Cursors,
      audit?: (replay: Replay) => AuditEntry,
    ): Promise<Replay>
    /** Those that are running, of every job, with their ends. */
    running(): Promise<readonly { readonly replay: Replay; readonly until: Cursors }[]>
    /** No change entry. A replay that is not running any more stays as it is. When it ends, its cursors and open batch go. */
    update(replay: Replay): Promise<void>
  }
  readonly redaction: {
    /** Undefined: as by default. */
    get(zoneId: string): Promise<Redaction | undefined>
    /** @throws StoreError `conflict` when there is no such zone */
    put(zoneId: string, redaction: Redaction, audit?: AuditEntry): Promise<void>
  }
  /** No change entries. */
  readonly instant: {
    /** Sessions of a zone, oldest first. */
    list(zoneId: string): Promise<readonly InstantSession[]>
    get(id: string): Promise<InstantSession | undefined>
    /** @throws StoreError `conflict` when there is no such zone */
    insert(session: InstantSession, audit?: AuditEntry): Promise<void>
    touch(id: string, listenedOn: string): Promise<void>
    delete(id: string): Promise<void>
  }
  readonly crs: {
    list(): Promise<readonly CrsRelease[]>
    /** The release that `latest` means. */
    active(): Promise<CrsRelease | undefined>
    byVersion(version: number): Promise<CrsRelease | undefined>
    files(version: number): Promise<readonly CrsFile[]>
    /**
     * Stores a release with its managed rulesets and makes it active, in one transaction. Assigns the version.
     * A release with this digest that is there already is made active and returned instead.
     */
    insert(release: NewCrsRelease): Promise<CrsRelease>
    /** The same without making it active: what runs stays. */
    keep(release: NewCrsRelease, audit?: (release: CrsRelease) => AuditEntry): Promise<CrsRelease>
    activate(version: number, audit?: AuditEntry): Promise<boolean>
    /** Managed rulesets of a release, without scope. */
    managedRulesets(version: number): Promise<readonly ManagedRuleset[]>
    /** The `crs-setup.conf` of one's own; undefined when there is none. */
    setup(): Promise<string | undefined>
    setSetup(text: string | undefined): Promise<void>
  }
  /** Values of the installation such as signing keys: name → text. */
  readonly secrets: {
    get(name: string): Promise<string | undefined>
    /** Keeps the first value written, whoever writes it. @returns the value that is kept */
    putOnce(name: string, value: string): Promise<string>
  }
  readonly changes: {
    /** Entries after `sequence`, oldest first, at most 1,000. */
    after(sequence: number): Promise<readonly Change[]>
    head(): Promise<number>
  }
  /** Answers when the database does. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface PlanDocuments {
  /** Whole, oldest first. */
  readonly rulesets: readonly Ruleset[]
  readonly shadow: Shadow | undefined
  /** Undefined: as by default. */
  readonly redaction: Redaction | undefined
  /** Undefined: as by default. */
  readonly sampleRate: number | undefined
}

/** A job's way through the record log: its live one, or one of its replays. */
export interface Run {
  readonly jobId: number
  /** 0: live. */
  readonly replay: number
}

/** Partition → sequence up to which (inclusive) everything is behind the run. A partition that is absent is at 0. */
export type Cursors = ReadonlyMap<string, number>

/** Where a live run is that has nothing in hand. */
export interface Move {
  readonly jobId: number
  /** Of the job as the run knows it. */
  readonly revision: number
  readonly cursors: Cursors
  /** Counted in the same transaction, those that are behind the run already apart. */
  readonly missing?: MissingRecords
}

/** Records that a run has come past and that were not there (any more). */
export interface MissingRecords {
  /** When that was seen: `2026-08-12T22:00:00Z` */
  readonly hour: string
  readonly ranges: readonly BatchRange[]
}

export interface DeliveryBatch extends Run {
  readonly ranges: readonly BatchRange[]
  readonly objectName: string
  /** JSON of what decides its bytes (scope, dataset, filter, format), so that a second attempt writes the same. */
  readonly shape: string
  readonly openedOn: string
}

/** Records of one partition; both ends are in it. */
export interface BatchRange {
  readonly partition: string
  readonly first: number
  readonly last: number
}

/** What a manifest says of one object. */
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

/** What came of a job's uploads in one hour, by outcome and status. */
export interface DeliveryCount {
  readonly jobId: number
  /** `2026-08-12T22:00:00Z` */
  readonly hour: string
  /**
   * `successful`: the batch is there. `retry`: an attempt failed and is made again. `failed`: an attempt failed and only
   * a person can mend it. `missing`: records went before they were delivered; `lines` counts those of all datasets.
   */
  readonly outcome: 'successful' | 'retry' | 'failed' | 'missing'
  /** HTTP status as text, or what went wrong in a word, such as `unreachable`; empty where there is neither. */
  readonly status: string
  readonly uploads: number
  readonly lines: number
  readonly bytes: number
  readonly bytesCompressed: number
}

/** How far the delivery of a job was behind at worst in one hour. */
export interface DeliveryLag {
  readonly jobId: number
  /** `2026-08-12T22:00:00Z` */
  readonly hour: string
  readonly secondsMax: number
}

export type ManagedRuleset = Omit<Ruleset, 'scope'>

export interface NewCrsRelease {
  readonly crsVersion: string
  readonly digest: string
  readonly origin: string
  readonly files: readonly CrsFile[]
  /** Made once the version is known, because rules carry it. */
  readonly managedRulesets: (version: number, importedOn: string) => readonly ManagedRuleset[]
}

/** The database refused or is away. */
export class StoreError extends Error {
  readonly code: 'conflict' | 'stale' | 'unavailable'
  constructor(code: 'conflict' | 'stale' | 'unavailable', message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
    this.code = code
  }
}
