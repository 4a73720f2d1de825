import { withBuiltInRulesets } from '../../rulesets/index.ts'
import type { ManagedRuleset } from '../../store/port/crs.ts'
import type { Store } from '../../store/port.ts'

/** The managed rulesets of every CRS release, and the built-in ones. */
export interface ManagedCatalog {
  /** The rulesets that `latest` refers to. */
  readonly latest: readonly ManagedRuleset[]
  /** @param version `latest`, which is also the default, or a number in text */
  find(id: string, version?: string): ManagedRuleset | undefined
  /** Every version of one, oldest first. */
  versions(id: string): readonly ManagedRuleset[]
}

type Releases = ReadonlyMap<string, readonly ManagedRuleset[]>

/**
 * Reads each release once: it never changes, and its rulesets are large. After a restore, a number may stand for another
 * release, so the digest is part of the key.
 */
export function managedCatalog(store: Store): () => Promise<ManagedCatalog> {
  const known = new Map<string, readonly ManagedRuleset[]>()
  return async () => {
    const releases = await store.crs.list()
    const rulesets = new Map<string, readonly ManagedRuleset[]>()
    for (const { version, digest } of releases) {
      if (!known.has(digest)) known.set(digest, await store.crs.managedRulesets(version))
      rulesets.set(String(version), known.get(digest)!)
    }
    const active = await store.crs.active()
    return catalogOf(rulesets, active === undefined ? '' : String(active.version))
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
