import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import {
  badDestination,
  badManifest,
  decodedFolder,
  destinationQuery,
  manifestOf,
} from '../destination-text.ts'
import { bucketReason, isBucketName, keyPair, type S3Settings } from '../s3/settings.ts'
import { s3Target } from '../s3/target.ts'
import type { SinkKind } from '../sink.ts'

const parameters = ['account-id', 'access-key-id', 'secret-access-key', 'manifest']

/**
 * `r2://bucket/folder?account-id=A&access-key-id=K&secret-access-key=S[&manifest=hourly]`. R2 implements S3.
 * @source Cloudflare, "Enable Logpush to R2"
 */
export const r2Sink: SinkKind = {
  scheme: 'r2',
  parse(destinationConf) {
    const settings = parseR2Settings(destinationConf)
    return settings.ok ? accept(s3Target(settings.value, destinationConf)) : settings
  },
}

/** Reads the text of an `r2://` destination as S3 settings. */
export function parseR2Settings(destinationConf: string): Checked<S3Settings> {
  const match = /^r2:\/\/([^/?#]+)([^?#]*)\?([^#]*)$/.exec(destinationConf)
  if (match === null)
    return badDestination(
      'it must have the form r2://BUCKET/FOLDER?account-id=A&access-key-id=K&secret-access-key=S',
    )
  if (!isBucketName(match[1]!)) return badDestination(bucketReason)
  const query = destinationQuery(match[3], parameters)
  if (!query.ok) return query
  const account = query.value.get('account-id') ?? ''
  if (!/^[0-9a-z]{1,64}$/.test(account))
    return badDestination('it needs account-id=ACCOUNT, an id of lower-case letters and digits')
  const credentials = keyPair(query.value)
  if (typeof credentials !== 'object')
    return badDestination('it needs access-key-id and secret-access-key of an R2 API token')
  const manifest = manifestOf(query.value)
  if (manifest === undefined) return badDestination(badManifest)
  return accept({
    bucket: match[1]!,
    folder: decodedFolder(match[2]!),
    region: 'auto',
    endpoint: `https://${account}.r2.cloudflarestorage.com`,
    pathStyle: true,
    credentials,
    serverSideEncryption: undefined,
    manifest,
  })
}
