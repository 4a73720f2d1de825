import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import { badDestination, badManifest, destinationQuery, manifestOf } from '../destination-text.ts'
import type { SinkKind, Target } from '../sink.ts'

/**
 * `file:./folder`, below the directory of all file destinations, or `file:///absolute/folder` in it.
 * `{DATE}`, `{HOUR}` and `?manifest=hourly` work as in S3 paths.
 */
export const fileSink: SinkKind = {
  scheme: 'file',
  parse(destinationConf): Checked<Target> {
    const [address, parameters] = splitOnce(destinationConf, '?')
    const folder = folderOf(address)
    if (folder === undefined)
      return badDestination(
        'it must have the form file:./folder, without .. in it, or file:///absolute/folder',
      )
    const query = destinationQuery(parameters, ['manifest'])
    if (!query.ok) return query
    const manifest = manifestOf(query.value)
    if (manifest === undefined) return badDestination(badManifest)
    return accept({
      needsOwnership: false,
      folder,
      objects: true,
      masked: destinationConf,
      manifest,
      open: async ({ directory }) => {
        const { openFiles } = await import('./deliver.ts')
        return openFiles(directory)
      },
    })
  },
}

function splitOnce(text: string, at: string): [before: string, after: string | undefined] {
  const index = text.indexOf(at)
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)]
}

/** A folder verbatim: relative without `./`, or absolute. */
function folderOf(address: string): string | undefined {
  if (address.includes('#')) return undefined
  if (address.startsWith('file:./')) {
    const folder = posix.normalize(address.slice('file:'.length)).replace(/\/+$/, '')
    if (/^\.\.(?:\/|$)|\0/.test(folder)) return undefined
    return folder === '.' ? '' : folder
  }
  if (!address.startsWith('file:///')) return undefined
  try {
    const folder = fileURLToPath(address.replaceAll('{', '%7B').replaceAll('}', '%7D'))
    return folder.includes('\0') ? undefined : folder.replace(/(?<=.)\/+$/, '')
  } catch {
    return undefined
  }
}
