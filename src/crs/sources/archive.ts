import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { bundleOf, type CrsBundle, releaseFiles } from '../bundle.ts'
import { CrsError } from '../crs-error.ts'
import { fits, isPattern } from '../glob.ts'
import { crsLimits } from '../limits.ts'
import { collectFiles, type FileTree } from './collect.ts'

const unzip = promisify(gunzip)

/**
 * Reads a release from a `.tar.gz` in memory; nothing is written to disk.
 * @throws CrsError `not-a-release`, `too-large`
 */
export async function readArchive(bytes: Uint8Array, origin: string): Promise<CrsBundle> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    throw new CrsError(
      'not-a-release',
      `${origin} is not a .tar.gz archive; unpack it and name the directory`,
    )
  }
  const tree = archiveTree(await unpack(bytes, origin), origin)
  return bundleOf(await collectFiles(tree, releaseFiles, origin), origin)
}

async function unpack(bytes: Uint8Array, origin: string): Promise<Map<string, Buffer>> {
  try {
    return await readTar(await unzip(bytes, { maxOutputLength: crsLimits.unpackedBytesMax }))
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new CrsError('too-large', `${origin} unpacks to more than ${crsLimits.unpackedBytesMax} bytes`)
    }
    throw new CrsError('not-a-release', `${origin} is damaged: ${(error as Error).message}`, { cause: error })
  }
}

/** Every file of the archive; they are bounded by the limit on what it unpacks to. */
function readTar(tar: Buffer): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    const parser = new Parser({ strict: true, onReadEntry: entry => takeEntry(entry, contents) })
    parser.on('error', reject)
    parser.on('end', () => resolve(contents))
    parser.end(tar)
  })
}

function takeEntry(entry: ReadEntry, contents: Map<string, Buffer>): void {
  if (entry.type !== 'File' && entry.type !== 'OldFile') {
    entry.resume()
    return
  }
  const path = entry.path.startsWith('./') ? entry.path.slice(2) : entry.path
  const chunks: Buffer[] = []
  entry.on('data', chunk => chunks.push(chunk))
  entry.on('end', () => contents.set(path, Buffer.concat(chunks)))
}

/** Upstream packs everything into one folder, `coreruleset-4.28.0/`; an archive without it is read as well. */
function archiveTree(contents: ReadonlyMap<string, Buffer>, origin: string): FileTree {
  const paths = [...contents.keys()]
  const isFlat = paths.some(path => fits('rules/*.conf', path))
  const inFolder = paths.find(path => fits('*/rules/*.conf', path)) ?? ''
  const folder = isFlat ? '' : inFolder.slice(0, inFolder.indexOf('/') + 1)
  return {
    find: async pattern => {
      const wanted = folder + pattern
      if (!isPattern(pattern)) return contents.has(wanted) ? [pattern] : []
      return paths.filter(path => fits(wanted, path)).map(path => path.slice(folder.length))
    },
    read: async path => {
      const content = contents.get(folder + path)!
      if (content.length <= crsLimits.fileBytesMax) return content
      throw new CrsError('too-large', `${path} of ${origin} is larger than ${crsLimits.fileBytesMax} bytes`)
    },
  }
}
