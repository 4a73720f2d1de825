import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { crsLimits } from '../kit/limits.ts'
import { bundleOf, type CrsBundle, isReleaseFile } from './bundle.ts'
import { CrsError } from './crs-error.ts'

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
  const contents = new Map<string, Uint8Array>()
  try {
    const unpacked = await unzip(bytes, { maxOutputLength: crsLimits.unpackedBytesMax })
    await readTar(unpacked, contents, origin)
  } catch (error) {
    if (error instanceof CrsError) throw error
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new CrsError('too-large', `${origin} unpacks to more than ${crsLimits.unpackedBytesMax} bytes`)
    }
    throw new CrsError('not-a-release', `${origin} is damaged: ${(error as Error).message}`, { cause: error })
  }
  return bundleOf(contents, origin)
}

function readTar(tar: Buffer, contents: Map<string, Uint8Array>, origin: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = new Parser({
      strict: true,
      onReadEntry: entry => takeEntry(entry, contents, origin, reject),
    })
    parser.on('error', reject)
    parser.on('end', resolve)
    parser.end(tar)
  })
}

function takeEntry(
  entry: ReadEntry,
  contents: Map<string, Uint8Array>,
  origin: string,
  reject: (error: CrsError) => void,
): void {
  const path = pathInRelease(entry.path)
  const wanted = isReleaseFile(path) && (entry.type === 'File' || entry.type === 'OldFile')
  if (wanted && (contents.size >= crsLimits.filesMax || entry.size > crsLimits.fileBytesMax)) {
    reject(new CrsError('too-large', `${origin} has too many or too large files (${entry.path})`))
  }
  if (!wanted) {
    entry.resume()
    return
  }
  const chunks: Buffer[] = []
  entry.on('data', chunk => chunks.push(chunk))
  entry.on('end', () => contents.set(path, Buffer.concat(chunks)))
}

/** Upstream packs everything into one folder, `coreruleset-4.28.0/`; an archive without it is read as well. */
function pathInRelease(path: string): string {
  const plain = path.startsWith('./') ? path.slice(2) : path
  if (isReleaseFile(plain)) return plain
  return plain.slice(plain.indexOf('/') + 1)
}
