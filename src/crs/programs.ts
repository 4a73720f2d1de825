import { createHash } from 'node:crypto'
import { crsLimits } from '../kit/limits.ts'
import type { Store } from '../store/index.ts'
import type { Program } from '../waf/index.ts'
import { compileRelease } from './assemble.ts'
import { CrsError } from './crs-error.ts'

/** Compiled releases, one for each content and setup, shared by everyone in the process. */
export interface Programs {
  /**
   * @param version of the managed ruleset
   * @throws CrsError `unknown-release`, `does-not-compile`; StoreError
   */
  programFor(version: number): Promise<Program>
}

/** The last few programs stay in memory; compiling happens once even if many ask at the same time. */
export function createPrograms(store: Store): Programs {
  const kept = new Map<string, Promise<Program>>()

  async function programFor(version: number): Promise<Program> {
    const [release, setup] = await Promise.all([store.crs.byVersion(version), store.crs.setup()])
    if (release === undefined) throw CrsError.unknownRelease(version)
    const key = `${release.digest} ${setup === undefined ? '' : createHash('sha256').update(setup).digest('hex')}`
    const program = kept.get(key) ?? load(store, version, release.crsVersion, setup)
    kept.delete(key)
    kept.set(key, program)
    if (kept.size > crsLimits.programsMax) kept.delete(kept.keys().next().value!)
    try {
      return await program
    } catch (error) {
      if (kept.get(key) === program) kept.delete(key)
      throw error
    }
  }
  return { programFor }
}

async function load(
  store: Store,
  version: number,
  crsVersion: string,
  setup: string | undefined,
): Promise<Program> {
  const outcome = compileRelease(await store.crs.files(version), setup)
  if (!outcome.ok) throw CrsError.fromDiagnostics(`OWASP CRS ${crsVersion}`, outcome.diagnostics)
  return outcome.value
}
