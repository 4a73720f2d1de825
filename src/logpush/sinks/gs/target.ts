import { accept } from '../../problems.ts'
import {
  badDestination,
  badManifest,
  decodedFolder,
  destinationQuery,
  manifestOf,
} from '../destination-text.ts'
import type { SinkKind } from '../sink.ts'

const bucketReason =
  'its bucket must have 3 to 222 lower-case letters, digits, dots, _ and -, with a letter or digit at both ends'

/**
 * `gs://bucket/folder[?manifest=hourly]`, written with the process's service account.
 * @source Cloudflare, "Enable Logpush to Google Cloud Storage"
 */
export const gsSink: SinkKind = {
  scheme: 'gs',
  parse(destinationConf) {
    const match = /^gs:\/\/([^/?#]+)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(destinationConf)
    if (match === null) return badDestination('it must have the form gs://BUCKET/FOLDER')
    const bucket = match[1]!
    if (!/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(bucket)) return badDestination(bucketReason)
    const query = destinationQuery(match[3], ['manifest'])
    if (!query.ok) return query
    const manifest = manifestOf(query.value)
    if (manifest === undefined) return badDestination(badManifest)
    return accept({
      needsOwnership: true,
      folder: decodedFolder(match[2] ?? ''),
      objects: true,
      masked: destinationConf,
      manifest,
      open: async ({ reach }) => {
        const { openGs } = await import('./deliver.ts')
        return openGs({ bucket, api: 'https://storage.googleapis.com' }, reach)
      },
    })
  },
}
