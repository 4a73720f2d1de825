import type { Change } from '../bus/index.ts'
import type { Ruleset, Zone } from '../model/resource.ts'
import { buildPlan, type ManagedProgram, type ZonePlan } from '../rulesets/index.ts'
import { type Store, StoreError } from '../store/index.ts'
import type { Program } from '../waf/index.ts'

export interface PlanTableDeps {
  readonly store: Store
  /** Compiles a release once; later calls are cheap. */
  readonly programFor: (version: number) => Promise<Program>
  readonly defaultZone: string | undefined
  /** Gets a plan ready for requests before it is swapped in; one that cannot be is as good. */
  readonly prepare: (plan: ZonePlan) => Promise<void>
  readonly onError: (message: string, error: unknown) => void
}

/** Between attempts to take a change over while the database is away. */
const retryMs = { first: 250, longest: 5_000 } as const

/**
 * The plan of every zone, by host name. Requests read it without waiting; changes build new plans aside and swap
 * one reference. A plan that cannot be built leaves the running one; while the database is away the running plans
 * stay and the change is tried until it succeeds.
 */
export class PlanTable {
  readonly #deps: PlanTableDeps
  /** By zone name; replaced whole. A zone that is paused, or that never had a plan, is there without one. */
  #byName: ReadonlyMap<string, ZonePlan | undefined> = new Map()
  #work: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: PlanTableDeps) {
    this.#deps = deps
  }

  /** Builds every plan. Changes that are applied meanwhile wait for it. @throws when the database is away */
  load(): Promise<void> {
    const loading = this.#work.then(() => this.#rebuild())
    this.#work = loading.catch(() => {})
    return loading
  }

  /**
   * The plan for a Host header: the zone of that name, else of the nearest parent domain, else the default zone.
   * O(labels of the name).
   */
  find(host: string): ZonePlan | undefined {
    const name = zoneNameOf(host)
    for (let suffix = name; suffix !== ''; ) {
      if (this.#byName.has(suffix)) return this.#byName.get(suffix)
      const dot = suffix.indexOf('.')
      suffix = dot < 0 ? '' : suffix.slice(dot + 1)
    }
    const { defaultZone } = this.#deps
    return defaultZone === undefined ? undefined : this.#byName.get(defaultZone)
  }

  /** Takes over a change; resolves when it is in force. Changes are taken one after another. */
  apply(change: Change): Promise<void> {
    if (change.kind !== 'logpush') this.#work = this.#work.then(() => this.#applyUntilDone(change))
    return this.#work
  }

  /** Gives up on changes that cannot be taken over now. */
  close(): void {
    this.#closed = true
  }

  async #applyUntilDone(change: Change): Promise<void> {
    for (
      let delayMs: number = retryMs.first;
      !this.#closed;
      delayMs = Math.min(delayMs * 2, retryMs.longest)
    ) {
      try {
        await (change.kind === 'zone' ? this.#replaceZone(change.id) : this.#rebuild())
        return
      } catch (error) {
        this.#deps.onError(
          `a change of ${change.kind} ${change.id} is not in force yet; the running plans stay`,
          error,
        )
        await new Promise(resolve => setTimeout(resolve, delayMs))
      }
    }
  }

  async #replaceZone(id: string): Promise<void> {
    const zone = await this.#deps.store.zones.get(id)
    const next = new Map(this.#byName)
    for (const [name, plan] of this.#byName) if (plan?.zone.id === id) next.delete(name)
    if (zone !== undefined) {
      const accountEntryPoints = await this.#entryPoints('account', zone.accountId)
      next.set(zone.name, await this.#planOf(zone, accountEntryPoints))
    }
    this.#byName = next
  }

  async #rebuild(): Promise<void> {
    const next = new Map<string, ZonePlan | undefined>()
    const accounts = new Map<string, readonly Ruleset[]>()
    for (const zone of await this.#deps.store.zones.list()) {
      const accountEntryPoints =
        accounts.get(zone.accountId) ?? (await this.#entryPoints('account', zone.accountId))
      accounts.set(zone.accountId, accountEntryPoints)
      next.set(zone.name, await this.#planOf(zone, accountEntryPoints))
    }
    this.#byName = next
  }

  /** The new plan, or the running one when the new one cannot be built: one zone must not hold up the others. */
  async #planOf(zone: Zone, accountEntryPoints: readonly Ruleset[]): Promise<ZonePlan | undefined> {
    if (zone.paused) return undefined
    try {
      return await this.#build(zone, accountEntryPoints)
    } catch (error) {
      if (error instanceof StoreError) throw error
      this.#deps.onError(`the plan of zone ${zone.name} cannot be built; its running plan stays`, error)
      return this.#byName.get(zone.name)
    }
  }

  async #build(zone: Zone, accountEntryPoints: readonly Ruleset[]): Promise<ZonePlan> {
    const zoneEntryPoints = await this.#entryPoints('zone', zone.id)
    const managed = await this.#managedFor([...accountEntryPoints, ...zoneEntryPoints])
    const plan = buildPlan({ zone, accountEntryPoints, zoneEntryPoints, managed })
    if (!plan.ok) throw new Error(plan.problem.message)
    await this.#deps.prepare(plan.value)
    return plan.value
  }

  async #entryPoints(kind: 'account' | 'zone', id: string): Promise<readonly Ruleset[]> {
    const scope = { kind, id }
    const { rulesets } = this.#deps.store
    const entryPoints = (await rulesets.list(scope)).filter(
      ruleset => ruleset.kind === 'root' || ruleset.kind === 'zone',
    )
    const whole = await Promise.all(entryPoints.map(ruleset => rulesets.get(scope, ruleset.id)))
    return whole.filter(ruleset => ruleset !== undefined)
  }

  /** Loads what the entry points execute, so that `buildPlan` can look it up without waiting. */
  async #managedFor(
    entryPoints: readonly Ruleset[],
  ): Promise<(rulesetId: string, version: string) => ManagedProgram | undefined> {
    const { store, programFor } = this.#deps
    const latest = (await store.crs.active())?.version
    const versions = new Set<number>()
    for (const { rules } of entryPoints)
      for (const rule of rules) {
        if (rule.action !== 'execute' || !rule.enabled) continue
        const version = versionOf(rule.actionParameters?.['version'], latest)
        if (version !== undefined) versions.add(version)
      }
    const loaded = new Map<string, ManagedProgram>()
    for (const version of versions) {
      const program = await programFor(version)
      for (const ruleset of await store.crs.managedRulesets(version))
        loaded.set(`${ruleset.id}/${version}`, { ruleset, program })
    }
    return (rulesetId, version) => loaded.get(`${rulesetId}/${versionOf(version, latest)}`)
  }
}

function versionOf(written: unknown, latest: number | undefined): number | undefined {
  return typeof written === 'string' && written !== 'latest' ? Number(written) : latest
}

/** `[::1]:8080` and `127.0.0.1` are served by the zone `localhost`. */
function zoneNameOf(host: string): string {
  const name = host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]!
  if (name === '127.0.0.1' || name === '[::1]') return 'localhost'
  return name.toLowerCase().replace(/\.$/, '')
}
