import { Agent, type Dispatcher } from 'undici'
import type { DestinationReach } from '../model/settings.ts'
import { connectTo } from './outgoing-connect.ts'
import { SinkError } from './sinks/sink.ts'

/** The answer to one request must begin within this time. */
const headersTimeoutMs = 30_000
/** A body that says no more for this long has said everything. */
const bodyTimeoutMs = 2_000
/** Of an answer that is only read to tell a person about it. */
const talkBytesMax = 4096

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `https://host:port` */
  readonly origin: string
  /** With its query, sent as it is. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Of the answer, where it matters; more is cut off. Without it, some of it is read to tell a person. */
  readonly answerBytesMax?: number
}

export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** False when the answer was longer than what was read, or broke off. */
  readonly whole: boolean
}

/** Connections to one destination. Redirects are not followed. */
export interface Outgoing {
  /**
   * Sends a request and reads the answer, both within the signal.
   * @throws SinkError when no answer comes
   */
  send(wanted: OutgoingRequest, signal: AbortSignal): Promise<Answer>
  close(): void
}

/** @param insecure takes any certificate */
export function openOutgoing(reach: DestinationReach, insecure = false): Outgoing {
  const agent = new Agent({
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    connect({ hostname, port, protocol }, callback) {
      const tls = protocol === 'https:'
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      connectTo({ host, port: Number(port) || (tls ? 443 : 80), tls, insecure }, reach, (error, socket) =>
        error === null ? callback(null, socket as never) : callback(error, null),
      )
    },
  })
  return {
    async send({ method, origin, path, headers, body, answerBytesMax }, signal) {
      try {
        const response = await agent.request({
          method,
          origin,
          path,
          headers,
          signal,
          ...(body === undefined ? {} : { body }),
        })
        return await answerOf(response, answerBytesMax)
      } catch (error) {
        throw sendFailure(new URL(origin).host, error)
      }
    },
    close: () => void agent.destroy(),
  }
}

async function answerOf(response: Dispatcher.ResponseData, wantedBytes?: number): Promise<Answer> {
  const talk = wantedBytes === undefined
  const bytesMax = wantedBytes ?? talkBytesMax
  const chunks: Buffer[] = []
  let bytes = 0
  let whole = true
  // An answer that is wanted has until the signal; one that is only talk may not hold a delivery up.
  const deadline = talk ? setTimeout(() => response.body.destroy(), bodyTimeoutMs) : undefined
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes <= bytesMax) continue
      whole = false
      break
    }
  } catch {
    // The status has been said.
    whole = false
  } finally {
    clearTimeout(deadline)
    response.body.on('error', () => {}).destroy()
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  return {
    status: response.statusCode,
    headers,
    body: Buffer.concat(chunks).subarray(0, bytesMax),
    whole,
  }
}

function sendFailure(host: string, error: unknown): SinkError {
  if (error instanceof SinkError) return error
  const { code, name, message } = error as { code?: string; name?: string; message?: string }
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'UND_ERR_HEADERS_TIMEOUT')
    return new SinkError('timeout', 'later', `${host} does not answer the request`, { cause: error })
  return new SinkError('broken', 'later', `${host} breaks the connection off: ${code ?? message}`, {
    cause: error,
  })
}
