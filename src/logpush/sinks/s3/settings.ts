import type { Checked } from '../../../model/problem.ts'
import { accept, refuse } from '../../problems.ts'

/** What a `s3://` destination says. */
export interface S3Settings {
  readonly bucket: string
  readonly folder: string
  readonly region: string
  /** `https://host` of an S3-compatible server; path-style addressing is used with it. */
  readonly endpoint: string | undefined
  /** Undefined: the standard AWS chain (environment, shared files, instance role). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  readonly serverSideEncryption: 'AES256' | undefined
}

const parameters = ['region', 'endpoint', 'access-key-id', 'secret-access-key', 'sse']

/** Reads the text of a `s3://` destination. */
export function parseS3Settings(destinationConf: string): Checked<S3Settings> {
  const match = /^s3:\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?$/.exec(destinationConf)
  if (match === null) return bad('it has the form s3://BUCKET/FOLDER?region=REGION')
  const bucket = match[1]!
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return bad(`'${bucket}' is no bucket name`)
  const query = new URLSearchParams((match[3] ?? '').replaceAll('+', '%2B'))
  const stranger = [...query.keys()].find(name => !parameters.includes(name))
  if (stranger !== undefined)
    return bad(`it has no parameter "${stranger}"; possible are ${parameters.join(', ')}`)
  const region = query.get('region')
  if (region === null || !/^[a-z0-9-]{1,32}$/.test(region))
    return bad('it needs region=REGION, such as region=us-east-1')
  const sse = query.get('sse')
  if (sse !== null && sse !== 'AES256') return bad('sse can only be AES256')
  const accessKeyId = query.get('access-key-id')
  const secretAccessKey = query.get('secret-access-key')
  if ((accessKeyId === null) !== (secretAccessKey === null))
    return bad('access-key-id and secret-access-key go together')
  const endpoint = endpointUrl(query.get('endpoint'))
  if (endpoint === 'invalid') return bad('endpoint is a host such as s3.example.com, without bucket and path')
  return accept({
    bucket,
    folder: decoded(match[2]!).replace(/^\/+|\/+$/g, ''),
    region,
    endpoint,
    credentials: accessKeyId === null ? undefined : { accessKeyId, secretAccessKey: secretAccessKey! },
    serverSideEncryption: sse === null ? undefined : 'AES256',
  })
}

function bad(reason: string): Checked<never> {
  return refuse('invalidDestination', `destination_conf is not valid because ${reason}`, '/destination_conf')
}

function endpointUrl(text: string | null): string | undefined {
  if (text === null) return undefined
  const url = /^https?:\/\//.test(text) ? text : `https://${text}`
  if (!URL.canParse(url)) return 'invalid'
  const { pathname, search, username, origin } = new URL(url)
  return pathname === '/' && search === '' && username === '' ? origin : 'invalid'
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
