import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import {
  badDestination,
  badManifest,
  decodedFolder,
  destinationQuery,
  manifestOf,
} from '../destination-text.ts'

/** The content of an `s3://` destination. */
export interface S3Settings {
  readonly bucket: string
  readonly folder: string
  readonly region: string
  /** `https://host` of an S3-compatible server; undefined for Amazon's own. */
  readonly endpoint: string | undefined
  /** The bucket is in the path, not in the host name. */
  readonly pathStyle: boolean
  /** Undefined: the standard AWS chain (environment, shared files, instance role). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  readonly serverSideEncryption: 'AES256' | undefined
  /** Hourly manifests list the objects. */
  readonly manifest: boolean
}

const parameters = [
  'region',
  'endpoint',
  'access-key-id',
  'secret-access-key',
  'sse',
  'addressing',
  'manifest',
]

/** Reads the text of an `s3://` destination. */
export function parseS3Settings(destinationConf: string): Checked<S3Settings> {
  const match = /^s3:\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?$/.exec(destinationConf)
  if (match === null) return badDestination('it must have the form s3://BUCKET/FOLDER?region=REGION')
  const bucket = match[1]!
  if (!isBucketName(bucket)) return badDestination(bucketReason)
  const query = destinationQuery(match[3], parameters)
  if (!query.ok) return query
  const region = query.value.get('region')
  if (region === null || !/^[a-z0-9-]{1,32}$/.test(region))
    return badDestination('it needs region=REGION, such as region=us-east-1')
  const sse = query.value.get('sse')
  if (sse !== null && sse !== 'AES256') return badDestination('sse can only be AES256')
  const credentials = keyPair(query.value)
  if (credentials === 'incomplete') return badDestination('access-key-id and secret-access-key go together')
  const endpoint = endpointUrl(query.value.get('endpoint'))
  if (endpoint === 'invalid')
    return badDestination('endpoint must be a host such as s3.example.com, without bucket and path')
  const addressing = query.value.get('addressing')
  if (addressing !== null && addressing !== 'path' && addressing !== 'host')
    return badDestination('addressing can only be path or host')
  const manifest = manifestOf(query.value)
  if (manifest === undefined) return badDestination(badManifest)
  return accept({
    bucket,
    folder: decodedFolder(match[2]!),
    region,
    endpoint,
    // A name with a dot does not match the certificate of a host.
    pathStyle: addressing === null ? endpoint !== undefined || bucket.includes('.') : addressing === 'path',
    credentials,
    serverSideEncryption: sse === null ? undefined : 'AES256',
    manifest,
  })
}

/** Completes "destination_conf is not valid because". */
export const bucketReason =
  'its bucket must have 3 to 63 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends'

export function isBucketName(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)
}

export function keyPair(query: URLSearchParams): S3Settings['credentials'] | 'incomplete' {
  const accessKeyId = query.get('access-key-id')
  const secretAccessKey = query.get('secret-access-key')
  if (accessKeyId === null && secretAccessKey === null) return undefined
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : 'incomplete'
}

function endpointUrl(text: string | null): string | undefined {
  if (text === null) return undefined
  const url = /^https?:\/\//.test(text) ? text : `https://${text}`
  if (!URL.canParse(url)) return 'invalid'
  const { pathname, search, hash, username, password, origin } = new URL(url)
  const isHost = pathname === '/' && `${search}${hash}${username}${password}` === ''
  return isHost ? origin : 'invalid'
}
