import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { Outgoing, OutgoingRequest } from '../../outgoing.ts'

/** Of an answer of the server: an error, or the name of an upload. */
const answerBytesMax = 64 * 1024

type Handler = Exclude<NonNullable<S3ClientConfig['requestHandler']>, { handle?: undefined }>
type HandlerRequest = Parameters<Extract<Handler, { handle: unknown }>['handle']>[0]

/** Lets the AWS client's requests go out where ours do: same refusals, and no answer without end. */
export function requestHandler(outgoing: Outgoing): S3ClientConfig['requestHandler'] {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: HandlerRequest, options: { abortSignal?: unknown } = {}) {
      const { status, headers, body } = await outgoing.send(
        outgoingRequest(request),
        options.abortSignal as AbortSignal,
      )
      return { response: { statusCode: status, headers, body } }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  } as unknown as S3ClientConfig['requestHandler']
}

function outgoingRequest(request: HandlerRequest): OutgoingRequest {
  const { protocol, hostname, port, path, query } = request
  // The answer is waited for after the body; not part of what is signed.
  const { Expect: _, ...headers } = request.headers
  return {
    method: request.method as OutgoingRequest['method'],
    origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
    path: `${path}${queryText(query)}`,
    headers,
    ...(request.body === undefined ? {} : { body: request.body as Uint8Array }),
    answerBytesMax,
  }
}

function queryText(query: HandlerRequest['query']): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      item => `${encodeURIComponent(name)}${item === null ? '' : `=${encodeURIComponent(item)}`}`,
    ),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
