import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { EdgeCore } from '../exchange/core.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { type BodyParts, ClientBodyError } from '../message/body-source.ts'
import type { ClientRequest, RequestHead } from '../message/client-request.ts'
import type { RequestFault } from '../message/request-faults.ts'
import { refusingLimit } from '../pipeline/admit.ts'
import { observe, type PipelineCore } from '../pipeline/decide.ts'
import { openExchange } from '../pipeline/open-exchange.ts'
import { finish } from '../pipeline/pipeline.ts'
import { record } from '../records/recording.ts'
import { closeLater, faultPage, overloadPage, wholePage } from '../respond/answer.ts'
import type { Page } from '../respond/page.ts'
import { SocketChannel } from './socket-channel.ts'

/**
 * Answers a malformed request and ends its connection, whose further input is not parsed. The rules inspect the received
 * part, and the request is recorded like any other.
 * @param rest bytes that came with the head
 */
export async function refuse(
  core: PipelineCore,
  socket: Socket,
  fault: RequestFault,
  request: ClientRequest,
  rest: Buffer,
): Promise<void> {
  const exchange = openExchange(core, request, new SocketChannel(socket), undefined)
  const { facts } = exchange
  const limit = refusingLimit(core, exchange, fault)
  if (limit !== undefined) {
    core.counters.overloads[limit]++
    await sendRaw(core, exchange, socket, overloadPage(core, facts, fault))
    await finish(core, exchange)
    return
  }
  core.counters.malformed++
  try {
    await observe(core, exchange, bodyParts(rest.subarray(0, core.limits.malformedBytesMax)))
  } catch (error) {
    if (!(error instanceof ClientBodyError)) {
      core.counters.internalFailures++
      core.deps.logger.error({ err: error, rayId: facts.rayId }, 'a malformed request could not be checked')
    }
  }
  await sendRaw(core, exchange, socket, faultPage(core, facts, fault))
  await finish(core, exchange)
}

/** The bytes that came with the head are the whole body. */
function bodyParts(bytes: Buffer): BodyParts {
  const read: BodyParts['read'] = async (limitBytes, take) => {
    take(bytes.subarray(0, limitBytes))
    return bytes.length <= limitBytes
  }
  return { announcedBytes: undefined, bytesReceived: bytes.length, read, readAgain: read }
}

async function sendRaw(core: EdgeCore, exchange: Exchange, socket: Socket, page: Page): Promise<void> {
  const { status, headers: known, body } = wholePage(core, exchange, page)
  const headers = [...known, ['Date', new Date().toUTCString()], ['Connection', 'close']] as const
  const { answer, facts } = exchange
  answer.begin(status, headers, core.deps.clock.nowMs())
  if (facts.request.method !== 'HEAD') answer.bodyBytes = body.length
  if (!socket.writable) return
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const sent = facts.request.method === 'HEAD' ? '' : body
  socket.cork()
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n${sent}`, 'latin1')
  await record(core, exchange)
  await core.deps.records.handedOver()
  socket.end()
  closeLater(socket, core.limits)
}

/** Reads as much as possible: skips empty lines before the head, and ignores lines without a colon. */
export function readHead(raw: Buffer): { readonly head: RequestHead; readonly body: Buffer } {
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
    // A line with a bare CR is no header field (RFC 9112 2.2).
    if (colon > 0 && !content.includes('\r'))
      headers.push([content.slice(0, colon), content.slice(colon + 1).trim()])
  }
  const protocol = words.length > 2 ? words.at(-1)! : ''
  const target = (words.length > 2 ? words.slice(1, -1) : words.slice(1)).join(' ')
  return { head: { method: words[0]!, target, protocol, headers }, body: raw.subarray(at) }
}
