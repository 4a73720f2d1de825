import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import { RayIdTooFarError } from '../../logpush/index.ts'
import { type ApiError, refusal } from '../http/errors.ts'
import { logpullRequestLimits } from './limits.ts'

/** Generates the lines in chunks; ends when the signal is aborted. */
export type Lines = (signal: AbortSignal) => AsyncGenerator<string, void>

/**
 * Answers with NDJSON, compressed when the client takes that. The first lines are read before the answer begins, so
 * that most failures are refusals. A later failure adds a line of text, because the status was sent already.
 * @param release called when reading has ended
 */
export async function answerWithLines(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: Lines,
  release: () => void,
): Promise<FastifyReply> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(logpullRequestLimits.answerMsMax)])
  const source = lines(signal)
  try {
    const first = await source.next()
    const body = Readable.from(bodyOf(first, source, request, reply), { highWaterMark: 1 })
    body.once('close', () => {
      gone.abort()
      release()
    })
    reply.header('content-type', 'application/x-ndjson').header('vary', 'accept-encoding')
    if (!takesGzip(String(request.headers['accept-encoding'] ?? ''))) return reply.send(body)
    // A failure of either ends both, and with them the answer.
    const gzip = pipeline(body, createGzip(), () => {})
    return reply.header('content-encoding', 'gzip').send(gzip)
  } catch (error) {
    if (!gone.signal.aborted) request.log.warn({ err: error, id: request.id }, 'log records cannot be read')
    release()
    throw refusalOf(error)
  }
}

async function* bodyOf(
  first: IteratorResult<string, void>,
  source: AsyncGenerator<string, void>,
  request: FastifyRequest,
  reply: FastifyReply,
): AsyncGenerator<string, void> {
  let bytes = 0
  try {
    for (let next = first; !next.done; next = await source.next()) {
      bytes += Buffer.byteLength(next.value)
      if (bytes > logpullRequestLimits.answerBytesMax)
        throw new Error('the response is too large; request a shorter time range')
      const stalled = setTimeout(() => reply.raw.destroy(), logpullRequestLimits.stalledMs)
      try {
        yield next.value
      } finally {
        clearTimeout(stalled)
      }
    }
  } catch (error) {
    if (reply.raw.destroyed) return
    request.log.warn({ err: error, id: request.id }, 'a response with log records was aborted')
    yield `streaming failed: ${messageOf(error)}\n`
  } finally {
    await source.return()
  }
}

function messageOf(error: unknown): string {
  if (isTimeout(error)) return 'the response took too long; request a shorter time range'
  if (error instanceof RayIdTooFarError) return 'there are too many records to search'
  return error instanceof Error ? error.message : String(error)
}

function refusalOf(error: unknown): ApiError {
  if (error instanceof RayIdTooFarError)
    return refusal('rayIdTooFar', { since: timestampOf(error.searchedFromMs) })
  return refusal('logsAway')
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

/** @source RFC 9110 section 12.5.3 */
export function takesGzip(accepted: string): boolean {
  const weights = new Map(
    accepted.split(',').map(coding => {
      const [name = '', ...parameters] = coding.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice('q='.length))] as const
    }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
