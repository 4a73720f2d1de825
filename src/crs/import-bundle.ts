import { assert } from '../kit/assert.ts'
import type { AuditEntry, CrsFile, CrsRelease } from '../model/resource.ts'
import { buildManagedRulesets } from '../rulesets/index.ts'
import type { NewCrsRelease, Store } from '../store/index.ts'
import { loadProgram, type Program } from '../waf/index.ts'
import { compileReleaseSnapshot } from './assemble.ts'
import { type CrsBundle, digestOf, setupExampleName, setupName } from './bundle.ts'
import { CrsError } from './crs-error.ts'
import { rulesKey } from './installed-rules.ts'
import { releaseYear } from './release-year.ts'
import type { KeptSnapshots } from './snapshots/kept-snapshots.ts'

/** A release that was imported, or was there already with the same content. */
export interface Imported {
  readonly release: CrsRelease
  readonly isNew: boolean
}

/** The entry of the audit trail for a release that came in (`create`) or was taken into use, or got another setup (`update`). */
export type CrsAudit = (action: 'create' | 'update', release: CrsRelease) => AuditEntry

/** A release that compiles. */
export interface Compiled {
  readonly program: Program
  readonly snapshot: SharedArrayBuffer
}

/**
 * Stores a release with its managed rulesets, together with the setup it goes with, and makes it active.
 * @param snapshots where its snapshot is stored for the threads that run it
 * @throws CrsError `does-not-compile`, `not-a-release`; then nothing has changed
 */
export async function importBundle(
  store: Store,
  bundle: CrsBundle,
  setup: string | undefined,
  snapshots: KeptSnapshots,
  audit?: CrsAudit,
): Promise<Imported> {
  const { crsVersion, files, origin } = bundle
  const digest = digestOf(files)
  const known = (await store.crs.list()).find(release => release.digest === digest)
  const sameSetup = setup === (await store.crs.setup())
  if (known !== undefined && sameSetup) {
    if ((await store.crs.active())?.version !== known.version)
      await store.crs.activate(known.version, audit?.('update', known))
    return { release: known, isNew: false }
  }
  const { program, snapshot } = compileOrThrow(`OWASP CRS ${crsVersion} (${origin})`, files, setup)
  if (!sameSetup) await store.crs.setSetup(setup)
  const action = known === undefined ? 'create' : 'update'
  const release = await store.crs.insert(
    newRelease(bundle, digest, program),
    audit && (made => audit(action, made)),
  )
  await snapshots.write(rulesKey(digest, setup), snapshot)
  return { release, isNew: known === undefined }
}

/**
 * Stores a release with its managed rulesets, with the setup that is in use, and leaves what is active.
 * @param audit the entry of the audit trail, should the release be new
 * @throws CrsError `does-not-compile`, `not-a-release`; then nothing has changed
 */
export async function keepBundle(
  store: Store,
  bundle: CrsBundle,
  snapshots: KeptSnapshots,
  audit?: (release: CrsRelease) => AuditEntry,
): Promise<Imported> {
  const digest = digestOf(bundle.files)
  const known = (await store.crs.list()).find(release => release.digest === digest)
  if (known !== undefined) return { release: known, isNew: false }
  const setup = await store.crs.setup()
  const what = `OWASP CRS ${bundle.crsVersion} (${bundle.origin})`
  const { program, snapshot } = compileOrThrow(what, bundle.files, setup)
  const release = await store.crs.keep(newRelease(bundle, digest, program), audit)
  await snapshots.write(rulesKey(digest, setup), snapshot)
  return { release, isNew: true }
}

function newRelease(
  { crsVersion, files, origin }: CrsBundle,
  digest: string,
  program: Program,
): NewCrsRelease {
  const releasedYear = releaseYear(files)
  return {
    crsVersion,
    digest,
    origin,
    files,
    ...(releasedYear === undefined ? {} : { releasedYear }),
    managedRulesets: (version, importedOn) =>
      buildManagedRulesets(program, { crsVersion, version, importedOn }),
  }
}

/**
 * @param what what the rules belong to, for people
 * @throws CrsError `does-not-compile`, or `not-a-release` when there is no setup at all
 */
export function compileOrThrow(what: string, files: readonly CrsFile[], setup: string | undefined): Compiled {
  if (setup === undefined && !files.some(f => f.name === setupName || f.name === setupExampleName)) {
    throw new CrsError('not-a-release', `${what} has no ${setupExampleName}; name one in SLUICE_CRS_SETUP`)
  }
  const outcome = compileReleaseSnapshot(files, setup)
  if (!outcome.ok) throw CrsError.fromDiagnostics(what, outcome.diagnostics)
  const program = loadProgram(outcome.value, { isChecked: true })
  assert(program !== undefined, 'a snapshot that was just made can be loaded')
  return { program, snapshot: outcome.value }
}
