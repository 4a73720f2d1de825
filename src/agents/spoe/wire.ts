/** A frame or one of its values breaks the protocol. */
export class SpopError extends Error {
  /** Status code of the DISCONNECT frame. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'SpopError'
    this.status = status
  }
}

/** Status codes. @source HAProxy, doc/SPOE.txt 3.2.9 */
export const status = {
  normal: 0,
  tooBig: 3,
  invalid: 4,
  noVersion: 5,
  noFrameSize: 6,
  noCapabilities: 7,
  badVersion: 8,
  badFrameSize: 9,
  interlaced: 11,
  unknown: 99,
} as const

export type Value = boolean | number | string | Buffer | undefined

/** Reads values of a payload. */
export class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  get rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  byte(): number {
    return this.take(1)[0]!
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new SpopError(status.invalid, 'a value ends early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** @source doc/SPOE.txt 3.1, "variable-length integer" */
  varint(): number {
    let value = this.byte()
    if (value < 240) return value
    for (let shift = 4; shift <= 46; shift += 7) {
      const byte = this.byte()
      value += byte * 2 ** shift
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break
        return value
      }
    }
    throw new SpopError(status.invalid, 'a number is too large')
  }

  /** Byte string with its length in front. */
  bytes(): Buffer {
    return this.take(this.varint())
  }

  name(): string {
    return this.bytes().toString('latin1')
  }

  /** A value with its type in front: the low half of a byte; the high half has flags. */
  value(): Value {
    const type = this.byte()
    switch (type & 15) {
      case 0:
        return undefined
      case 1:
        return (type & 16) !== 0
      case 2:
      case 3:
      case 4:
      case 5:
        return this.varint()
      case 6:
        return [...this.take(4)].join('.')
      case 7:
        return ipv6(this.take(16))
      case 8:
        return this.name()
      case 9:
        return this.bytes()
      default:
        throw new SpopError(status.invalid, 'a value has an unknown type')
    }
  }
}

function ipv6(bytes: Buffer): string {
  const groups: string[] = []
  for (let at = 0; at < 16; at += 2) groups.push(bytes.readUInt16BE(at).toString(16))
  return groups.join(':')
}

export function varint(value: number): Buffer {
  if (value < 240) return Buffer.of(value)
  const bytes = [(value & 15) | 240]
  let left = Math.floor((value - 240) / 16)
  for (; left >= 128; left = Math.floor((left - 128) / 128)) bytes.push((left & 127) | 128)
  bytes.push(left)
  return Buffer.from(bytes)
}

/** @param text byte string, or bytes */
export function lengthFirst(text: string | Buffer): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
  return Buffer.concat([varint(bytes.length), bytes])
}

/** A number, a byte string, or bytes, with its type in front. */
export function typed(value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([Buffer.of(3), varint(value)])
  return Buffer.concat([Buffer.of(8), lengthFirst(value)])
}
