import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CrsError, compileRelease, readRelease, readSetup } from '../crs/index.ts'
import type { CrsFile } from '../model/resource.ts'
import type { Settings } from '../model/settings/index.ts'
import type { Program } from '../waf/index.ts'
import { openStore } from './state/stores.ts'

export interface InstalledProgram {
  readonly program: Program
  /** Upstream's version: `4.28.0`. */
  readonly crsVersion: string
}

interface Sources {
  readonly crsVersion: string
  readonly files: readonly CrsFile[]
  readonly setup: string | undefined
}

/**
 * The compiled rules that `serve` runs with these settings. Changes nothing and does not use the network.
 * @throws CrsError `unavailable` if no release was imported, and as `readRelease` and `readSetup`; StoreError
 */
export async function installedProgram(settings: Settings): Promise<InstalledProgram> {
  const { crsVersion, files, setup } = await (settings.crs === undefined
    ? imported(settings)
    : given(settings, settings.crs))
  const outcome = compileRelease(files, setup)
  if (!outcome.ok) throw CrsError.fromDiagnostics(`OWASP CRS ${crsVersion}`, outcome.diagnostics)
  return { program: outcome.value, crsVersion }
}

async function given({ crsSetup }: Settings, path: string): Promise<Sources> {
  const { crsVersion, files } = await readRelease(path)
  return { crsVersion, files, setup: crsSetup === undefined ? undefined : await readSetup(crsSetup) }
}

async function imported(settings: Settings): Promise<Sources> {
  if (settings.databaseUrl === undefined && !existsSync(join(settings.data, 'sluice.db'))) {
    throw nothingImported(settings)
  }
  const store = await openStore(settings, false)
  try {
    const release = await store.crs.active()
    if (release === undefined) throw nothingImported(settings)
    const { crsVersion, version } = release
    const setup =
      settings.crsSetup === undefined ? await store.crs.setup() : await readSetup(settings.crsSetup)
    return { crsVersion, files: await store.crs.files(version), setup }
  } finally {
    await store.close()
  }
}

function nothingImported({ data }: Settings): CrsError {
  const advice = 'name one with --crs PATH, or run `npx sluice crs sync`'
  return new CrsError('unavailable', `no OWASP CRS release was imported into ${data} yet: ${advice}`)
}
