import type { Ruleset, Shadow } from '../../model/resource.ts'
import type { ManagedProgram, PlanInput } from '../../rulesets/index.ts'
import type { Program } from '../../waf/index.ts'
import type { PlanSource } from './source.ts'

interface ReleaseDeps {
  readonly store: Pick<PlanSource, 'crs'>
  /** Compiles a release once; later calls are cheap. */
  readonly programFor: (version: number) => Promise<Program>
}

/** The managed rulesets that plans execute, at one moment: read once, shared by all plans. */
export class PlanReleases {
  readonly #deps: ReleaseDeps
  /** The version of `latest`; undefined before the first release. */
  readonly #latest: number | undefined
  /** By id and version. */
  readonly #managed = new Map<string, ManagedProgram>()
  readonly #loaded = new Set<number>()

  static async open(deps: ReleaseDeps): Promise<PlanReleases> {
    return new PlanReleases(deps, (await deps.store.crs.active())?.version)
  }

  private constructor(deps: ReleaseDeps, latest: number | undefined) {
    this.#deps = deps
    this.#latest = latest
  }

  /** To be called after `load`. */
  readonly find: PlanInput['managed'] = (rulesetId, version) =>
    this.#managed.get(`${rulesetId}/${this.#numberOf(version)}`)

  /** Loads the managed rulesets that these documents execute. */
  async load(rulesets: readonly Ruleset[], shadow: Shadow | undefined): Promise<void> {
    for (const { rules } of rulesets)
      for (const { action, enabled, actionParameters } of rules) {
        if (action !== 'execute' || !enabled) continue
        const version = this.#numberOf(actionParameters?.['version'])
        if (version !== undefined && !this.#loaded.has(version)) await this.#load(version)
      }
    const version = shadow?.enabled ? this.#numberOf(shadow.version) : undefined
    if (version !== undefined && !this.#loaded.has(version)) await this.#load(version)
  }

  async #load(version: number): Promise<void> {
    const { store, programFor } = this.#deps
    const rulesets = await store.crs.managedRulesets(version)
    if (rulesets.length > 0) {
      const program = await programFor(version)
      for (const ruleset of rulesets) this.#managed.set(`${ruleset.id}/${version}`, { ruleset, program })
    }
    this.#loaded.add(version)
  }

  #numberOf(written: unknown): number | undefined {
    return typeof written === 'string' && written !== 'latest' ? Number(written) : this.#latest
  }
}
