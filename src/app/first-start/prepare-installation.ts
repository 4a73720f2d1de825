import { isOldRelease, openCrs, readSetup } from '../../crs/index.ts'
import type { CrsRelease } from '../../model/resource.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Store } from '../../store/index.ts'
import type { Shutdown } from '../shutdown.ts'
import { systemAudit } from '../system-audit.ts'
import { bootstrap, ensureAccount, type FirstStart, startActor } from './bootstrap.ts'
import { SampleOrigin } from './sample-origin.ts'

/** Ensures that a CRS release, an account, credentials and a first zone exist. */
export async function prepareInstallation(
  store: Store,
  settings: Settings,
  isSupervised: boolean,
  shutdown: Shutdown,
  report: (line: string) => void,
): Promise<void> {
  await ensureAccount(store)
  const audit = await systemAudit(store, startActor)
  const crs = openCrs({ store, data: settings.data, report, reach: settings.destinations })
  const release = await crs.ensure({
    path: settings.crs,
    setup: settings.crsSetup === undefined ? undefined : await ownSetup(settings.crsSetup),
    audit: audit.crs,
  })
  const sample = new SampleOrigin(store, audit, report, isSupervised)
  shutdown.add('sample site', () => sample.close())
  const first = await bootstrap(store, settings, () => sample.begin())
  await sample.resume()
  if (first === undefined) return
  reportRelease(release, report)
  reportFirstStart(first, report)
}

async function ownSetup(path: string): Promise<string> {
  try {
    return await readSetup(path)
  } catch (error) {
    throw new Error(`SLUICE_CRS_SETUP: ${(error as Error).message}`, { cause: error })
  }
}

function reportRelease(
  { crsVersion, releasedYear, origin }: CrsRelease,
  report: (line: string) => void,
): void {
  const age = releasedYear === undefined ? '' : ` of ${releasedYear}`
  report(`the rules are OWASP CRS ${crsVersion}${age}, from: ${origin}`)
  if (isOldRelease(releasedYear, Date.now()))
    report('this release is old: `npx sluice crs sync` imports the newest one')
}

/** Prints file names instead of secrets, because the output ends up in logs. */
function reportFirstStart({ email, tokenFile, keyFile }: FirstStart, report: (line: string) => void): void {
  if (tokenFile !== undefined) report(`the administrator's token is in ${tokenFile}`)
  if (keyFile !== undefined) report(`the key of ${email} for X-Auth-Key is in ${keyFile}`)
}
