import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Manifest } from './manifests.ts'
import { raysIn } from './object-text.ts'

/** A fault of a request. It is used up after `times` requests. */
export interface Trouble {
  /** When its headers are there, when half of its body is, or when it has been done and not yet answered. */
  readonly at: 'begun' | 'half' | 'done'
  /**
   * A number is the status of the answer; 200 is an answer that holds an error all the same. `reset` breaks the
   * connection off, and `hang` never answers. `late` does the work after the client has gone, `slow` takes 50 ms, and
   * `kill` calls back.
   */
  readonly act: number | 'reset' | 'hang' | 'late' | 'slow' | 'kill'
  /** Only such requests. */
  readonly on?: RequestKind | undefined
  times: number
  /** So many requests come through before. */
  after: number
  /** Called each time that it strikes. */
  readonly onStrike: () => void
}

/** A request that sends a part, completes an object from parts, or writes a manifest. */
export type RequestKind = 'part' | 'complete' | 'manifest'

interface Upload {
  readonly key: string
  /** By number. */
  readonly parts: Map<number, Buffer>
}

/** A bucket that speaks enough of S3, strictly, and whose troubles are made to order. */
export class Bucket {
  readonly objects = new Map<string, Buffer>()
  /** Actions that a client must never take: the same name with other bytes, a write without its condition. */
  readonly violations: string[] = []
  readonly troubles: Trouble[] = []
  /** Objects that came in parts. */
  inParts = 0
  readonly #conditions: boolean
  #lossy: boolean
  /** The first bytes sent under a name. */
  readonly #first = new Map<string, Buffer>()
  readonly #uploads = new Map<string, Upload>()
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy())
  })
  #port = 0
  #puts = 0
  #begunUploads = 0

  /**
   * @param conditions whether the server knows `If-None-Match` on writes
   * @param lossy records may be dropped between two attempts
   */
  constructor(conditions: boolean, lossy: boolean) {
    this.#conditions = conditions
    this.#lossy = lossy
    this.#server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
    })
  }

  /** From now on records may be missing in a second attempt: their log was lost. */
  expectLosses(): void {
    this.#lossy = true
  }

  async open(): Promise<void> {
    if (this.#server.listening) return
    await new Promise<void>(resolve => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Connections are refused until it is opened again. */
  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = new Promise(resolve => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await closed
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Whole objects that were sent, taken or not. */
  get puts(): number {
    return this.#puts
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => {})
    response.on('error', () => {})
    if (!(await this.#passes('begun', request, response))) return
    const body = await this.#body(request, response)
    if (body === undefined) return
    const late = this.#strike('begun', ['late'], requestKind(request))
    if (late !== undefined) await gone(request)
    const { status, text, etag } = this.#do(request, body)
    if (late !== undefined) return
    if (!(await this.#passes('done', request, response))) return
    response.writeHead(status, { 'content-type': 'application/xml', ...(etag === undefined ? {} : { etag }) })
    response.end(text)
  }

  /** @returns undefined when the request came to nothing */
  async #body(request: IncomingMessage, response: ServerResponse): Promise<Buffer | undefined> {
    const wanted = Number(request.headers['content-length'] ?? 0)
    const chunks: Buffer[] = []
    let bytes = 0
    let half = false
    try {
      for await (const chunk of request) {
        chunks.push(chunk as Buffer)
        bytes += (chunk as Buffer).length
        if (half || 2 * bytes < wanted) continue
        half = true
        if (!(await this.#passes('half', request, response))) return undefined
      }
    } catch {
      return undefined
    }
    return bytes === wanted ? Buffer.concat(chunks) : undefined
  }

  /** @returns false when a trouble has ended the request */
  async #passes(at: Trouble['at'], request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (request.method === 'DELETE' || request.method === 'GET') return true
    const trouble = this.#strike(at, ['reset', 'hang', 'slow', 'kill', 'status'], requestKind(request))
    if (trouble === undefined) return true
    const { act } = trouble
    if (act === 'reset') request.socket.resetAndDestroy()
    else if (act === 'slow') await new Promise(resolve => setTimeout(resolve, 50))
    else if (typeof act === 'number') {
      request.resume()
      response.writeHead(act, { 'content-type': 'application/xml', connection: 'close' })
      response.end(errorText(act))
    }
    return act === 'slow' || act === 'kill'
  }

  #strike(at: Trouble['at'], acts: readonly string[], request: RequestKind | undefined): Trouble | undefined {
    const index = this.troubles.findIndex(
      ({ at: when, act, on }) =>
        when === at &&
        acts.includes(typeof act === 'number' ? 'status' : act) &&
        (on === undefined || on === request),
    )
    const trouble = this.troubles[index]
    if (trouble === undefined || trouble.after-- > 0) return undefined
    if (--trouble.times === 0) this.troubles.splice(index, 1)
    trouble.onStrike()
    return trouble
  }

  #do(request: IncomingMessage, body: Buffer): { status: number; text: string | Buffer; etag?: string } {
    const { pathname, searchParams: query } = new URL(request.url!, 'http://host')
    const key = decodeURIComponent(pathname.slice(1))
    const id = query.get('uploadId')
    const condition = request.headers['if-none-match']
    if (request.method === 'GET') {
      const object = this.objects.get(key)
      return object === undefined ? refusal(404) : { status: 200, text: object }
    }
    if (request.method === 'POST' && query.has('uploads')) return this.#begin(key)
    if (request.method === 'DELETE') {
      this.#uploads.delete(id ?? '')
      return { status: 204, text: '' }
    }
    if (id === null) return request.method === 'PUT' ? this.#put(key, body, condition) : refusal(400)
    const upload = this.#uploads.get(id)
    if (upload?.key !== key) return refusal(404)
    if (request.method === 'POST') return this.#complete(id, upload, body, condition)
    upload.parts.set(Number(query.get('partNumber')), body)
    return { status: 200, text: '', etag: etagOf(body) }
  }

  #begin(key: string): { status: number; text: string } {
    const id = `upload-${++this.#begunUploads}`
    this.#uploads.set(id, { key, parts: new Map() })
    const text = `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`
    return { status: 200, text }
  }

  /** From the parts that the client lists, which must equal the uploaded ones. */
  #complete(id: string, { key, parts }: Upload, list: Buffer, condition: string | undefined) {
    const numbers = Array.from(list.toString().matchAll(/<PartNumber>(\d+)</g), match => Number(match[1]))
    const etags = Array.from(
      list.toString().matchAll(/<ETag>(?:&quot;|")(\w+)(?:&quot;|")</g),
      match => match[1]!,
    )
    const listed = numbers.map(number => parts.get(number) ?? Buffer.alloc(0))
    const fits = (part: Buffer, index: number) => etagOf(part) === `"${etags[index]}"`
    if (numbers.length === 0 || !listed.every(fits)) {
      this.violations.push(`${key} was made of parts that are not there`)
      return refusal(400)
    }
    const answer = this.#put(key, Buffer.concat(listed), condition)
    if (answer.status !== 200) return answer
    this.#uploads.delete(id)
    this.inParts++
    return { ...answer, text: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' }
  }

  #put(
    key: string,
    body: Buffer,
    condition: string | undefined,
  ): { status: number; text: string; etag?: string } {
    this.#puts++
    if (key.endsWith('_manifest.json')) return this.#putManifest(key, body)
    this.#compare(key, body)
    if (condition !== undefined && !this.#conditions) return refusal(501)
    if (condition === undefined && this.#conditions)
      this.violations.push(`${key} was sent without a condition`)
    if (condition === '*' && this.objects.has(key)) return refusal(412)
    this.objects.set(key, body)
    return { status: 200, text: '', etag: etagOf(body) }
  }

  #compare(key: string, body: Buffer): void {
    const first = this.#first.get(key) ?? body
    this.#first.set(key, first)
    if (first.equals(body)) return
    const before = new Set(raysIn(first))
    const now = raysIn(body)
    if (!this.#lossy || !now.every(ray => before.has(ray)))
      this.violations.push(`${key} was sent with other bytes`)
  }

  /** A reader of a manifest may rely on its list. */
  #putManifest(key: string, body: Buffer): { status: number; text: string; etag: string } {
    for (const { path } of (JSON.parse(body.toString()) as Manifest).objects)
      if (!this.objects.has(`logs/${path}`)) this.violations.push(`${key} lists ${path} before it is there`)
    this.objects.set(key, body)
    return { status: 200, text: '', etag: etagOf(body) }
  }
}

function requestKind({ method, url }: IncomingMessage): RequestKind | undefined {
  if (url!.includes('_manifest.json')) return 'manifest'
  if (!url!.includes('uploadId=')) return undefined
  return method === 'PUT' ? 'part' : 'complete'
}

const codes: Readonly<Record<number, string>> = {
  403: 'AccessDenied',
  404: 'NoSuchUpload',
  412: 'PreconditionFailed',
  501: 'NotImplemented',
  503: 'SlowDown',
}

function refusal(status: number): { status: number; text: string } {
  return { status, text: errorText(status) }
}

function errorText(status: number): string {
  return `<?xml version="1.0"?><Error><Code>${codes[status] ?? 'InternalError'}</Code><Message>no</Message></Error>`
}

function gone(request: IncomingMessage): Promise<void> {
  return new Promise(resolve => {
    if (request.socket.destroyed) resolve()
    else request.socket.once('close', () => resolve())
  })
}

function etagOf(body: Buffer): string {
  return `"${sha256(body)}"`
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}
