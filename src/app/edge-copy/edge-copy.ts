import type { Change, ChangePosition } from '../../bus/index.ts'
import type { EnforcedAccessRule } from '../../model/access-rule.ts'
import type { Zone } from '../../model/resource.ts'
import { type ServedCertificate, StoreError } from '../../store/index.ts'
import type { EdgeStore } from '../edge/edge-store.ts'
import type { CopyFile } from './copy-file.ts'
import { type AccountDocuments, ChangedDocuments, type ReleaseDocuments } from './documents.ts'
import { type CopyState, stateOf } from './state.ts'

interface Secret {
  readonly name: string
  readonly value: string
}

export interface EdgeCopyDeps {
  /** Only this process writes it. */
  readonly file: CopyFile
  readonly program: string
  /**
   * Sequence of the last change for every edge; undefined: all changes are for every edge. The documents from before
   * later changes are kept, so that this edge can go back to them.
   */
  readonly everywhere: () => number | undefined
  /** The file cannot be used; the edge asks the database until it can. */
  readonly onError: (error: unknown) => void
}

/**
 * The documents that edges use, on the disk of this process: what edge workers are told and what they read afterwards
 * come from the same file. A change is taken into it before a worker hears of it. So a worker builds the same plans
 * whether the database answers or not.
 */
export class EdgeCopy {
  readonly #deps: EdgeCopyDeps
  readonly #live: EdgeStore
  /** Changes that are not in the file yet, by kind and id. */
  readonly #pending = new Map<string, Change>()
  #last: ChangePosition | undefined
  #fails = false

  constructor(live: EdgeStore, deps: EdgeCopyDeps) {
    this.#live = live
    this.#deps = deps
    this.#last = stateOf(deps.program, () => deps.file.get<CopyState>('state', ''))?.position
  }

  /** Undefined: there is no complete copy. */
  get last(): ChangePosition | undefined {
    return this.#last
  }

