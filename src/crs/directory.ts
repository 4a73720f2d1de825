import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { crsLimits } from '../kit/limits.ts'
import { readArchive } from './archive.ts'
import { bundleOf, type CrsBundle, isReleaseFile, setupName } from './bundle.ts'
import { CrsError } from './crs-error.ts'

/**
 * Reads a release from a directory (upstream's layout or a distribution's) or a `.tar.gz` archive.
 * @throws CrsError `not-found`, `not-a-release`, `too-large`
 */
export async function readRelease(path: string, origin = path): Promise<CrsBundle> {
  try {
    const info = await stat(path)
    if (info.isDirectory()) return await readDirectory(resolve(path), origin)
    if (info.size > crsLimits.archiveBytesMax) {
      throw new CrsError('too-large', `${path} is larger than ${crsLimits.archiveBytesMax} bytes`)
    }
    return await readArchive(await readFile(path), origin)
  } catch (error) {
    if (error instanceof CrsError) throw error
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be read'
    const what = 'name a directory or .tar.gz archive with an OWASP CRS release'
    throw new CrsError('not-found', `${path} ${why}; ${what}`, { cause: error })
  }
}

async function readDirectory(path: string, origin: string): Promise<CrsBundle> {
  const contents = new Map<string, Uint8Array>()
  await take(path, '', contents)
  await take(join(path, 'rules'), 'rules/', contents)
  if (isPackageDirectory(path)) await takePackageSettings(path, contents)
  return bundleOf(contents, origin)
}

/**
 * Debian's package has the rules in `/usr/share/modsecurity-crs` and what administrators edit in
 * `/etc/modsecurity/crs`: the setup and the two exclusion files, which its `owasp-crs.load` puts around the rules.
 */
async function takePackageSettings(path: string, contents: Map<string, Uint8Array>): Promise<void> {
  const settings = join(dirname(dirname(dirname(path))), 'etc/modsecurity/crs')
  if (!(await isDirectory(settings))) return
  await take(settings, '', contents)
  await take(settings, 'rules/', contents)
  contents.delete(`rules/${setupName}`)
}

function isPackageDirectory(path: string): boolean {
  const parent = dirname(path)
  return (
    basename(path) === 'modsecurity-crs' &&
    basename(parent) === 'share' &&
    basename(dirname(parent)) === 'usr'
  )
}

/** Adds the files right in a directory that a release needs, under `prefix` and their name. */
async function take(directory: string, prefix: string, contents: Map<string, Uint8Array>): Promise<void> {
  if (!(await isDirectory(directory))) return
  for (const name of await readdir(directory)) {
    const path = prefix + name
    if (!isReleaseFile(path)) continue
    const file = join(directory, name)
    const { size } = await stat(file)
    if (contents.size >= crsLimits.filesMax || size > crsLimits.fileBytesMax) {
      throw new CrsError(
        'too-large',
        `${file} is one file too many or larger than ${crsLimits.fileBytesMax} bytes`,
      )
    }
    contents.set(path, await readFile(file))
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
