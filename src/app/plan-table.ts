import type { Change } from '../bus/index.ts'
import type { Ruleset, Zone } from '../model/resource.ts'
import { buildPlan, type ManagedProgram, type ZonePlan } from '../rulesets/index.ts'
import type { Store } from '../store/index.ts'
import type { Program } from '../waf/index.ts'

export interface PlanTableDeps {
  readonly store: Store
  /** Compiles a release once; later calls are cheap. */
  readonly programFor: (version: number) => Promise<Program>
  readonly defaultZone: string | undefined
  readonly onError: (message: string, error: unknown) => void
}

/**
 * The plan of every zone, by host name. Requests read it without waiting; changes build new plans aside and swap
 * one reference a zone. A plan that cannot be built leaves the running one.
 */
export class PlanTable {
  readonly #deps: PlanTableDeps
  /** By zone name; replaced whole when zones come or go. */
  #byName: ReadonlyMap<string, ZonePlan> = new Map()
  #work: Promise<void> = Promise.resolve()

  private constructor(deps: PlanTableDeps) {
    this.#deps = deps
  }

  /** @throws when the first plans cannot be built */
  static async load(deps: PlanTableDeps): Promise<PlanTable> {
    const table = new PlanTable(deps)
    await table.#rebuild(await deps.store.zones.list())
    return table
  }

  /**
   * The plan for a Host header: the zone of that name, else of the nearest parent domain, else the default zone.
   * O(labels of the name).
   */
  find(host: string): ZonePlan | undefined {
    const name = zoneNameOf(host)
    for (let suffix = name; suffix !== ''; ) {
      const plan = this.#byName.get(suffix)
      if (plan !== undefined) return plan
      const dot = suffix.indexOf('.')
      suffix = dot < 0 ? '' : suffix.slice(dot + 1)
    }
    const { defaultZone } = this.#deps
    return defaultZone === undefined ? undefined : this.#byName.get(defaultZone)
  }

  /** Takes over a change; resolves when it is in force. Changes are taken one after another. */
  apply(change: Change): Promise<void> {
    if (change.kind === 'logpush') return this.#work
    this.#work = this.#work.then(async () => {
      try {
        await this.#apply(change)
      } catch (error) {
        this.#deps.onError(
          `the change of ${change.kind} ${change.id} is not in force; the running plans stay`,
          error,
        )
      }
    })
    return this.#work
  }

  async #apply(change: Change): Promise<void> {
    const zones = await this.#deps.store.zones.list()
    if (change.kind !== 'zone') return this.#rebuild(zones)
    const zone = zones.find(candidate => candidate.id === change.id)
    const next = new Map([...this.#byName].filter(([, plan]) => plan.zone.id !== change.id))
    if (zone !== undefined && !zone.paused)
      next.set(zone.name, await this.#build(zone, await this.#accountEntryPoints(zone.accountId)))
    this.#byName = next
  }

  async #rebuild(zones: readonly Zone[]): Promise<void> {
    const next = new Map<string, ZonePlan>()
    const accounts = new Map<string, readonly Ruleset[]>()
    for (const zone of zones) {
      if (zone.paused) continue
      const accountEntryPoints =
        accounts.get(zone.accountId) ?? (await this.#accountEntryPoints(zone.accountId))
      accounts.set(zone.accountId, accountEntryPoints)
      next.set(zone.name, await this.#build(zone, accountEntryPoints))
    }
    this.#byName = next
  }

  async #build(zone: Zone, accountEntryPoints: readonly Ruleset[]): Promise<ZonePlan> {
    const zoneEntryPoints = await this.#entryPoints('zone', zone.id)
    const managed = await this.#managedFor([...accountEntryPoints, ...zoneEntryPoints])
    const plan = buildPlan({ zone, accountEntryPoints, zoneEntryPoints, managed })
    if (!plan.ok) throw new Error(`the plan of zone ${zone.name} cannot be built: ${plan.problem.message}`)
    return plan.value
  }

  #accountEntryPoints(accountId: string): Promise<readonly Ruleset[]> {
    return this.#entryPoints('account', accountId)
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
