import type { ManagedRuleset, Store } from '../store/port.ts'

/** The managed rulesets of every CRS release. */
export interface ManagedCatalog {
  /** Those that `latest` means; none before the first release. */
  readonly latest: readonly ManagedRuleset[]
  /** @param version `latest`, which is also the default, or a number in text */
  find(id: string, version?: string): ManagedRuleset | undefined
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
  return {
    latest: releases.get(active) ?? [],
    find: (id, version = 'latest') =>
      releases.get(version === 'latest' ? active : version)?.find(ruleset => ruleset.id === id),
  }
}
