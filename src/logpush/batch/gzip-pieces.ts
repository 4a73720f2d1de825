import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib'
import type { Holding } from './batch-memory.ts'

const deflated = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw)

/** @source RFC 1952, section 2.3: magic, deflate, no flags, no time, no extra flags, Unix */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** @source RFC 1951, section 3.2.6: an empty last block */
const lastBlock = Buffer.from([0x03, 0x00])

/**
 * Compresses a text piece by piece into one gzip member, in the threads of the runtime. Each piece ends on a byte
 * boundary and refers to nothing before it, so pieces can be compressed in parallel. The same pieces give the same
 * bytes. Waiting pieces cost their compressed size.
 */
export class GzipPieces {
  readonly #holding: Holding
  #pieces: Promise<Buffer>[] = []
  #crc = 0
  /** Bytes before compression. */
  #bytes = 0

  constructor(holding: Holding) {
    this.#holding = holding
  }

  get bytes(): number {
    return this.#bytes
  }

  /** CRC-32 of the text so far. */
  get crc(): number {
    return this.#crc
  }

  add(text: string): void {
    const piece = Buffer.from(text)
    this.#crc = crc32(piece, this.#crc)
    this.#bytes += piece.length
    const compressed = deflated(piece, { finishFlush: constants.Z_FULL_FLUSH })
    this.#holding.add(piece.length)
    compressed.then(
      ({ length }) => this.#holding.add(length - piece.length),
      // `finish` reports a failure.
      () => {},
    )
    this.#pieces.push(compressed)
  }

  async finish(): Promise<Buffer> {
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(this.#crc, 0)
    trailer.writeUInt32LE(this.#bytes % 2 ** 32, 4)
    const pieces = await Promise.all(this.#pieces)
    // The batch keeps the whole only.
    this.#pieces = []
    return Buffer.concat([header, ...pieces, lastBlock, trailer])
  }
}
