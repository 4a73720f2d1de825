import type { ServerDuplexStream } from '@grpc/grpc-js'
import {
  type AnswerVerdict,
  type HeaderLines,
  type ProxiedExchange,
  type ProxiedRequest,
  type ProxiedVerdict,
  receivedBody,
} from '../../edge/index.ts'
import type { ReadyDeps } from '../deps.ts'
import { addressOf, headerOf, headersOf, mutation, pageEdits, requestLines } from './headers.ts'
import { encode, type Message, type Part } from './protobuf.ts'

/** Fields of `ProcessingRequest`, and of `ProcessingResponse` for the same step. */
const asked = {
  requestHeaders: 2,
  responseHeaders: 3,
  requestBody: 4,
  responseBody: 5,
  requestTrailers: 6,
} as const
const told = { requestHeaders: 1, responseHeaders: 2, requestBody: 3 } as const
const immediateResponse = 7

/** `envoy.extensions.filters.http.ext_proc.v3.ProcessingMode.BodySendMode` */
const [buffered, bufferedPartial] = [2, 3] as const

type Call = ServerDuplexStream<Message, Buffer>

/** One request in Envoy's external processing (`ext_proc` v3): a stream of messages, each with one answer. */
export class ProcessedRequest {
  readonly #deps: ReadyDeps
  readonly #call: Call
  #headers: { readonly lines: HeaderLines; readonly attributes: ReadonlyMap<string, string> } | undefined
  #exchange: ProxiedExchange | undefined
  #steps = Promise.resolve()

  constructor(deps: ReadyDeps, call: Call) {
    this.#deps = deps
    this.#call = call
    call.on('data', (message: Message) => {
      this.#steps = this.#steps.then(() => this.#take(message)).catch(error => this.#fail(error))
    })
    call.on('end', () => {
      this.#steps = this.#steps.then(() => {
        this.#exchange?.abandon(false)
        call.end()
      })
    })
    call.on('cancelled', () => this.#exchange?.abandon(true))
    call.on('error', () => this.#exchange?.abandon(true))
  }

  async #take(message: Message): Promise<void> {
    if (message.has(asked.requestHeaders)) await this.#takeHeaders(message)
    else if (message.has(asked.requestBody)) await this.#takeBody(message.message(asked.requestBody))
    else if (message.has(asked.responseHeaders))
      await this.#takeResponse(message.message(asked.responseHeaders))
    // Other parts pass. Each field of an answer is one less than the field of its request, or two for trailers.
    else if (message.has(asked.responseBody)) this.#pass(4)
    else this.#pass(message.has(asked.requestTrailers) ? 5 : 6)
  }

  async #takeHeaders(message: Message): Promise<void> {
    const part = message.message(asked.requestHeaders)
    this.#headers = { lines: headersOf(part.message(1)), attributes: attributesOf(message) }
    const mode = message.message(11).number(1)
    const ends = part.number(3) !== 0
    if (!ends && (mode === buffered || mode === bufferedPartial)) this.#pass(told.requestHeaders)
    else await this.#inspect(told.requestHeaders, { body: undefined, bodyUnseen: !ends })
  }

  async #takeBody(part: Message): Promise<void> {
    const bytes = part.bytes(1)
    const length = headerOf(this.#headers?.lines ?? [], 'content-length')
    const framing = { announcedBytes: length === '' ? undefined : Number(length), mayHaveBody: true }
    const isCut = part.number(2) === 0
    await this.#inspect(told.requestBody, { body: receivedBody(bytes, framing, isCut), bodyUnseen: false })
  }

  async #inspect(field: number, body: Pick<ProxiedRequest, 'body' | 'bodyUnseen'>): Promise<void> {
    if (this.#headers === undefined || this.#exchange !== undefined) {
      this.#pass(field)
      return
    }
    const { lines, attributes } = this.#headers
    this.#exchange = this.#deps.inspect({ ...requestOf(this.#call, lines, attributes), ...body })
    const verdict = await this.#exchange.verdict
    this.#tell(field, verdict, verdict.kind === 'pass' ? verdict.uri : undefined)
  }

  async #takeResponse(part: Message): Promise<void> {
    const headers = headersOf(part.message(1))
    const lines = headers.filter(([name]) => !name.startsWith(':'))
    const verdict = await this.#exchange?.answered(Number(headerOf(headers, ':status')), lines)
    if (verdict === undefined) this.#pass(told.responseHeaders)
    else this.#tell(told.responseHeaders, verdict, undefined)
  }

  #tell(field: number, verdict: ProxiedVerdict | AnswerVerdict, uri: string | undefined): void {
    if (verdict.kind !== 'pass') {
      const { status, headers, body } =
        verdict.kind === 'page' ? verdict : { status: 403, headers: [], body: Buffer.alloc(0) }
      const page: Part[] = [
        [1, encode([[1, status]])],
        [2, mutation(pageEdits(headers))],
        [3, body],
        [5, 'sluice'],
      ]
      this.#call.write(encode([[immediateResponse, encode(page)]]))
      return
    }
    const path: readonly (readonly [string, readonly string[]])[] =
      uri === undefined ? [] : [[':path', [uri]]]
    const { set, remove } = verdict.headers
    const common = encode([[2, mutation({ set: [...set, ...path], remove })]])
    this.#call.write(encode([[field, encode([[1, common]])]]))
  }

  #pass(field: number): void {
    this.#call.write(encode([[field, Buffer.alloc(0)]]))
  }

  /** Envoy decides about a request whose stream broke: `failure_mode_allow`. */
  #fail(error: unknown): void {
    this.#deps.logger.warn({ reason: (error as Error).message }, 'a request of Envoy could not be processed')
    this.#exchange?.abandon(false)
    this.#call.destroy(error as Error)
  }
}

/** The texts among the attributes that `envoy.yaml` asks for. */
function attributesOf(message: Message): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const entry of message.messages(9))
    for (const field of entry.message(2).messages(1)) attributes.set(field.text(1), field.message(2).text(3))
  return attributes
}

function requestOf(
  call: Pick<Call, 'getPeer'>,
  headers: HeaderLines,
  attributes: ReadonlyMap<string, string>,
): Omit<ProxiedRequest, 'body' | 'bodyUnseen'> {
  // Without the attribute, the proxy names the client in X-Forwarded-For.
  const peer = addressOf(attributes.get('source.address') ?? '') ?? addressOf(call.getPeer())
  const server = addressOf(attributes.get('destination.address') ?? '')
  const tls = attributes.get('connection.tls_version') ?? ''
  return {
    head: {
      method: headerOf(headers, ':method'),
      target: headerOf(headers, ':path'),
      protocol: attributes.get('request.protocol') ?? 'HTTP/1.1',
      headers: requestLines(headers),
    },
    peerIp: peer?.ip ?? '',
    peerPort: peer?.port ?? 0,
    serverIp: server?.ip ?? '',
    serverPort: server?.port ?? 0,
    scheme: headerOf(headers, ':scheme') === 'https' ? 'https' : 'http',
    tls: tls === '' ? undefined : { protocol: tls, cipher: '' },
    reportsAnswer: true,
  }
}
