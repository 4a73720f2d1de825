import { accept } from '../../problems.ts'
import {
  badDestination,
  badManifest,
  decodedFolder,
  destinationQuery,
  manifestOf,
} from '../destination-text.ts'
import type { SinkKind } from '../sink.ts'

/**
 * `gs://bucket/folder[?manifest=hourly]`, written with the process's service account.
 * @source Cloudflare, "Enable Logpush to Google Cloud Storage"
 */
export const gsSink: SinkKind = {
  scheme: 'gs',
  parse(destinationConf) {
    const match = /^gs:\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(\/[^?#]*)?(?:\?([^#]*))?$/.exec(
      destinationConf,
    )
    if (match === null)
      return badDestination('it must have the form gs://BUCKET/FOLDER, with the bucket in lower case')
    const query = destinationQuery(match[3], ['manifest'])
    if (!query.ok) return query
    const manifest = manifestOf(query.value)
    if (manifest === undefined) return badDestination(badManifest)
    return accept({
      needsOwnership: true,
      folder: decodedFolder(match[2] ?? ''),
      masked: destinationConf,
      manifest,
      open: async ({ reach }) => {
        const { openGs } = await import('./deliver.ts')
        return openGs({ bucket: match[1]!, api: 'https://storage.googleapis.com' }, reach)
      },
    })
  },
}
