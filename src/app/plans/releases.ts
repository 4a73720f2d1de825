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
    for (const written of writtenVersions(rulesets, shadow)) {
      const version = this.#numberOf(written)
      if (version !== undefined && !this.#loaded.has(version)) await this.#load(version)
    }
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
    return isNumbered(written) ? Number(written) : this.#latest
  }
}

/** The numbers of releases that these documents execute; `latest` is none. */
export function executedVersions(
  rulesets: readonly Ruleset[],
  shadow: Shadow | undefined,
): readonly number[] {
  return [...writtenVersions(rulesets, shadow)].filter(isNumbered).map(Number)
}

function* writtenVersions(rulesets: readonly Ruleset[], shadow: Shadow | undefined): Generator<unknown> {
  for (const { rules } of rulesets)
    for (const { action, enabled, actionParameters } of rules)
      if (action === 'execute' && enabled) yield actionParameters?.['version']
  if (shadow?.enabled) yield shadow.version
}

function isNumbered(written: unknown): written is string {
  return typeof written === 'string' && written !== 'latest'
}
