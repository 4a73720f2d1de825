/** The parts of Kafka's wire format that a broker needs which speaks old versions only. */

/** Reads fields in order; throws at the end of the bytes. */
export class KafkaReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  int8(): number {
    return this.#take(1).readInt8()
  }

  int16(): number {
    return this.#take(2).readInt16BE()
  }

  int32(): number {
    return this.#take(4).readInt32BE()
  }

  int64(): bigint {
    return this.#take(8).readBigInt64BE()
  }

  string(): string {
    const length = this.int16()
    return length < 0 ? '' : this.#take(length).toString('utf8')
  }

  bytes(): Buffer {
    return this.#take(this.int32())
  }

  array<T>(item: () => T): T[] {
    return Array.from({ length: this.int32() }, item)
  }

  /** Zigzag. */
  varint(): number {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#take(1).readUInt8()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    return Number((value >> 1n) ^ -(value & 1n))
  }

  varbytes(): Buffer {
    return this.#take(Math.max(0, this.varint()))
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  #take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new Error('the request is cut off')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}

export class KafkaWriter {
  readonly #chunks: Buffer[] = []

  int8(value: number): this {
    return this.#add(1, buffer => buffer.writeInt8(value))
  }

  int16(value: number): this {
    return this.#add(2, buffer => buffer.writeInt16BE(value))
  }

  int32(value: number): this {
    return this.#add(4, buffer => buffer.writeInt32BE(value))
  }

  int64(value: bigint): this {
    return this.#add(8, buffer => buffer.writeBigInt64BE(value))
  }

  string(value: string | null): this {
    if (value === null) return this.int16(-1)
    const text = Buffer.from(value)
    this.int16(text.length)
    this.#chunks.push(text)
    return this
  }

  strings(values: readonly string[]): this {
    this.int32(values.length)
    for (const value of values) this.string(value)
    return this
  }

  bytes(value: Buffer): this {
    this.int32(value.length)
    this.#chunks.push(value)
    return this
  }

  /** All of it, with its length before it. */
  framed(): Buffer {
    const body = Buffer.concat(this.#chunks)
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length)
    return Buffer.concat([length, body])
  }

  #add(bytes: number, write: (buffer: Buffer) => void): this {
    const buffer = Buffer.alloc(bytes)
    write(buffer)
    this.#chunks.push(buffer)
    return this
  }
}

interface RecordBatch {
  readonly producerId: bigint
  readonly sequence: number
  readonly records: readonly { readonly key: string; readonly value: string }[]
}

/** A record batch of magic 2 without compression; undefined when it is none or its checksum is wrong. */
export function readRecordBatch(bytes: Buffer): RecordBatch | undefined {
  const reader = new KafkaReader(bytes)
  reader.int64()
  if (reader.int32() !== bytes.length - 12) return undefined
  reader.int32()
  if (reader.int8() !== 2) return undefined
  if (reader.int32() >>> 0 !== crc32c(reader.rest())) return undefined
  if (reader.int16() !== 0) return undefined
  const lastOffset = reader.int32()
  reader.int64()
  reader.int64()
  const producerId = reader.int64()
  if (reader.int16() !== 0) return undefined
  const sequence = reader.int32()
  const records = reader.array(() => {
    reader.varint()
    reader.int8()
    reader.varint()
    reader.varint()
    const record = { key: reader.varbytes().toString('utf8'), value: reader.varbytes().toString('utf8') }
    if (reader.varint() !== 0) throw new Error('headers')
    return record
  })
  return lastOffset === records.length - 1 && reader.rest().length === 0
    ? { producerId, sequence, records }
    : undefined
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value >>> 0
})

/** CRC-32C (Castagnoli). */
function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 0xff]!
  return (crc ^ 0xffffffff) >>> 0
}
