import { type HeaderLines, type ProxiedRequest, type ProxiedVerdict, receivedBody } from '../../edge/index.ts'
import { headersOf, pageEdits, requestLines, setOptions } from './headers.ts'
import { encode, type Message, type Part } from './protobuf.ts'

/** The request of a `CheckRequest` of Envoy's external authorization (`ext_authz` v3). */
export function checkedRequest(check: Message): ProxiedRequest {
  const attributes = check.message(1)
  const http = attributes.message(4).message(2)
  const peer = attributes.message(1).message(1).message(1)
  const server = attributes.message(2).message(1).message(1)
  const texts = http.messages(3).map((entry): [string, string] => [entry.text(1), entry.text(2)])
  const headers = http.has(13) ? headersOf(http.message(13)) : texts
  const method = http.text(2)
  return {
    head: {
      method,
      target: http.text(4),
      protocol: http.text(10),
      headers: requestLines([[':authority', http.text(5)], ...headers]).filter(([name]) => name !== partial),
    },
    peerIp: peer.text(2),
    peerPort: peer.number(3),
    serverIp: server.text(2),
    serverPort: server.number(3),
    scheme: http.text(6) === 'https' ? 'https' : 'http',
    tls: undefined,
    ...bodyOf(http, headers, method),
    reportsAnswer: false,
  }
}

/** Envoy adds it when it sends the body, and says by it whether the body is complete. */
const partial = 'x-envoy-auth-partial-body'

function bodyOf(
  http: Message,
  headers: HeaderLines,
  method: string,
): Pick<ProxiedRequest, 'body' | 'bodyUnseen'> {
  const shown = headers.find(([name]) => name === partial)?.[1]
  if (shown === undefined) return { body: undefined, bodyUnseen: method !== 'GET' && method !== 'HEAD' }
  const bytes = http.has(12) ? http.bytes(12) : http.bytes(11)
  if (bytes.length === 0) return { body: undefined, bodyUnseen: false }
  const framing = { announcedBytes: undefined, mayHaveBody: true }
  return { body: receivedBody(bytes, framing, shown === 'true'), bodyUnseen: false }
}

/** `google.rpc.Code.PERMISSION_DENIED` */
const denied = 7

/** The `CheckResponse` of a verdict. */
export function checkResponse(verdict: ProxiedVerdict): Buffer {
  if (verdict.kind === 'pass') {
    const { set, remove } = verdict.headers
    const ok: Part[] = [
      ...setOptions(set, 2).map((option): Part => [2, option]),
      ...remove.map((name): Part => [5, name]),
    ]
    return encode([
      [1, Buffer.alloc(0)],
      [3, encode(ok)],
    ])
  }
  const { status, headers, body } =
    verdict.kind === 'page' ? verdict : { status: 403, headers: [], body: Buffer.alloc(0) }
  const page: Part[] = [
    [1, encode([[1, status]])],
    ...setOptions(pageEdits(headers).set, 2).map((option): Part => [2, option]),
    [3, body],
  ]
  return encode([
    [1, encode([[1, denied]])],
    [2, encode(page)],
  ])
}
