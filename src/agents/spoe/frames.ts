import { Reader, SpopError, status, varint } from './wire.ts'

/** Types of frames. @source HAProxy, doc/SPOE.txt 3.2 */
export const frameType = {
  unset: 0,
  proxyHello: 1,
  proxyDisconnect: 2,
  notify: 3,
  agentHello: 101,
  agentDisconnect: 102,
  ack: 103,
} as const

export interface Frame {
  readonly type: number
  /** The last fragment of its message. */
  readonly final: boolean
  readonly aborted: boolean
  readonly streamId: number
  readonly frameId: number
  readonly payload: Buffer
}

/** Cuts the bytes of a connection into frames. */
export class FrameCutter {
  readonly #bytesMax: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add(part: Buffer): void {
    this.#parts.push(part)
    this.#bytes += part.length
  }

  /** @returns undefined when the next frame is not complete. @throws SpopError */
  next(): Frame | undefined {
    if (this.#bytes < 4) return undefined
    const all = this.#whole()
    const length = all.readUInt32BE(0)
    if (length > this.#bytesMax) throw new SpopError(status.tooBig, 'a frame is too big')
    if (all.length < 4 + length) return undefined
    const rest = all.subarray(4 + length)
    this.#parts = [rest]
    this.#bytes = rest.length
    return frameOf(all.subarray(4, 4 + length))
  }

  #whole(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)]
    return this.#parts[0]!
  }
}

function frameOf(bytes: Buffer): Frame {
  const reader = new Reader(bytes)
  const type = reader.byte()
  const flags = reader.take(4).readUInt32BE(0)
  const streamId = reader.varint()
  const frameId = reader.varint()
  return {
    type,
    final: (flags & 1) !== 0,
    aborted: (flags & 2) !== 0,
    streamId,
    frameId,
    payload: reader.rest,
  }
}

/** A frame that is not fragmented. */
export function frameBytes(type: number, streamId: number, frameId: number, payload: Buffer): Buffer {
  const body = Buffer.concat([Buffer.of(type, 0, 0, 0, 1), varint(streamId), varint(frameId), payload])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}
