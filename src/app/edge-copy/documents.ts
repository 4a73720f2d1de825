import type { EnforcedAccessRule } from '../../model/access-rule.ts'
import type { List, Scope, Zone } from '../../model/resource.ts'
import type { PlanDocuments, ServedCertificate } from '../../store/index.ts'
import type { EdgeStore } from '../edge/edge-store.ts'
import { planTableLimits } from '../limits.ts'
import { executedVersions } from '../plans/releases.ts'
import type { Entry } from './copy-file.ts'

/** The common documents of an account's zones. */
export interface AccountDocuments {
  readonly rulesets: Awaited<ReturnType<EdgeStore['rulesets']['all']>>
  readonly lists: Awaited<ReturnType<EdgeStore['lists']['list']>>
  readonly customPages: Awaited<ReturnType<EdgeStore['customPages']['list']>>
  readonly customAssets: Awaited<ReturnType<EdgeStore['customAssets']['list']>>
}

/** A release never changes, so it is read once. */
export interface ReleaseDocuments {
  readonly release: Awaited<ReturnType<EdgeStore['crs']['byVersion']>>
  readonly managed: Awaited<ReturnType<EdgeStore['crs']['managedRulesets']>>
  readonly files: Awaited<ReturnType<EdgeStore['crs']['files']>>
}

/** Reads the documents of changes from the database, as entries of the copy. */
export class ChangedDocuments {
  readonly #live: EdgeStore
  readonly #entries: Entry[] = []
  readonly #releases = new Set<number>()

  constructor(live: EdgeStore) {
    this.#live = live
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Versions that the documents execute. */
  get releases(): ReadonlySet<number> {
    return this.#releases
  }

  async zones(zones: readonly Zone[]): Promise<void> {
    for (let from = 0; from < zones.length; from += planTableLimits.zonesPerPage) {
      const page = zones.slice(from, from + planTableLimits.zonesPerPage)
      const documents = await this.#live.plans.documents(page.map(({ id }) => id))
      for (const zone of page) {
        const { accountId: owner, id } = zone
        const ofZone = documents.get(id)
        this.#entries.push({ kind: 'zone', id, owner, value: zone })
        if (ofZone === undefined) continue
        this.#entries.push({ kind: 'documents', id, owner, value: withOwnPools(ofZone) })
        for (const version of executedVersions(ofZone.rulesets, ofZone.shadow)) this.#releases.add(version)
      }
    }
  }

  removeZone(id: string, rules: readonly EnforcedAccessRule[]): void {
    for (const kind of ['zone', 'documents', 'certificates']) this.#entries.push({ kind, id })
    for (const rule of rules) this.#entries.push({ kind: 'access_rule', id: rule.id })
  }

  async account(id: string): Promise<readonly List[]> {
    const scope = { kind: 'account', id } as const
    const [rulesets, lists, customPages, customAssets] = await Promise.all([
      this.#live.rulesets.all(scope),
      this.#live.lists.list(id),
      this.#live.customPages.list(scope),
      this.#live.customAssets.list(scope),
    ])
    const value: AccountDocuments = { rulesets, lists, customPages, customAssets }
    this.#entries.push({ kind: 'account', id, value })
    for (const version of executedVersions(rulesets, undefined)) this.#releases.add(version)
    return lists
  }

  async list(id: string): Promise<void> {
    this.#entries.push({ kind: 'list', id, value: await this.#live.lists.contents(id) })
  }

  removeList(id: string): void {
    this.#entries.push({ kind: 'list', id })
  }

  async certificates(zoneId?: string): Promise<void> {
    const served = await this.#live.certificates.served(zoneId)
    if (zoneId !== undefined) this.#entries.push({ kind: 'certificates', id: zoneId })
    for (const [id, value] of Map.groupBy(served, (one: ServedCertificate) => one.zoneId))
      this.#entries.push({ kind: 'certificates', id, value })
  }

  async allAccessRules(): Promise<void> {
    const limit = planTableLimits.accessRulesPerPage
    for (let last = ''; ; ) {
      const page = await this.#live.accessRules.page(last, limit)
      this.#putRules(page)
      if (page.length < limit) return
      last = page.at(-1)!.id
    }
  }

  /** @param known rules of the account or zone in the copy */
  async accessRules(scope: Scope, known: readonly EnforcedAccessRule[]): Promise<void> {
    const limit = planTableLimits.accessRulesPerPage
    const revision = known.reduce((highest, rule) => Math.max(highest, rule.revision), 0)
    const { rules, count } = await this.#live.accessRules.writtenAfter(scope, revision, limit)
    const ids = new Set([...known, ...rules].map(rule => rule.id))
    this.#putRules(rules)
    if (rules.length < limit && ids.size === count) return
    for (const { id } of known) this.#entries.push({ kind: 'access_rule', id })
    for (let last = ''; ; ) {
      const page = await this.#live.accessRules.pageOf(scope, last, limit)
      this.#putRules(page)
      if (page.length < limit) return
      last = page.at(-1)!.key
    }
  }

  async crs(): Promise<void> {
    const [active, setup] = await Promise.all([this.#live.crs.active(), this.#live.crs.setup()])
    this.#entries.push(
      { kind: 'crs', id: 'active', value: active },
      { kind: 'crs', id: 'setup', value: setup },
    )
    if (active !== undefined) this.#releases.add(active.version)
  }

  async release(version: number): Promise<void> {
    const { crs } = this.#live
    const [release, managed, files] = await Promise.all([
      crs.byVersion(version),
      crs.managedRulesets(version),
      crs.files(version),
    ])
    if (release === undefined) return
    const value: ReleaseDocuments = { release, managed, files }
    this.#entries.push({ kind: 'release', id: String(version), value })
  }

  async jobs(): Promise<void> {
    this.#entries.push({ kind: 'jobs', id: '', value: await this.#live.jobs.listEnabled() })
  }

  /** The database may be another one after a restore. */
  async secret({ name, value }: { readonly name: string; readonly value: string }): Promise<void> {
    const stored = await this.#live.secrets.putOnce(name, value)
    this.#entries.push({ kind: 'secret', id: name, value: { name, value: stored } })
  }

  async balancedZones(accountId: string): Promise<readonly string[]> {
    const value = await this.#live.loadBalancing.zones(accountId)
    this.#entries.push({ kind: 'balanced_zones', id: accountId, value })
    return value
  }

  #putRules(rules: readonly EnforcedAccessRule[]): void {
    for (const value of rules)
      this.#entries.push({ kind: 'access_rule', id: value.id, owner: value.ownerId, value })
  }
}

/** A read of many zones has the pools of all of them. */
function withOwnPools(documents: PlanDocuments): PlanDocuments {
  const named = JSON.stringify(documents.loadBalancers)
  return { ...documents, pools: documents.pools.filter(({ id }) => named.includes(id)) }
}
