import {
  type AnswerVerdict,
  type HeaderEdits,
  type HeaderLines,
  type ProxiedRequest,
  type ProxiedVerdict,
  receivedBody,
} from '../../edge/index.ts'
import { pairsOf } from './hello.ts'
import { lengthFirst, Reader, SpopError, status, typed, type Value } from './wire.ts'

/** One message of a NOTIFY frame: the arguments that `sluice.spoe.conf` names. */
export interface Message {
  readonly name: string
  readonly args: ReadonlyMap<string, Value>
}

/** @throws SpopError */
export function readMessages(payload: Buffer): readonly Message[] {
  const reader = new Reader(payload)
  const messages: Message[] = []
  while (!reader.done) {
    const name = reader.name()
    messages.push({ name, args: pairsOf(reader, reader.byte()) })
  }
  return messages
}

/**
 * The request of the message `request`.
 * @param bufferBytes HAProxy's buffer, which holds the headers and the body
 * @throws SpopError
 */
export function requestOf({ args }: Message, bufferBytes: number): ProxiedRequest {
  const lines = args.get('headers')
  if (!Buffer.isBuffer(lines)) throw new SpopError(status.invalid, 'the request has no headers')
  const headers = headersOf(lines)
  const body = args.get('body')
  const version = text(args, 'version')
  const cipher = text(args, 'cipher')
  return {
    head: {
      method: text(args, 'method'),
      target: text(args, 'uri'),
      protocol: version === '2.0' ? 'HTTP/2' : `HTTP/${version}`,
      headers,
    },
    peerIp: text(args, 'src'),
    peerPort: number(args, 'src_port'),
    serverIp: text(args, 'dst'),
    serverPort: number(args, 'dst_port'),
    scheme: args.get('ssl') === true ? 'https' : 'http',
    tls: cipher === '' ? undefined : { protocol: text(args, 'tls_version'), cipher },
    ...bodyOf(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers, lines.length, bufferBytes),
    reportsAnswer: true,
  }
}

/** The most that HAProxy keeps free in its buffer (`tune.maxrewrite`), with the request line. */
const reserveBytes = 4096

function bodyOf(
  bytes: Buffer,
  headers: HeaderLines,
  headerBytes: number,
  bufferBytes: number,
): Pick<ProxiedRequest, 'body' | 'bodyUnseen'> {
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
  const announcedBytes = length === undefined ? undefined : Number(length)
  if (bytes.length === 0 && (announcedBytes ?? 0) === 0) return { body: undefined, bodyUnseen: false }
  if (bytes.length === 0) return { body: undefined, bodyUnseen: true }
  // Of a body without a length, HAProxy shows the part that fits, and does not say that there is more.
  const isCut =
    announcedBytes === undefined
      ? headerBytes + bytes.length >= bufferBytes - reserveBytes
      : bytes.length < announcedBytes
  return { body: receivedBody(bytes, { announcedBytes, mayHaveBody: true }, isCut), bodyUnseen: false }
}

/** The report of the message `response`. @throws SpopError */
export function reportOf({ args }: Message): {
  readonly rayId: string
  readonly status: number
  readonly headers: HeaderLines
} {
  const lines = args.get('headers')
  return {
    rayId: text(args, 'ray'),
    status: number(args, 'status'),
    headers: Buffer.isBuffer(lines) ? headersOf(lines) : [],
  }
}

/** `req.hdrs_bin`: names and values with their lengths in front, until two empty ones. */
function headersOf(bytes: Buffer): HeaderLines {
  const reader = new Reader(bytes)
  const headers: [string, string][] = []
  while (!reader.done) {
    const name = reader.name()
    const value = reader.name()
    if (name === '') break
    headers.push([name, value])
  }
  return headers
}

function text(args: Message['args'], name: string): string {
  const value = args.get(name)
  return typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('latin1') : ''
}

function number(args: Message['args'], name: string): number {
  const value = args.get(name)
  return typeof value === 'number' ? value : 0
}

type Variables = Readonly<Record<string, string | number | Buffer | undefined>>

/** The variables of a verdict. `deploy/haproxy/sluice.lua` reads them. */
export function requestVariables(verdict: ProxiedVerdict): Variables {
  const { rayId: ray, score, ruleId: rule, action: mitigation } = verdict
  return {
    ray,
    score,
    rule,
    mitigation,
    ...decision(verdict),
    uri: verdict.kind === 'pass' ? verdict.uri : undefined,
  }
}

/** The variables of the decision about a response. */
export function responseVariables(verdict: AnswerVerdict): Variables {
  return Object.fromEntries(Object.entries(decision(verdict)).map(([name, value]) => [`res_${name}`, value]))
}

function decision(verdict: ProxiedVerdict | AnswerVerdict): Variables {
  if (verdict.kind === 'drop') return { action: 'drop' }
  if (verdict.kind === 'pass') {
    const { set, remove } = edits(verdict.headers)
    return { action: 'pass', headers: set, remove }
  }
  const location = verdict.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  return {
    action: location === undefined ? 'page' : 'redirect',
    status: verdict.status,
    redirect: location,
    headers: linesOf(verdict.headers.filter(([name]) => name.toLowerCase() !== 'content-length')),
    page: Buffer.from(verdict.body),
  }
}

function edits({ set, remove }: HeaderEdits): { readonly set: string; readonly remove: string } {
  const lines = set.flatMap(([name, values]) => values.map(value => [name, value] as const))
  return { set: linesOf(lines), remove: [...remove, ...set.map(([name]) => name)].join('\n') }
}

function linesOf(headers: HeaderLines): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}

/** Scope of variables: one exchange. @source doc/SPOE.txt 3.4 */
const transactionScope = 2

/** Actions that set variables. */
export function setVariables(variables: Variables): Buffer {
  const actions: Buffer[] = []
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) continue
    actions.push(Buffer.of(1, 3, transactionScope), lengthFirst(name), typed(value))
  }
  return Buffer.concat(actions)
}
