import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../kit/package-root.ts'
import { sourceHash } from './dashboard-hash.ts'

const paths = {
  /** In the published package, beside the built modules. */
  packaged: join(import.meta.dirname, '../../dashboard'),
  sources: join(packageRoot, 'dashboard'),
}

/**
 * The directory of the built page. A checkout builds it if its sources have changed, which takes some seconds. Without
 * the development packages, everything else works.
 * @param report prints progress, or the reason why there is no page
 * @returns undefined without a page; it never rejects
 */
export async function prepareDashboard(
  report: (line: string) => void,
  { packaged, sources } = paths,
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
  report(`the dashboard cannot be built, so the API runs without it: ${failure}`)
  return undefined
}

function isFresh(built: string, sources: string): boolean {
  const stamp = join(built, 'sources.sha256')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(sources)
}

/** In a separate process: the build's modules are large, and the process frees them when it ends. */
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
    return 'the development packages are not installed; `npm ci` installs them'
  return errors.trim() || 'the build ended without a message'
}
