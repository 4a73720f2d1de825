import { Agent, type Dispatcher } from 'undici'
import type { Reach } from '../../model/settings/index.ts'
import { refusedAddress } from '../../outgoing/index.ts'
import { destinationLimits } from './limits.ts'
import { connectTo } from './outgoing-connect.ts'
import { SinkError } from './sink.ts'

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `https://host:port` */
  readonly origin: string
  /** With its query, sent verbatim. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Maximum of an answer whose content matters; the rest is cut off. Without it, a part is read for error messages. */
  readonly answerBytesMax?: number
}

export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** False when the answer was longer than the limit, or broke off. */
  readonly whole: boolean
  /** The answering server is on this machine or a private network. */
  readonly fromInside: boolean
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

/** @param insecure accepts any certificate */
export function openOutgoing(reach: Reach, insecure = false): Outgoing {
  /** Origins on this machine or on a private network. */
  const inside = new Set<string>()
  const agent = new Agent({
    headersTimeout: destinationLimits.headersMs,
    bodyTimeout: destinationLimits.answerBodyMs,
    connect({ hostname, port, protocol }, callback) {
      const tls = protocol === 'https:'
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      connectTo({ host, port: Number(port) || (tls ? 443 : 80), tls, insecure }, reach, (error, socket) => {
        if (error !== null || socket === null) return callback(error ?? new Error('no socket'), null)
        if (refusedAddress(socket.remoteAddress ?? '', 'public') !== undefined)
          inside.add(originOf(protocol, hostname, port))
        callback(null, socket as never)
      })
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
        const { protocol, hostname, port } = new URL(origin)
        return await answerOf(response, inside.has(originOf(protocol, hostname, port)), answerBytesMax)
      } catch (error) {
        throw sendFailure(new URL(origin).host, error)
      }
    },
    close: () => void agent.destroy(),
  }
}

function originOf(protocol: string, hostname: string, port: string | undefined): string {
  return `${protocol}//${hostname}:${port ?? ''}`
}

async function answerOf(
  response: Dispatcher.ResponseData,
  fromInside: boolean,
  wantedBytes?: number,
): Promise<Answer> {
  const talk = wantedBytes === undefined
  const bytesMax = wantedBytes ?? destinationLimits.quotedBytesMax
  const chunks: Buffer[] = []
  let bytes = 0
  let whole = true
  // A needed answer may take until the signal; one for error messages must not delay the delivery.
  const deadline = talk
    ? setTimeout(() => response.body.destroy(), destinationLimits.answerBodyMs)
    : undefined
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes <= bytesMax) continue
      whole = false
      break
    }
  } catch {
    // The status is known.
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
    fromInside,
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
