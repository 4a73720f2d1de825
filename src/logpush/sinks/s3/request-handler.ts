import { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { destinationLimits } from '../limits.ts'
import type { Outgoing, OutgoingRequest } from '../outgoing.ts'
import { foreignProblem } from './foreign.ts'

type Handler = Exclude<NonNullable<S3ClientConfig['requestHandler']>, { handle?: undefined }>
type HandlerRequest = Parameters<Extract<Handler, { handle: unknown }>['handle']>[0]

/**
 * Sends the AWS client's requests over our connections, with the same refusals and a bounded answer. The client reads
 * XML only, so foreign answers end here, with their status and headers.
 */
export function requestHandler(outgoing: Outgoing, at: string): S3ClientConfig['requestHandler'] {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: HandlerRequest, options: { abortSignal?: unknown } = {}) {
      const wanted = outgoingRequest(request)
      const answer = await outgoing.send(wanted, options.abortSignal as AbortSignal)
      const foreign = foreignProblem(wanted.method, answer, at)
      if (foreign !== undefined) throw foreign
      const { status, headers, body } = answer
      // The client reads objects as a stream, and all other answers whole.
      const isObject = wanted.method === 'GET' && status < 300
      return { response: { statusCode: status, headers, body: isObject ? Readable.from([body]) : body } }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  } as unknown as S3ClientConfig['requestHandler']
}

function outgoingRequest(request: HandlerRequest): OutgoingRequest {
  const { protocol, hostname, port, path, query } = request
  // It delays the body until an answer; not part of the signature.
  const { Expect: _, ...headers } = request.headers
  return {
    method: request.method as OutgoingRequest['method'],
    origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
    path: `${path}${queryText(query)}`,
    headers,
    ...(request.body === undefined ? {} : { body: request.body as Uint8Array }),
    answerBytesMax: bytesWanted(request) ?? destinationLimits.objectAnswerBytesMax,
  }
}

/** Size of the requested range of an object. */
function bytesWanted({ headers }: HandlerRequest): number | undefined {
  const last = /^bytes=0-(\d+)$/.exec(headers['range'] ?? headers['Range'] ?? '')?.[1]
  return last === undefined ? undefined : Number(last) + 1
}

function queryText(query: HandlerRequest['query']): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      item => `${encodeURIComponent(name)}${item === null ? '' : `=${encodeURIComponent(item)}`}`,
    ),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
