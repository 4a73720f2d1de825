import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { hostNameOf } from '../kit/host-name.ts'
import { newRayId } from '../kit/ids.ts'
import { pageContext, wholePage } from './answer.ts'
import type { BodyParts } from './body-source.ts'
import { clientAddress, connectionOf } from './client-address.ts'
import { ClientRequest, type RequestHead } from './client-request.ts'
import type { EdgeCore } from './core.ts'
import { Exchange } from './exchange.ts'
import { errorPage, type Page } from './pages.ts'
import { finish, observe } from './pipeline.ts'
import type { RequestFault } from './request-faults.ts'

/** What node says about a request that it could not parse. */
export interface ParseError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/**
 * Answers a request that is no HTTP and closes its connection. As far as its head can be made out, the rules look at
 * it and it is recorded like any other.
 */
export async function refuseMalformed(
  core: EdgeCore,
  socket: Socket,
  fault: RequestFault,
  raw: Buffer,
): Promise<void> {
  core.counters.malformed++
  const { malformedBytesMax } = core.limits
  const { head, body } = readHead(raw.subarray(0, malformedBytesMax))
  const exchange = openExchange(core, socket, head)
  core.counters.requests++
  core.counters.active++
  try {
    await observe(core, exchange, bodyParts(body))
  } catch (error) {
    core.counters.internalFailures++
    core.deps.logger.error({ err: error, rayId: exchange.rayId }, 'a malformed request could not be checked')
  }
  const page = errorPage(
    fault.status,
    fault.status === 408 ? 'body-timeout' : 'bad-request',
    pageContext(exchange),
    fault.reason,
  )
  sendRaw(core, exchange, socket, page)
  await finish(core, exchange)
}

/** What came with the head is all that there is. */
function bodyParts(bytes: Buffer): BodyParts {
  const read: BodyParts['read'] = async (limitBytes, take) => {
    take(bytes.subarray(0, limitBytes))
    return bytes.length <= limitBytes
  }
  return { announcedBytes: undefined, bytesReceived: bytes.length, read, readAgain: read }
}

function openExchange(core: EdgeCore, socket: Socket, head: RequestHead): Exchange {
  const { deps } = core
  const startedMs = deps.clock.nowMs()
  const address = clientAddress(socket.remoteAddress ?? '', head.headers, deps.trustedProxies)
  const request = new ClientRequest(head, connectionOf(socket, address))
  const plan = head.method === '' ? undefined : deps.plans.find(hostNameOf(request.host))
  return new Exchange(request, { rayId: newRayId(), plan, startedMs, place: deps.place }, socket, undefined)
}

function sendRaw(core: EdgeCore, exchange: Exchange, socket: Socket, page: Page): void {
  const { status, headers: known, body } = wholePage(core, exchange, page)
  const headers = [...known, ['Connection', 'close'] as const]
  exchange.answered(status, headers, core.deps.clock.nowMs())
  exchange.responseBodyBytes = body.length
  if (!socket.writable) return
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n`, 'latin1')
  socket.end(body)
  socket.setTimeout(core.limits.lingerMs, () => socket.destroy())
  socket.resume()
}

/** Reads what can be read: empty lines before the head are skipped, lines without a colon left out. */
function readHead(raw: Buffer): { readonly head: RequestHead; readonly body: Buffer } {
  const text = raw.toString('latin1')
  let at = 0
  while (text[at] === '\r' || text[at] === '\n') at++
  const line = () => {
    const end = text.indexOf('\n', at)
    const content = text.slice(at, end < 0 ? text.length : end)
    at = end < 0 ? text.length : end + 1
    return content.endsWith('\r') ? content.slice(0, -1) : content
  }
  const words = line()
    .trim()
    .split(/[ \t]+/)
  const headers: [string, string][] = []
  while (at < text.length) {
    const content = line()
    if (content === '') break
    const colon = content.indexOf(':')
    // A bare CR makes it no field at all (RFC 9112 2.2): what it was meant to be is anybody's guess.
    if (colon > 0 && !content.includes('\r'))
      headers.push([content.slice(0, colon), content.slice(colon + 1).trim()])
  }
  const protocol = words.length > 2 ? words.at(-1)! : ''
  const target = (words.length > 2 ? words.slice(1, -1) : words.slice(1)).join(' ')
  return { head: { method: words[0]!, target, protocol, headers }, body: raw.subarray(at) }
}
