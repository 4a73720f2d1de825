import { createHash } from 'node:crypto'
import type { CrsRelease } from '../model/resource.ts'
import type { Store } from '../store/index.ts'
import { CrsError } from './crs-error.ts'

/** A release and the setup it is loaded with. */
export interface InstalledRules {
  readonly release: CrsRelease
  readonly setup: string | undefined
  /** Tells the content of both. */
  readonly key: string
}

/**
 * @param version of the managed ruleset
 * @throws CrsError `unknown-release`; StoreError
 */
export async function installedRules(
  store: { readonly crs: Pick<Store['crs'], 'byVersion' | 'setup'> },
  version: number,
): Promise<InstalledRules> {
  const [release, setup] = await Promise.all([store.crs.byVersion(version), store.crs.setup()])
  if (release === undefined) throw CrsError.unknownRelease(version)
  return { release, setup, key: rulesKey(release.digest, setup) }
}

/** @param digest of the release */
export function rulesKey(digest: string, setup: string | undefined): string {
  return `${digest} ${setup === undefined ? '' : createHash('sha256').update(setup).digest('hex')}`
}
