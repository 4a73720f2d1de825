import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { bundleOf, type CrsBundle, releaseFiles, setupName } from '../bundle.ts'
import { CrsError } from '../crs-error.ts'
import { crsLimits } from '../limits.ts'
import { readArchive } from './archive.ts'
import { collectFiles, type FileTree } from './collect.ts'
import { directoryTree, inside, overlay } from './directory-tree.ts'

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
  const tree = isPackageDirectory(path) ? packageTree(path) : directoryTree(path)
  return bundleOf(await collectFiles(inside(tree), releaseFiles, origin), origin)
}

/**
 * Debian's package has the rules in `/usr/share/modsecurity-crs` and what administrators edit in
 * `/etc/modsecurity/crs`: the setup and the two exclusion files, which its `owasp-crs.load` puts around the rules.
 */
function packageTree(path: string): FileTree {
  const settings = join(dirname(dirname(dirname(path))), 'etc/modsecurity/crs')
  const tree = overlay([directoryTree(settings), directoryTree(settings, 'rules/'), directoryTree(path)])
  const setupAmongRules = `rules/${setupName}`
  return {
    ...tree,
    find: async pattern => (await tree.find(pattern)).filter(name => name !== setupAmongRules),
  }
}

function isPackageDirectory(path: string): boolean {
  const parent = dirname(path)
  return (
    basename(path) === 'modsecurity-crs' &&
    basename(parent) === 'share' &&
    basename(dirname(parent)) === 'usr'
  )
}