  /** @throws StoreError when the database does not answer: the same changes come again */
  async take(changes: readonly Change[], last: ChangePosition): Promise<void> {
    for (const change of changes)
      this.#pending.set(change.kind === 'everything' ? '' : `${change.kind}/${change.id}`, change)
    const isWhole = this.#pending.has('') || this.#last === undefined
    const read = new ChangedDocuments(this.#live)
    try {
      if (isWhole && this.#goBack(last)) return
      if (isWhole) await this.#readAll(read)
      else for (const change of this.#pending.values()) await this.#readChange(read, change)
      for (const version of read.releases)
        if (isWhole || this.#deps.file.get('release', String(version)) === undefined)
          await read.release(version)
      if (this.#leavesOthers(last)) this.#deps.file.keepEarlier()
      const state: CopyState = { position: last, program: this.#deps.program, writtenMs: Date.now() }
      this.#deps.file.write([...read.entries, { kind: 'state', id: '', value: state }], isWhole)
    } catch (error) {
      if (error instanceof StoreError) throw error
      return this.#fail(error)
    }
    this.#isAt(last)
  }

  #isAt(last: ChangePosition): void {
    this.#pending.clear()
    this.#last = last
    this.#fails = false
  }

  /** Whether this is the first change that not every edge may take. */
  #leavesOthers(next: ChangePosition): boolean {
    const everywhere = this.#deps.everywhere()
    if (everywhere === undefined || this.#last === undefined) return false
    return this.#last.sequence <= everywhere && next.sequence > everywhere
  }

  /** @returns false: the documents of this position were not kept */
  #goBack(to: ChangePosition): boolean {
    const { file, program } = this.#deps
    const earlier = stateOf(program, () => file.getEarlier<CopyState>('state', ''))?.position
    if (earlier === undefined || earlier.sequence !== to.sequence || earlier.mark !== to.mark) return false
    file.restoreEarlier()
    this.#isAt(to)
    return true
  }

  #fail(error: unknown): void {
    if (!this.#fails) this.#deps.onError(error)
    this.#fails = true
  }

  /** Answers from the file; from the database while the file cannot be used. */
  readonly store: EdgeStore = {
    zones: {
      list: () =>
        this.#answer(
          file => file.all<never>('zone'),
          live => live.zones.list(),
        ),
      get: id =>
        this.#answer(
          file => file.get<never>('zone', id),
          live => live.zones.get(id),
        ),
    },
    plans: {
      documents: ids =>
        this.#answer(
          file =>
            new Map(
              ids
                .map(id => [id, file.get<never>('documents', id)!] as const)
                .filter(([, one]) => one !== undefined),
            ),
          live => live.plans.documents(ids),
        ),
    },
    rulesets: { all: scope => this.#ofAccount(scope.id, 'rulesets', live => live.rulesets.all(scope)) },
    lists: {
      list: id => this.#ofAccount(id, 'lists', live => live.lists.list(id)),
      contents: id =>
        this.#answer(
          file => file.get<never>('list', id) ?? missing(`list ${id}`),
          live => live.lists.contents(id),
        ),
    },
    customPages: {
      list: scope => this.#ofAccount(scope.id, 'customPages', live => live.customPages.list(scope)),
    },
    customAssets: {
      list: scope => this.#ofAccount(scope.id, 'customAssets', live => live.customAssets.list(scope)),
    },
    accessRules: {
      page: (after, limit) =>
        this.#answer(
          file => file.page('access_rule', after, limit),
          live => live.accessRules.page(after, limit),
        ),
      pageOf: (scope, afterKey, limit) =>
        this.#answer(
          file =>
            this.#rulesOf(file, scope.id)
              .filter(({ key }) => key > afterKey)
              .sort((a, b) => (a.key < b.key ? -1 : 1))
              .slice(0, limit),
          live => live.accessRules.pageOf(scope, afterKey, limit),
        ),
      writtenAfter: (scope, revision, limit) =>
        this.#answer(
          file => {
            const all = this.#rulesOf(file, scope.id)
            const newer = all.filter(rule => rule.revision > revision).sort((a, b) => a.revision - b.revision)
            return { rules: newer.slice(0, limit), count: all.length }
          },
          live => live.accessRules.writtenAfter(scope, revision, limit),
        ),
    },
    loadBalancing: {
      zones: id =>
        this.#answer(
          file => file.get<string[]>('balanced_zones', id) ?? [],
          live => live.loadBalancing.zones(id),
        ),
    },
    certificates: {
      served: zoneId =>
        this.#answer(
          file =>
            zoneId === undefined
              ? file.all<ServedCertificate[]>('certificates').flat()
              : (file.get<ServedCertificate[]>('certificates', zoneId) ?? []),
          live => live.certificates.served(zoneId),
        ),
    },
    crs: {
      active: () =>
        this.#answer(
          file => file.get<never>('crs', 'active'),
          live => live.crs.active(),
        ),
      setup: () =>
        this.#answer(
          file => file.get<string>('crs', 'setup'),
          live => live.crs.setup(),
        ),
      byVersion: version => this.#ofRelease(version, 'release', live => live.crs.byVersion(version)),
      managedRulesets: version =>
        this.#ofRelease(version, 'managed', live => live.crs.managedRulesets(version)),
      files: version => this.#ofRelease(version, 'files', live => live.crs.files(version)),
    },
    jobs: {
      listEnabled: () =>
        this.#answer(
          file => file.get<never>('jobs', '') ?? [],
          live => live.jobs.listEnabled(),
        ),
    },
    acme: {
      challenges: nowMs => this.#live.acme.challenges(nowMs),
      want: (...wish) => this.#live.acme.want(...wish),
    },
    secrets: { putOnce: (name, value) => this.#secret(name, value) },
  }

  async #answer<T>(
    kept: (file: CopyFile) => T | Promise<T>,
    live: (live: EdgeStore) => Promise<T>,
  ): Promise<T> {
    if (!this.#fails)
      try {
        return kept(this.#deps.file)
      } catch (error) {
        this.#fail(error)
        // The rest may be incomplete, so the next change replaces everything.
        this.#last = undefined
      }
    return live(this.#live)
  }

  #ofAccount<Part extends keyof AccountDocuments>(
    id: string,
    part: Part,
    live: (live: EdgeStore) => Promise<AccountDocuments[Part]>,
  ): Promise<AccountDocuments[Part]> {
    return this.#answer(
      file => (file.get<AccountDocuments>('account', id) ?? missing(`account ${id}`))[part],
      live,
    )
  }

  /** A release that no plan used when it was read may be asked for by a later one. */
  #ofRelease<Part extends keyof ReleaseDocuments>(
    version: number,
    part: Part,
    live: (live: EdgeStore) => Promise<ReleaseDocuments[Part]>,
  ): Promise<ReleaseDocuments[Part]> {
    return this.#answer(
      file => file.get<ReleaseDocuments>('release', String(version))?.[part] ?? live(this.#live),
      live,
    )
  }

  /** A secret never changes once it is stored. */
  #secret(name: string, value: string): Promise<string> {
    return this.#answer(
      file => file.get<Secret>('secret', name)?.value ?? this.#newSecret(name, value),
      live => live.secrets.putOnce(name, value),
    )
  }

  async #newSecret(name: string, value: string): Promise<string> {
    const stored = await this.#live.secrets.putOnce(name, value)
    try {
      const secret: Secret = { name, value: stored }
      this.#deps.file.write([{ kind: 'secret', id: name, value: secret }], false)
    } catch (error) {
      this.#deps.onError(error)
    }
    return stored
  }

  #rulesOf(file: CopyFile, ownerId: string): EnforcedAccessRule[] {
    return file.ofOwner<EnforcedAccessRule>('access_rule', ownerId)
  }

  async #readAll(read: ChangedDocuments): Promise<void> {
    const zones = await this.#live.zones.list()
    await read.zones(zones)
    for (const id of new Set(zones.map(zone => zone.accountId))) {
      for (const list of await read.account(id)) await read.list(list.id)
      await read.balancedZones(id)
    }
    await read.allAccessRules()
    await read.certificates()
    await read.crs()
    await read.jobs()
    if (this.#last === undefined) return
    for (const secret of this.#deps.file.all<Secret>('secret')) await read.secret(secret)
  }

  async #readChange(read: ChangedDocuments, change: Change): Promise<void> {
    if (change.kind === 'everything' || change.kind === 'acme') return
    const { file } = this.#deps
    const { kind, id } = change
    if (kind === 'zone') await this.#readZone(read, id)
    else if (kind === 'account') await this.#readAccount(read, id)
    else if (kind === 'certificates') await read.certificates(id)
    else if (kind === 'crs') await read.crs()
    else if (kind === 'logpush') await read.jobs()
    else if (kind === 'list') {
      if (file.get('list', id) !== undefined) await read.list(id)
    } else if (kind === 'access_rules') {
      const owner = file.get('zone', id) === undefined ? 'account' : 'zone'
      await read.accessRules({ kind: owner, id }, this.#rulesOf(file, id))
    } else {
      const balanced = await read.balancedZones(id)
      await read.zones(balanced.map(zone => file.get<Zone>('zone', zone)).filter(zone => zone !== undefined))
    }
  }

  async #readZone(read: ChangedDocuments, id: string): Promise<void> {
    const { file } = this.#deps
    const zone = await this.#live.zones.get(id)
    if (zone === undefined) return read.removeZone(id, this.#rulesOf(file, id))
    await read.zones([zone])
    if (file.get('account', zone.accountId) === undefined) await this.#readAccount(read, zone.accountId)
  }

  async #readAccount(read: ChangedDocuments, id: string): Promise<void> {
    const { file } = this.#deps
    const lists = await read.account(id)
    const kept = new Set(lists.map(list => list.id))
    for (const list of file.get<AccountDocuments>('account', id)?.lists ?? [])
      if (!kept.has(list.id)) read.removeList(list.id)
    for (const list of kept) if (file.get('list', list) === undefined) await read.list(list)
  }
}

/** The copy is complete, so this is damage. */
function missing(what: string): never {
  throw new Error(`the edge's copy has no ${what}`)
}
