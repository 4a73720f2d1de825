import type { Change } from '../bus/port.ts'
import type {
  Account,
  ApiToken,
  AuditEntry,
  CrsFile,
  CrsRelease,
  List,
  ListItem,
  ListOperation,
  LogpushJob,
  Phase,
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
        readonly actorEmail?: string
        readonly actorIp?: string
        readonly direction?: 'asc' | 'desc'
      },
    ): Promise<readonly AuditEntry[]>
    insert(entry: AuditEntry): Promise<void>
  }
  readonly jobs: {
    list(zoneId: string): Promise<readonly LogpushJob[]>
    /** Enabled jobs of every zone. */
    listEnabled(): Promise<readonly LogpushJob[]>
    get(zoneId: string, id: number): Promise<LogpushJob | undefined>
    /** Assigns the id. */
    insert(job: Omit<LogpushJob, 'id'>, audit?: (job: LogpushJob) => AuditEntry): Promise<LogpushJob>
    /**
     * Stores what a person can change; leaves last_complete, last_error and error_message alone.
     * @throws StoreError `stale` when there is no such job
     */
    update(job: LogpushJob, audit?: AuditEntry): Promise<void>
    /** Deletes the job with its cursors and batches. */
    delete(zoneId: string, id: number, audit?: AuditEntry): Promise<boolean>
    /** Health after an upload; no change entry. */
    report(id: number, health: Pick<LogpushJob, 'lastComplete' | 'lastError' | 'errorMessage'>): Promise<void>
  }
  readonly delivery: {
    cursors(jobId: number): Promise<readonly DeliveryCursor[]>
    /** Sets where a job starts in a partition, unless it has a cursor there already. */
    start(cursor: DeliveryCursor): Promise<void>
    /** Forgets the cursors and open batches of a job: when it goes on, it starts anew. */
    stop(jobId: number): Promise<void>
    /**
     * Writes down a batch before it is uploaded. At most one is open a job and partition.
     * @throws StoreError `stale` when there is no such enabled job, or when it has come past the batch's beginning
     */
    openBatch(batch: DeliveryBatch): Promise<void>
    openBatches(jobId: number): Promise<readonly DeliveryBatch[]>
    /**
     * The batch is at its destination (or held nothing to send): removes it and moves the cursor to its end.
     * A batch that is not open any more moves nothing.
     */
    closeBatch(batch: DeliveryBatch): Promise<void>
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
    activate(version: number): Promise<boolean>
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
}

export interface DeliveryCursor {
  readonly jobId: number
  readonly partition: string
  /** Everything up to here is delivered. */
  readonly sequence: number
}

export interface DeliveryBatch {
  readonly jobId: number
  readonly partition: string
  readonly firstSequence: number
  readonly lastSequence: number
  readonly objectName: string
  /** JSON of what shapes the bytes (destination, fields, filter, format), so that a replay writes the same. */
  readonly shape: string
  readonly openedOn: string
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
