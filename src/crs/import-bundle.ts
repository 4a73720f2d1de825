import type { CrsFile, CrsRelease } from '../model/resource.ts'
import { buildManagedRulesets } from '../rulesets/index.ts'
import type { Store } from '../store/index.ts'
import type { Program } from '../waf/index.ts'
import { compileRelease } from './assemble.ts'
import { type CrsBundle, digestOf, setupExampleName, setupName } from './bundle.ts'
import { CrsError } from './crs-error.ts'

/** A release that was imported, or was there already with the same content. */
export interface Imported {
  readonly release: CrsRelease
  readonly isNew: boolean
}

/**
 * Stores a release with its managed rulesets, together with the setup it goes with, and makes it active.
 * @throws CrsError `does-not-compile`, `not-a-release`; then nothing has changed
 */
export async function importBundle(
  store: Store,
  bundle: CrsBundle,
  setup: string | undefined,
): Promise<Imported> {
  const { crsVersion, files, origin } = bundle
  const digest = digestOf(files)
  const known = (await store.crs.list()).find(release => release.digest === digest)
  const sameSetup = setup === (await store.crs.setup())
  if (known !== undefined && sameSetup) {
    if ((await store.crs.active())?.version !== known.version) await store.crs.activate(known.version)
    return { release: known, isNew: false }
  }
  const program = compileOrThrow(`OWASP CRS ${crsVersion} (${origin})`, files, setup)
  if (!sameSetup) await store.crs.setSetup(setup)
  const release = await store.crs.insert({
    crsVersion,
    digest,
    origin,
    files,
    managedRulesets: (version, importedOn) =>
      buildManagedRulesets(program, { crsVersion, version, importedOn }),
  })
  return { release, isNew: known === undefined }
}

/**
 * @param what what the rules belong to, for people
 * @throws CrsError `does-not-compile`, or `not-a-release` when there is no setup at all
 */
export function compileOrThrow(what: string, files: readonly CrsFile[], setup: string | undefined): Program {
  if (setup === undefined && !files.some(f => f.name === setupName || f.name === setupExampleName)) {
    throw new CrsError('not-a-release', `${what} has no ${setupExampleName}; name one in SLUICE_CRS_SETUP`)
  }
  const outcome = compileRelease(files, setup)
  if (!outcome.ok) throw CrsError.fromDiagnostics(what, outcome.diagnostics)
  return outcome.value
}
