import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AnalyticsAwayError } from '../../analytics/index.ts'
import { RecordLogError } from '../../bus/index.ts'
import { StoreError } from '../../store/port/error.ts'
import { answerDashboard } from '../system/dashboard.ts'
import type { Dashboard } from '../system/dashboard-files.ts'
import type { Api } from './context.ts'
import { failure } from './envelope.ts'
import { ApiError, apiErrors, type ErrorName, entry, notRouted, refusal } from './errors.ts'
import { apiLimits } from './limits.ts'
import { type SchemaFault, schemaEntries } from './schema-errors.ts'

/**
 * Answers every error in the envelope. Internal errors are logged, and the response has only their id. Paths without a
 * route may belong to the dashboard.
 */
export function answerErrors(app: Api, dashboard: Dashboard | undefined): void {
  app.setErrorHandler(answerError)
  const methods = allowedMethods(app)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods(request.url)
    if (allowed.length === 0)
      return (dashboard && answerDashboard(dashboard, request, reply)) ?? send(reply, notRouted(request.url))
    const available = allowed.join(', ')
    return send(reply.header('allow', available), refusal('methodNotAllowed', { methods: available }))
  })
}

/** For errors that Fastify finds before it has a route, such as a path that cannot be decoded. */
export function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = asApiError(error, request)
  if (known !== undefined) {
    if ((known.status === 429 || known.status === 503) && !reply.hasHeader('retry-after'))
      reply.header('retry-after', '1')
    return send(reply, known)
  }
  request.log.error(
    { err: error, id: request.id, method: request.method, url: request.url },
    'api request failed',
  )
  return send(reply, refusal('internal', { id: request.id }))
}

function send(reply: FastifyReply, error: ApiError): FastifyReply {
  return reply.code(error.status).send(failure(error.entries))
}

function asApiError(error: FastifyError | Error, request: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (error instanceof StoreError && error.code === 'unavailable') {
    request.log.warn({ err: error, id: request.id }, 'the database does not answer')
    return refusal('storeAway')
  }
  if (error instanceof RecordLogError) {
    request.log.warn({ err: error, id: request.id }, 'the record log does not answer')
    return refusal('logsAway')
  }
  // A foreign key or a revision was not found: the resource or its zone was deleted meanwhile.
  if (error instanceof StoreError && (error.code === 'conflict' || error.code === 'stale'))
    return notRouted(request.url)
  if (error instanceof AnalyticsAwayError) {
    request.log.warn({ err: error, id: request.id }, 'analytics do not answer')
    return refusal('analyticsAway')
  }
  if ('validation' in error && error.validation !== undefined) return schemaError(error, request)
  return frameworkError('code' in error ? error.code : '', request)
}

function schemaError({ validation, validationContext }: FastifyError, request: FastifyRequest): ApiError {
  const part = validationContext === 'querystring' ? 'querystring' : 'body'
  const value = part === 'body' ? request.body : request.query
  return new ApiError(400, schemaEntries((validation ?? []) as readonly SchemaFault[], value, part))
}

function frameworkError(code: string, request: FastifyRequest): ApiError | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusal('bodyTooLarge', { limit: String(apiLimits.apiBodyBytesMax) })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusal('badContentType', { type: String(request.headers['content-type']).slice(0, 100) })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal('badLength')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_INVALID_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notRouted(request.url)
    default:
      return undefined
  }
}

/** Fastify answers 404 for a known path with another method; this remembers which methods each path has. */
function allowedMethods(app: Api): (url: string) => readonly string[] {
  const routes: { readonly path: readonly string[]; readonly methods: readonly string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ path: url.split('/'), methods: [method].flat() })
  })
  return url => {
    const path = url.split('?', 1)[0]!.split('/')
    const found = routes.filter(route => samePath(route.path, path)).flatMap(route => route.methods)
    return [...new Set(found)].sort()
  }
}

function samePath(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, i) => part === path[i] || (part.startsWith(':') && path[i] !== ''))
  )
}

/** Malformed HTTP never reaches a route, so this writes the envelope to the socket. */
export function answerBadHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const name: ErrorName =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headersTooLarge'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'requestTimeout'
        : 'badHttp'
  const body = JSON.stringify(failure([entry(name)]))
  const head = [
    `HTTP/1.1 ${apiErrors[name].status} Refused`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
