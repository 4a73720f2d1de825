import { withBuiltInRulesets } from '../rulesets/index.ts'
import type { ManagedRuleset, Store } from '../store/port.ts'

/** The managed rulesets of every CRS release, and those that come without one. */
export interface ManagedCatalog {
  /** Those that `latest` means. */
  readonly latest: readonly ManagedRuleset[]
  /** @param version `latest`, which is also the default, or a number in text */
  find(id: string, version?: string): ManagedRuleset | undefined
  /** Every version of one, oldest first. */
  versions(id: string): readonly ManagedRuleset[]
}

type Releases = ReadonlyMap<string, readonly ManagedRuleset[]>

/** Reads each release once: it never changes, and its rulesets are large. */
export function managedCatalog(store: Store): () => Promise<ManagedCatalog> {
  const known = new Map<string, readonly ManagedRuleset[]>()
  return async () => {
    for (const { version } of await store.crs.list()) {
      if (!known.has(String(version))) known.set(String(version), await store.crs.managedRulesets(version))
    }
    const active = await store.crs.active()
    return catalogOf(known, active === undefined ? '' : String(active.version))
  }
}

function catalogOf(releases: Releases, active: string): ManagedCatalog {
  const latest = withBuiltInRulesets(releases.get(active) ?? [])
  const all = withBuiltInRulesets([...releases.values()].flat())
  const versions = (id: string): readonly ManagedRuleset[] =>
    all.filter(ruleset => ruleset.id === id).sort((a, b) => a.version - b.version)
  return {
    latest,
    find: (id, version = 'latest') =>
      version === 'latest'
        ? latest.find(ruleset => ruleset.id === id)
        : all.find(ruleset => ruleset.id === id && String(ruleset.version) === version),
    versions,
  }
}
