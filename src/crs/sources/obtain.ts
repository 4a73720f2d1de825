import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Reach } from '../../model/settings/index.ts'
import type { CrsBundle } from '../bundle.ts'
import { CrsError } from '../crs-error.ts'
import { downloadPackage, packageDirectory } from './debian-package.ts'
import { readRelease } from './directory.ts'
import { coreRuleSetProject, fetchNewestRelease, type Upstream } from './upstream.ts'

/** The sources of releases without a given path. */
export interface CrsSources {
  readonly upstream: Upstream
  /** Where the distribution's package would be installed. */
  readonly packageDirectory: string
  readonly downloadPackage: (tmpDir: string, report: (text: string) => void) => Promise<CrsBundle>
}

export const publicSources = (reach: Reach): CrsSources => ({
  upstream: coreRuleSetProject(reach),
  packageDirectory,
  downloadPackage,
})

/**
 * Upstream's newest release, else the distribution's installed package, else its package downloaded.
 * @param dataDir its `tmp` is used for downloads
 * @param report is told of each attempt and why it failed
 * @throws CrsError `unavailable`, with what to do
 */
export async function obtainRelease(
  sources: CrsSources,
  dataDir: string,
  report: (text: string) => void,
): Promise<CrsBundle> {
  const installed = sources.packageDirectory
  const attempts = [
    () => fetchNewestRelease(sources.upstream, report),
    ...(existsSync(installed) ? [() => readRelease(installed, `installed package ${installed}`)] : []),
    () => sources.downloadPackage(join(dataDir, 'tmp'), report),
  ]
  const failures: string[] = []
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof CrsError)) throw error
      report(error.message)
      failures.push(error.message)
    }
  }
  const advice = 'Set SLUICE_CRS to a directory or .tar.gz archive of an OWASP CRS release and start again.'
  throw new CrsError(
    'unavailable',
    `no OWASP CRS release could be obtained. ${advice}\n  ${failures.join('\n  ')}`,
  )
}
