import type { TestContext } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { eventually } from './fixture.ts'

/** Types of frames (RFC 9113 6). */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
  /** RFC 9218 7.1 */
  priorityUpdate: 16,
} as const

/** Flags of HEADERS and DATA. */
export const endStream = 0x01
export const endHeaders = 0x04
export const padded = 0x08

export type Fields = readonly (readonly [name: string, value: string])[]

/** A frame as bytes (RFC 9113 4.1). */
export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(streamId, 5)
  return Buffer.concat([head, payload])
}

/** A block of literal fields that are not indexed, of any bytes (RFC 7541 6.2.2). */
export function fieldBlock(fields: Fields): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]))
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1')
  return Buffer.concat([prefixed(bytes.length, 7), bytes])
}

/** An integer that starts in the last `bits` bits of a byte (RFC 7541 5.1). */
function prefixed(value: number, bits: number): Buffer {
  const most = 2 ** bits - 1
  if (value < most) return Buffer.from([value])
  const bytes = [most]
  let rest = value - most
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** HEADERS, and CONTINUATION where the block is longer than a frame. */
export function headers(streamId: number, block: Buffer, flags = 0): Buffer {
  const size = 16_384
  const parts: Buffer[] = []
  for (let at = 0; at === 0 || at < block.length; at += size) {
    const last = at + size >= block.length ? endHeaders : 0
    const type = at === 0 ? frameTypes.headers : frameTypes.continuation
    parts.push(frame(type, (at === 0 ? flags : 0) | last, streamId, block.subarray(at, at + size)))
  }
  return Buffer.concat(parts)
}

/** GET / of a host with the certificate of `startTls`. */
export const get: Fields = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/'],
  [':authority', 'zone.test'],
]

export interface ReceivedFrame {
  readonly type: number
  readonly flags: number
  readonly streamId: number
  readonly payload: Buffer
}

/** A client of HTTP/2 that sends what it is told to, over TLS. It keeps the frames that it receives. */
export class RawHttp2 {
  readonly socket: TLSSocket
  readonly frames: ReceivedFrame[] = []
  closed = false
  #rest: Buffer = Buffer.alloc(0)

  private constructor(socket: TLSSocket) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', () => {})
    socket.once('close', () => {
      this.closed = true
    })
  }

  /** Opens a connection that ends with the test, and sends the preface and empty SETTINGS. */
  static async open(t: TestContext, port: number): Promise<RawHttp2> {
    const client = await RawHttp2.openSilent(t, port)
    return client.send(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(frameTypes.settings, 0, 0))
  }

  /** Opens a connection, and sends nothing. */
  static openSilent(t: TestContext, port: number): Promise<RawHttp2> {
    const options = { port, host: '127.0.0.1', servername: 'zone.test', rejectUnauthorized: false }
    return new Promise((resolve, reject) => {
      const socket = connect({ ...options, ALPNProtocols: ['h2'] }, () => resolve(new RawHttp2(socket)))
      socket.once('error', reject)
      t.after(() => socket.destroy())
    })
  }

  send(...frames: readonly Buffer[]): this {
    this.socket.write(Buffer.concat(frames))
    return this
  }

  /** Sends a request without a body, or its head. */
  ask(streamId: number, fields: Fields, flags = endStream): this {
    return this.send(headers(streamId, fieldBlock(fields), flags))
  }

  /** Resolves when the edge has answered or reset a stream, or has ended the connection. */
  async outcome(streamId: number): Promise<'response' | 'reset' | 'closed'> {
    const find = () =>
      this.frames.find(
        ({ type, streamId: id }) =>
          id === streamId && (type === frameTypes.headers || type === frameTypes.reset),
      )
    await eventually(() => this.closed || find() !== undefined)
    const found = find()
    if (found === undefined) return 'closed'
    return found.type === frameTypes.reset ? 'reset' : 'response'
  }

  #read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    while (this.#rest.length >= 9) {
      const length = this.#rest.readUIntBE(0, 3)
      if (this.#rest.length < 9 + length) return
      const payload = this.#rest.subarray(9, 9 + length)
      const [type, flags] = [this.#rest[3]!, this.#rest[4]!]
      this.frames.push({ type, flags, streamId: this.#rest.readUInt32BE(5) & 0x7fffffff, payload })
      this.#rest = this.#rest.subarray(9 + length)
    }
  }
}
