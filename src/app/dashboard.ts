import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sourceHash } from './dashboard-hash.ts'

const places = {
  /** In the published package: made when it was packed, beside the built rooms. */
  packaged: join(import.meta.dirname, '..', 'dashboard'),
  sources: join(import.meta.dirname, '..', '..', 'dashboard'),
}

/**
 * The directory of the built page. A checkout builds it when its sources are others than last time, which takes some
 * seconds; without what builds it, everything else works.
 * @param report lines of progress, and why there is no page
 * @returns undefined when there is none; it never rejects
 */
export async function prepareDashboard(
  report: (line: string) => void,
  { packaged, sources } = places,
): Promise<string | undefined> {
  if (existsSync(packaged)) return packaged
  const built = join(sources, 'dist')
  let failure: string | undefined
  try {
    if (isFresh(built, sources)) return built
    failure = await build(sources, report)
  } catch (error) {
    failure = (error as Error).message
  }
  if (failure === undefined) return built
  report(`the dashboard cannot be built, and the API goes without: ${failure}`)
  return undefined
}

function isFresh(built: string, sources: string): boolean {
  const stamp = join(built, 'sources.sha256')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(sources)
}

/** In a process of its own: what builds it is large, and is not needed any more when it is done. */
function build(sources: string, report: (line: string) => void): Promise<string | undefined> {
  const child = spawn(process.execPath, [join(sources, 'build.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  createInterface({ input: child.stdout }).on('line', report)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(0, 2000)
  })
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('close', code => resolve(code === 0 ? undefined : reasonOf(errors)))
  })
}

function reasonOf(errors: string): string {
  if (errors.includes("Cannot find package 'vite'"))
    return 'the packages for it are not installed; `npm ci` installs them'
  return errors.trim() || 'it ended without a word'
}
