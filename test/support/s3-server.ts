import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import S3rver from 's3rver'

/** The only access key that the server knows; its secret is ours. */
export const s3Credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'the-right-secret' } as const

export interface S3Server {
  readonly url: string
  /** While true every request is answered 503. */
  outage: boolean
  /** Whether writes with `If-None-Match` are understood; otherwise they are refused with 501. */
  conditions: boolean
  /** Requests with a valid signature, in order: `PUT /bucket/key`, also if the host named the bucket. */
  readonly requests: S3Request[]
  /** Answers a request with the error that it returns, if any. */
  refuses: (request: S3Request) => { status: number; code: string } | undefined
  /** Keys of the objects below a prefix. */
  keys(bucket: string, prefix?: string): Promise<string[]>
  read(bucket: string, key: string): Promise<Buffer>
  /** Every line of every `.log.gz` object below a prefix, parsed. */
  lines(bucket: string, prefix?: string): Promise<Record<string, unknown>[]>
  /** Resolves when the next write is done. */
  written(): Promise<void>
  close(): Promise<void>
}

export interface S3Request {
  readonly line: string
  readonly headers: IncomingHttpHeaders
}

/**
 * An S3-compatible server, on a free port unless one is named. Signatures (AWS SigV4, header form) are checked in front of it, because the
 * server itself takes any secret.
 */
export async function startS3(
  buckets: readonly string[],
  { host, port } = { host: '127.0.0.1', port: 0 },
): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-s3-'))
  const inner = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: buckets.map(name => ({ name, configs: [] })),
  })
  const { port: innerPort } = (await inner.run()) as AddressInfo
  const front = createServer((request, response) => void serve(request, response))
  const state = {
    outage: false,
    conditions: true,
    requests: [] as S3Request[],
    refuses: (() => undefined) as S3Server['refuses'],
  }
  /** Paths of the objects that were written through this front. */
  const known = new Set<string>()
  let written = Promise.withResolvers<void>()
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    if (state.outage) return refuse(response, 503, 'SlowDown')
    if (!isSigned(request, body)) return refuse(response, 403, 'SignatureDoesNotMatch')
    const bucket = /^([a-z0-9-]+)\.localhost:/.exec(request.headers.host ?? '')?.[1]
    const url = `${bucket === undefined ? '' : `/${bucket}`}${request.url}`
    const seen = { line: `${request.method} ${url}`, headers: request.headers }
    state.requests.push(seen)
    const refused = state.refuses(seen)
    if (refused !== undefined) return refuse(response, refused.status, refused.code)
    const path = url.split('?')[0]!
    const { 'if-none-match': condition, ...headers } = request.headers
    if (condition !== undefined && !state.conditions) return refuse(response, 501, 'NotImplemented')
    if (condition === '*' && known.has(path)) return refuse(response, 412, 'PreconditionFailed')
    if (writes(request)) {
      known.add(path)
      response.once('finish', () => {
        written.resolve()
        written = Promise.withResolvers()
      })
    }
    const forward = httpRequest(
      {
        port: innerPort,
        host: '127.0.0.1',
        // A connection that is kept may be closed as it is used again.
        agent: false,
        method: request.method,
        path: url,
        headers: { ...headers, host: `127.0.0.1:${innerPort}` },
      },
      answer => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    forward.on('error', () => refuse(response, 500, 'InternalError'))
    forward.end(body)
  }
  await new Promise<void>(resolve => front.listen(port, host, resolve))
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const client = new S3Client({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: s3Credentials,
  })

  const keys = async (bucket: string, prefix = '') => {
    const listed = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))
    return (listed.Contents ?? []).map(object => object.Key!)
  }
  const read = async (bucket: string, key: string) => {
    const object = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
    return Buffer.from(await object.Body!.transformToByteArray())
  }
  return {
    url,
    get outage() {
      return state.outage
    },
    set outage(value) {
      state.outage = value
    },
    get conditions() {
      return state.conditions
    },
    set conditions(value) {
      state.conditions = value
    },
    get refuses() {
      return state.refuses
    },
    set refuses(value) {
      state.refuses = value
    },
    requests: state.requests,
    keys,
    read,
    written: () => written.promise,
    async lines(bucket, prefix) {
      const lines: Record<string, unknown>[] = []
      for (const key of await keys(bucket, prefix)) {
        if (!key.endsWith('.log.gz')) continue
        const text = gunzipSync(await read(bucket, key)).toString('utf8')
        for (const line of text.split('\n')) if (line !== '') lines.push(JSON.parse(line))
      }
      return lines
    },
    async close() {
      client.destroy()
      front.closeAllConnections()
      front.close()
      await inner.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** Does the object stand when this request is done? */
function writes({ method, url }: IncomingMessage): boolean {
  const query = new URL(url!, 'http://host').searchParams
  return method === 'PUT' ? !query.has('partNumber') : method === 'POST' && query.has('uploadId')
}

/** Recomputes the signature of AWS Signature Version 4 and compares. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (match === null || match[1] !== s3Credentials.accessKeyId) return false
  const [, , day, region, signedHeaders, signature] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const payloadHash = request.headers['x-amz-content-sha256'] as string
  if (
    payloadHash !== 'UNSIGNED-PAYLOAD' &&
    !payloadHash.startsWith('STREAMING') &&
    payloadHash !== sha256(body)
  )
    return false
  const url = new URL(request.url!, 'http://host')
  const query = [...url.searchParams]
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .sort()
    .join('&')
  const headers = signedHeaders
    .split(';')
    .map(name => `${name}:${String(request.headers[name]).trim().replaceAll(/ +/g, ' ')}\n`)
    .join('')
  const path = url.pathname
    .split('/')
    .map(part => escapeUri(decodeURIComponent(part)))
    .join('/')
  const canonical = [request.method, path, query, headers, signedHeaders, payloadHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${s3Credentials.secretAccessKey}`,
  )
  return hmac(key, toSign).toString('hex') === signature
}

function escapeUri(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: Buffer | string, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}
