import type { Change } from '../../bus/index.ts'
import { backoffMs } from '../../kit/clock.ts'
import { nearestDomain } from '../../kit/host-name.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { Zone } from '../../model/resource.ts'
import { zoneSettingsOf } from '../../model/zone-settings.ts'
import { buildPlan, type ZonePlan } from '../../rulesets/index.ts'
import { type PlanDocuments, StoreError } from '../../store/index.ts'
import type { Program } from '../../waf/index.ts'
import { planTableLimits } from '../limits.ts'
import { PlanAccessRules } from './access-rules.ts'
import { PlanAccounts } from './accounts.ts'
import { PlanLists } from './lists.ts'
import { PlanReleases } from './releases.ts'
import type { PlanSource } from './source.ts'

export interface PlanTableDeps {
  readonly store: PlanSource
  /** Compiles a release once; later calls are cheap. */
  readonly programFor: (version: number) => Promise<Program>
  readonly defaultZone: string | undefined
  /** Prepares a plan for requests before it is swapped in; a plan that cannot be prepared is used all the same. */
  readonly prepare: (plan: ZonePlan) => Promise<void>
  readonly onError: (message: string, error: unknown) => void
}

/** Delay between attempts to apply a change while the database is unreachable. */
const retry = { firstMs: 250, longestMs: 5_000 } as const

/** Kinds of changes that concern many zones. */
const sharedKinds: ReadonlySet<Change['kind']> = new Set(['account', 'crs', 'load_balancing'])

/**
 * The plan of every zone, by host name. Requests read it without waiting; changes build new plans aside and swap one
 * reference per zone. If a plan cannot be built, the running one stays. While the database is unreachable, the running
 * plans stay and the change is retried until it succeeds.
 *
 * All steps run one after another. A change of many zones (an account, a release) is applied page by page, and other
 * changes run between two pages: a zone does not wait for ten thousand others.
 */
export class PlanTable {
  readonly #deps: PlanTableDeps
  readonly #lists: PlanLists
  readonly #accounts: PlanAccounts
  readonly #accessRules: PlanAccessRules
  #releases: PlanReleases | undefined
  readonly #zones = new Map<string, Zone>()
  /** By zone name. A zone that never had a plan has an entry without one. */
  readonly #byName = new Map<string, ZonePlan | undefined>()
  #work: Promise<unknown> = Promise.resolve()
  /** Ids of zones whose plans have to be rebuilt because of a shared input. */
  readonly #outdated = new Set<string>()
  /** The page that is being rebuilt. */
  #rebuilding: Promise<void> | undefined
  #closed = false

  constructor(deps: PlanTableDeps) {
    const { store } = deps
    this.#deps = deps
    this.#lists = new PlanLists(id => store.lists.contents(id))
    this.#accounts = new PlanAccounts(store, this.#lists)
    this.#accessRules = new PlanAccessRules(store.accessRules)
  }

  /** Builds every plan. Changes that are applied meanwhile wait for it. @throws if the database is unreachable */
  load(): Promise<void> {
    return this.#inTurn(() => this.#loadAll())
  }

  /**
   * The plan for a Host header: the zone of that name, else of the nearest parent domain, else the default zone.
   * O(labels of the name).
   */
  find(host: string): ZonePlan | undefined {
    const zoneName = this.nearestZone(host) ?? this.#deps.defaultZone
    return zoneName === undefined ? undefined : this.#byName.get(zoneName)
  }

