import type { Store } from '../../store/index.ts'
import { CrsError } from '../crs-error.ts'
import { type InstalledRules, installedRules } from '../installed-rules.ts'
import { crsLimits } from '../limits.ts'
import { KeptSnapshots } from './kept-snapshots.ts'
import { LastUsed } from './last-used.ts'
import { compileInThread } from './snapshot-thread.ts'

/** Snapshots of compiled releases, for all threads of a process. */
export interface Snapshots {
  /**
   * @param version of the managed ruleset
   * @param key of the rules that are meant (see `InstalledRules`)
   * @returns one that needs no check; undefined when the setup was changed meanwhile
   * @throws CrsError `unknown-release`, `does-not-compile`; StoreError
   */
  snapshotFor(version: number, key: string): Promise<SharedArrayBuffer | undefined>
}

/** The part of the store that has the rules. */
export interface RuleFiles {
  readonly crs: Pick<Store['crs'], 'byVersion' | 'setup' | 'files'>
}

/** @param data the data directory */
export function createSnapshots(store: RuleFiles, data: string): Snapshots {
  const onDisk = new KeptSnapshots(data)
  const inMemory = new LastUsed<SharedArrayBuffer>(crsLimits.programsMax)

  async function load(rules: InstalledRules): Promise<SharedArrayBuffer> {
    const known = await onDisk.read(rules.key)
    if (known !== undefined) return known
    const snapshot = await compileInstalled(store, rules)
    await onDisk.write(rules.key, snapshot)
    return snapshot
  }

  return {
    async snapshotFor(version, key) {
      const rules = await installedRules(store, version)
      return rules.key === key ? inMemory.get(key, () => load(rules)) : undefined
    },
  }
}

async function compileInstalled(
  store: RuleFiles,
  { release, setup }: InstalledRules,
): Promise<SharedArrayBuffer> {
  const outcome = await compileInThread({ files: await store.crs.files(release.version), setup })
  if (!outcome.ok) throw CrsError.fromDiagnostics(`OWASP CRS ${release.crsVersion}`, outcome.diagnostics)
  return outcome.value
}
