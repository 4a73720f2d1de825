import { accept } from '../../problems.ts'
import { badDestination, decodedFolder } from '../destination-text.ts'
import type { SinkKind } from '../sink.ts'

/**
 * `gs://bucket/folder`, written with the service account that the process has (`GOOGLE_APPLICATION_CREDENTIALS`).
 * @source Cloudflare, "Enable Logpush to Google Cloud Storage"
 */
export const gsSink: SinkKind = {
  scheme: 'gs',
  parse(destinationConf) {
    const match = /^gs:\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(\/[^?#]*)?$/.exec(destinationConf)
    if (match === null) return badDestination('it has the form gs://BUCKET/FOLDER')
    return accept({
      needsOwnership: true,
      folder: decodedFolder(match[2] ?? ''),
      open: async reach => {
        const { openGs } = await import('./deliver.ts')
        return openGs({ bucket: match[1]!, api: 'https://storage.googleapis.com' }, reach)
      },
    })
  },
}
