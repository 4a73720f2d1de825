import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { timestampOf } from '../kit/clock.ts'
import { logpullLimits } from '../kit/limits.ts'
import { RayIdTooFarError } from '../logpush/index.ts'
import { type ApiError, refusal } from './errors.ts'

/** Makes the lines, some at a time; ends when the signal says so. */
export type Lines = (signal: AbortSignal) => AsyncGenerator<string, void>

/**
 * Answers with NDJSON, compressed when the client takes that. The first lines are read before the answer begins, so
 * that most failures are refusals; a later one adds a line of text, since the status is out already.
 * @param release called once nothing is read any more
 */
export async function answerWithLines(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: Lines,
  release: () => void,
): Promise<FastifyReply> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(logpullLimits.answerMsMax)])
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
      if (bytes > logpullLimits.answerBytesMax) throw new Error('the answer is too large; ask for less time')
      const stalled = setTimeout(() => reply.raw.destroy(), logpullLimits.stalledMs)
      try {
        yield next.value
      } finally {
        clearTimeout(stalled)
      }
    }
  } catch (error) {
    if (reply.raw.destroyed) return
    request.log.warn({ err: error, id: request.id }, 'an answer with log records was broken off')
    yield `streaming failed: ${messageOf(error)}\n`
  } finally {
    await source.return()
  }
}

function messageOf(error: unknown): string {
  if (isTimeout(error)) return 'the answer took too long; ask for less time'
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
