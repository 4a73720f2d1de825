import { loadProgram, type Program } from '../../waf/index.ts'
import { compileRelease } from '../assemble.ts'
import { CrsError } from '../crs-error.ts'
import { type InstalledRules, installedRules } from '../installed-rules.ts'
import { crsLimits } from '../limits.ts'
import { LastUsed } from './last-used.ts'
import type { RuleFiles, Snapshots } from './snapshots.ts'

/** Compiled releases, one for each content and setup, shared by everyone in the thread. */
export interface Programs {
  /**
   * @param version of the managed ruleset
   * @throws CrsError `unknown-release`, `does-not-compile`; StoreError
   */
  programFor(version: number): Promise<Program>
}

/**
 * The last few programs stay in memory.
 * @param snapshots asked first; what there is no snapshot of is compiled
 */
export function createPrograms(store: RuleFiles, snapshots?: Snapshots): Programs {
  const kept = new LastUsed<Program>(crsLimits.programsMax)

  async function load(rules: InstalledRules): Promise<Program> {
    return (await fromSnapshot(rules)) ?? compileInstalled(store, rules)
  }

  /** Undefined when anything is wrong with the snapshot or its source; compilation reports faults of the rules. */
  async function fromSnapshot({ release, key }: InstalledRules): Promise<Program | undefined> {
    try {
      const snapshot = await snapshots?.snapshotFor(release.version, key)
      return snapshot === undefined ? undefined : loadProgram(snapshot, { isChecked: true })
    } catch {
      return undefined
    }
  }

  return {
    async programFor(version) {
      const rules = await installedRules(store, version)
      return kept.get(rules.key, () => load(rules))
    },
  }
}

async function compileInstalled(store: RuleFiles, { release, setup }: InstalledRules): Promise<Program> {
  const outcome = compileRelease(await store.crs.files(release.version), setup)
  if (!outcome.ok) throw CrsError.fromDiagnostics(`OWASP CRS ${release.crsVersion}`, outcome.diagnostics)
  return outcome.value
}