  /** The name of the zone of that name, else of the nearest parent domain. O(labels of the name). */
  nearestZone(host: string): string | undefined {
    return nearestDomain(zoneNameOf(host), this.#byName)
  }

  /** Applies a change; resolves when it is in force. */
  async apply(change: Change): Promise<void> {
    if (change.kind === 'logpush' || change.kind === 'certificates' || change.kind === 'acme') return
    const what =
      change.kind === 'everything' ? 'the restored database' : `a change of ${change.kind} ${change.id}`
    await this.#inTurn(() => this.#untilDone(what, () => this.#take(change)))
    if (sharedKinds.has(change.kind)) await this.#rebuildOutdated()
  }

  /** Drops changes that cannot be applied now. */
  close(): void {
    this.#closed = true
  }

  /** Runs a step after all earlier ones. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#work.then(step)
    this.#work = done.catch(() => {})
    return done
  }

  async #untilDone(what: string, attempt: () => Promise<void>): Promise<void> {
    for (let failures = 1; !this.#closed; failures++) {
      try {
        await attempt()
        return
      } catch (error) {
        this.#deps.onError(`${what} is not in force yet; the running plans stay`, error)
        await new Promise(resolve => setTimeout(resolve, backoffMs(retry, failures)))
      }
    }
  }

  async #take(change: Change): Promise<void> {
    if (change.kind === 'everything') {
      await this.#loadAll()
      await this.#lists.rereadAll()
      return
    }
    const { kind, id } = change
    if (kind === 'zone') await this.#takeZone(id)
    else if (kind === 'list') await this.#lists.reread(id)
    else if (kind === 'access_rules')
      await this.#accessRules.reread({ kind: this.#zones.has(id) ? 'zone' : 'account', id })
    else if (kind === 'account') {
      if (!(await this.#accounts.reread(id))) return
      for (const zone of this.#zones.values()) if (zone.accountId === id) this.#outdated.add(zone.id)
    } else if (kind === 'load_balancing') {
      for (const zoneId of await this.#deps.store.loadBalancing.zones(id))
        if (this.#zones.has(zoneId)) this.#outdated.add(zoneId)
    } else {
      this.#releases = await PlanReleases.open(this.#deps)
      for (const zoneId of this.#zones.keys()) this.#outdated.add(zoneId)
    }
  }

  async #takeZone(id: string): Promise<void> {
    const zone = await this.#deps.store.zones.get(id)
    if (zone === undefined) {
      this.#remove(id)
      this.#accessRules.forget(id)
    } else await this.#replace([zone])
  }

  async #loadAll(): Promise<void> {
    const zones = await this.#deps.store.zones.list()
    this.#accounts.forgetAll()
    this.#releases = await PlanReleases.open(this.#deps)
    await this.#accessRules.readAll()
    for (let from = 0; from < zones.length; from += planTableLimits.zonesPerPage) {
      await this.#replace(zones.slice(from, from + planTableLimits.zonesPerPage))
    }
    const ids = new Set(zones.map(zone => zone.id))
    for (const id of this.#zones.keys()) if (!ids.has(id)) this.#remove(id)
  }

  /** Resolves when no plan is outdated. */
  async #rebuildOutdated(): Promise<void> {
    while (this.#outdated.size > 0 && !this.#closed) {
      this.#rebuilding ??= this.#inTurn(() =>
        this.#untilDone('a change of many zones', () => this.#rebuildPage()),
      ).finally(() => {
        this.#rebuilding = undefined
      })
      await this.#rebuilding
    }
  }

  async #rebuildPage(): Promise<void> {
    const ids: string[] = []
    for (const id of this.#outdated) {
      if (ids.length === planTableLimits.zonesPerPage) break
      ids.push(id)
    }
    await this.#replace(ids.map(id => this.#zones.get(id)).filter(zone => zone !== undefined))
    for (const id of ids) this.#outdated.delete(id)
  }

  /** Builds the plans of these zones and replaces the running ones. */
  async #replace(zones: readonly Zone[]): Promise<void> {
    const documents = await this.#deps.store.plans.documents(zones.map(zone => zone.id))
    const plans: (ZonePlan | undefined)[] = []
    let beganMs = performance.now()
    for (const zone of zones) {
      plans.push(await this.#planOf(zone, documents.get(zone.id)))
      if (performance.now() - beganMs < planTableLimits.sliceMs) continue
      await nextTurn()
      beganMs = performance.now()
    }
    await this.#lists.readNamed()
    for (const [at, zone] of zones.entries()) this.#put(zone, plans[at])
  }

  #put(zone: Zone, plan: ZonePlan | undefined): void {
    if (this.#zones.get(zone.id)?.name !== zone.name) this.#remove(zone.id)
    this.#zones.set(zone.id, zone)
    this.#byName.set(zone.name, plan)
  }

  #remove(id: string): void {
    const zone = this.#zones.get(id)
    if (zone === undefined) return
    this.#zones.delete(id)
    this.#outdated.delete(id)
    // Another zone may have this name now, perhaps without a plan.
    for (const { name } of this.#zones.values()) if (name === zone.name) return
    this.#byName.delete(zone.name)
  }

  /** The new plan, or the running one if the new one cannot be built: one zone must not block the others. */
  async #planOf(zone: Zone, documents: PlanDocuments | undefined): Promise<ZonePlan | undefined> {
    if (documents === undefined) return undefined
    try {
      return await this.#build(zone, documents)
    } catch (error) {
      if (error instanceof StoreError) throw error
      this.#deps.onError(`the plan of zone ${zone.name} cannot be built; its running plan stays`, error)
      const running = this.#byName.get(this.#zones.get(zone.id)?.name ?? zone.name)
      // Another zone may have had the name before.
      return running?.zone.id === zone.id ? running : undefined
    }
  }

  #reportLostKeys({ name }: Zone, { originCertificates }: PlanDocuments): void {
    for (const { id, kind, key } of originCertificates) {
      if (kind === 'client' && key === undefined)
        this.#deps.onError(
          `zone ${name} shows origins no client certificate`,
          new Error(`the key of ${id} cannot be decrypted`),
        )
    }
  }

  async #build(zone: Zone, documents: PlanDocuments): Promise<ZonePlan> {
    const { rulesets, shadow, redaction, sampleRate } = documents
    const account = await this.#accounts.of(zone.accountId)
    this.#releases ??= await PlanReleases.open(this.#deps)
    await this.#releases.load([...account.rulesets, ...rulesets], shadow)
    const plan = buildPlan({
      zone,
      accountRulesets: account.rulesets,
      zoneRulesets: rulesets,
      managed: this.#releases.find,
      lists: account.lists,
      redirectLists: account.redirectLists,
      accessRules: this.#accessRules.table,
      firewall: documents.firewall,
      ...(shadow === undefined ? {} : { shadow }),
      settings: zoneSettingsOf(documents.settings),
      dnsRecords: documents.dnsRecords,
      loadBalancers: documents.loadBalancers,
      pools: documents.pools,
      originCertificates: documents.originCertificates,
      accountAssets: account.customAssets,
      zoneAssets: documents.customAssets,
      accountPages: account.customPages,
      zonePages: documents.customPages,
      ...(redaction === undefined ? {} : { redaction }),
      ...(sampleRate === undefined ? {} : { sampleRate }),
    })
    this.#reportLostKeys(zone, documents)
    if (!plan.ok) throw new Error(plan.problem.message)
    await this.#deps.prepare(plan.value)
    return plan.value
  }
}

/** The zone `localhost` serves `[::1]:8080` and `127.0.0.1`. */
function zoneNameOf(host: string): string {
  const name = host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]!
  if (name === '127.0.0.1' || name === '[::1]') return 'localhost'
  return name.toLowerCase().replace(/\.$/, '')
}
