/*
 * The wire format of Protocol Buffers, for the few messages that Envoy exchanges.
 * @source https://protobuf.dev/programming-guides/encoding/
 */

/** A number, or the bytes of a text or of a message. */
type Field = number | Buffer

/** A received message: field number → values. Fields of other types than these are left out. */
export class Message {
  readonly #fields = new Map<number, Field[]>()

  /** @throws RangeError when the bytes are not a message */
  constructor(bytes: Buffer) {
    for (let at = 0; at < bytes.length; ) {
      const key = readVarint(bytes, at)
      const number = Math.floor(key.value / 8)
      const { value, next } = readField(bytes, key.next, key.value % 8)
      at = next
      if (value === undefined) continue
      const known = this.#fields.get(number)
      if (known === undefined) this.#fields.set(number, [value])
      else known.push(value)
    }
  }

  has(number: number): boolean {
    return this.#fields.has(number)
  }

  /** 0 when it is absent. */
  number(number: number): number {
    const value = this.#fields.get(number)?.at(-1)
    return typeof value === 'number' ? value : 0
  }

  /** Empty when it is absent. */
  bytes(number: number): Buffer {
    return this.#buffers(number).at(-1) ?? nothing
  }

  /** Byte string. */
  text(number: number): string {
    return this.bytes(number).toString('latin1')
  }

  message(number: number): Message {
    return new Message(this.bytes(number))
  }

  messages(number: number): Message[] {
    return this.#buffers(number).map(bytes => new Message(bytes))
  }

  #buffers(number: number): Buffer[] {
    return (this.#fields.get(number) ?? []).filter(value => typeof value !== 'number')
  }
}

const nothing = Buffer.alloc(0)

function readField(
  bytes: Buffer,
  at: number,
  type: number,
): { readonly value: Field | undefined; readonly next: number } {
  if (type === 0) return readVarint(bytes, at)
  if (type === 1) return { value: undefined, next: at + 8 }
  if (type === 5) return { value: undefined, next: at + 4 }
  if (type !== 2) throw new RangeError('a field has an unknown type')
  const { value: length, next: begin } = readVarint(bytes, at)
  if (length > bytes.length - begin) throw new RangeError('a field ends early')
  return { value: bytes.subarray(begin, begin + length), next: begin + length }
}

/** Numbers beyond what a double holds exactly are not needed. */
function readVarint(bytes: Buffer, begin: number): { readonly value: number; readonly next: number } {
  let value = 0
  for (let at = begin; at < begin + 10; at++) {
    const byte = bytes[at]
    if (byte === undefined) throw new RangeError('a number ends early')
    value += (byte & 127) * 2 ** (7 * (at - begin))
    if (byte < 128) return { value, next: at + 1 }
  }
  throw new RangeError('a number is too long')
}

/** Values of one field in the order of the list; undefined leaves the field out. A string is a byte string. */
export type Part = readonly [number: number, value: number | string | Buffer | undefined]

/** The bytes of a message. */
export function encode(parts: readonly Part[]): Buffer {
  const bytes: Buffer[] = []
  for (const [number, value] of parts) {
    if (value === undefined) continue
    if (typeof value === 'number') bytes.push(varint(number * 8), varint(value))
    else {
      const content = typeof value === 'string' ? Buffer.from(value, 'latin1') : value
      bytes.push(varint(number * 8 + 2), varint(content.length), content)
    }
  }
  return Buffer.concat(bytes)
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  bytes.push(left)
  return Buffer.from(bytes)
}
