import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Checked } from '../../../model/problem.ts'
import { accept, refuse } from '../../problems.ts'
import { SinkError, type SinkKind, type Target } from '../sink.ts'

/**
 * `file:///absolute/folder` or `file:./folder` (below the working directory): for laptops and tests.
 * `{DATE}` works as in S3 paths.
 */
export const fileSink: SinkKind = {
  scheme: 'file',
  parse(destinationConf): Checked<Target> {
    const folder = folderOf(destinationConf)
    if (folder === undefined)
      return refuse(
        'invalidDestination',
        'destination_conf is not valid because it has the form file:///absolute/folder or file:./folder',
        '/destination_conf',
      )
    return accept({
      needsOwnership: false,
      folder,
      open: async reach => {
        if (reach === 'public')
          throw new SinkError(
            'address-refused',
            'never',
            'SLUICE_DESTINATIONS=public does not allow files of this machine',
          )
        const { openFiles } = await import('./deliver.ts')
        return openFiles()
      },
    })
  },
}

function folderOf(destinationConf: string): string | undefined {
  if (destinationConf.startsWith('file:./')) return resolve(destinationConf.slice('file:'.length))
  if (!destinationConf.startsWith('file:///') || /[?#]/.test(destinationConf)) return undefined
  try {
    return fileURLToPath(destinationConf.replaceAll('{', '%7B').replaceAll('}', '%7D'))
  } catch {
    return undefined
  }
}
