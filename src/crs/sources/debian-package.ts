import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { CrsBundle } from '../bundle.ts'
import { CrsError } from '../crs-error.ts'
import { crsLimits } from '../limits.ts'
import { readRelease } from './directory.ts'

const run = promisify(execFile)
const packageName = 'modsecurity-crs'

/** Where Debian, Ubuntu and their kin install the package. */
export const packageDirectory = `/usr/share/${packageName}`

/**
 * Downloads the distribution's package and reads the release in it, without root and without installing it.
 * The package manager checks it against the distribution's signed lists; when the machine has none yet, they are
 * fetched into the temporary directory.
 * @param tmpDir created if absent; its contents are removed again
 * @throws CrsError `package-unavailable`, and as `readRelease`
 */
export async function downloadPackage(tmpDir: string, report: (text: string) => void): Promise<CrsBundle> {
  await mkdir(tmpDir, { recursive: true })
  // Commands run inside it, so its path must not depend on where they are.
  const work = await mkdtemp(join(resolve(tmpDir), 'crs-'))
  try {
    report(`downloading the package ${packageName} of this distribution`)
    const file = await fetchPackage(work, report)
    const unpacked = join(work, 'unpacked')
    await command('dpkg-deb', ['-x', join(work, file), unpacked], work)
    // modsecurity-crs_3.3.4-1+deb12u3_all.deb
    const version = decodeURIComponent(file.split('_')[1] ?? 'of unknown version')
    return await readRelease(join(unpacked, packageDirectory), `debian package ${version}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** @returns the name of the package's file in `work` */
async function fetchPackage(work: string, report: (text: string) => void): Promise<string> {
  try {
    await command('apt-get', ['download', packageName], work)
  } catch (error) {
    if (isAbsent((error as CrsError).cause)) throw error
    report('fetching the package lists of this distribution')
    const own = ownLists(work)
    await mkdir(join(work, 'state/lists/partial'), { recursive: true })
    await mkdir(join(work, 'cache/archives/partial'), { recursive: true })
    await command('apt-get', [...own, 'update'], work)
    await command('apt-get', [...own, 'download', packageName], work)
  }
  const file = (await readdir(work)).find(name => name.startsWith(`${packageName}_`) && name.endsWith('.deb'))
  if (file === undefined) throw new CrsError('package-unavailable', `apt-get left no package ${packageName}`)
  return file
}

/** Separate lists and caches, so that the machine's stay unchanged and root is not needed. */
function ownLists(work: string): string[] {
  const state = join(work, 'state')
  return [
    ['Dir::State', state],
    ['Dir::State::Lists', join(state, 'lists')],
    ['Dir::State::status', '/var/lib/dpkg/status'],
    ['Dir::Cache', join(work, 'cache')],
    ['APT::Sandbox::User', ''],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

async function command(program: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await run(program, args, {
      cwd,
      timeout: crsLimits.packageCommandMs,
      env: { ...process.env, LC_ALL: 'C' },
    })
  } catch (error) {
    const output = String((error as { stderr?: unknown }).stderr ?? '').trim()
    const why = isAbsent(error)
      ? 'is not on this machine'
      : output.split('\n').at(-1) || (error as Error).message
    throw new CrsError('package-unavailable', `${program}: ${why}`, { cause: error })
  }
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
}
