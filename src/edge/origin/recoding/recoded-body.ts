import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createGzip,
  createZstdCompress,
  createZstdDecompress,
} from 'node:zlib'
import { httpLimits } from '../../limits.ts'
import type { Coding, Recoding } from '../../phases/compression.ts'
import { GzipDecoder } from './gzip-decoder.ts'

/** Takes the recoded body. */
export interface BodySink {
  /** @returns false when no more is wanted until `resume` */
  readonly write: (part: Buffer) => boolean
  /**
   * After the last part, which may come before the last byte of the origin.
   * @param plainBytes length of the body without any coding; 0 when it is not coded
   */
  readonly ended: (plainBytes: number) => void
  /** After a `write` that returned false: more is wanted. */
  readonly drained: () => void
  /** The origin's body does not match its coding. */
  readonly failed: (error: Error) => void
}

/** The window of a coding: about 1 MiB of memory for each compressed response in flight, instead of up to 16. */
const windowLog = 18

/** About the ratio of gzip -6, at a third of its processor time (zstd) or the same (brotli). */
const encoders: { readonly [C in Coding]?: () => ZlibStream } = {
  gzip: () => createGzip(),
  br: () =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: windowLog },
    }),
  zstd: () =>
    createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: windowLog },
    }),
}

const decoders: { readonly [C in Coding]?: () => Transform } = {
  gzip: () => new GzipDecoder(),
  br: () => createBrotliDecompress(),
  zstd: () =>
    createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: httpLimits.zstdWindowBits } }),
}

type ZlibStream = Transform & { readonly bytesWritten: number; flush(kind?: number): void }

/**
 * The body of a response on its way into another content coding. zlib works in its own threads.
 */
export class RecodedBody {
  readonly #newDecoder: (() => Transform) | undefined
  readonly #encoder: ZlibStream | undefined
  readonly #sink: BodySink
  readonly #flushMs: number
  readonly #flushKind: number | undefined
  /** Takes the origin's bytes. Undefined before the first of them: an empty body has no coding to remove. */
  #first: Transform | undefined
  /** Gives the client's bytes. */
  #last: Transform | undefined
  #flush: NodeJS.Timeout | undefined

  /** @param flushMs time after which bytes of the origin are sent at the latest */
  constructor({ from, to }: Pick<Recoding, 'from' | 'to'>, flushMs: number, sink: BodySink) {
    this.#flushMs = flushMs
    // By default, a flush of gzip drops the window.
    this.#flushKind = to === 'gzip' ? constants.Z_SYNC_FLUSH : undefined
    this.#newDecoder = decoders[from]
    this.#encoder = encoders[to]?.()
    this.#sink = sink
    if (this.#encoder !== undefined) this.#deliver(this.#encoder)
  }

  /** It takes no more until `drained`. */
  get isFull(): boolean {
    return this.#first?.writableNeedDrain === true
  }

  write(chunk: Buffer): void {
    this.#first ??= this.#begin()
    this.#first.write(chunk)
    this.#flushSoon()
  }

  end(): void {
    const first = this.#first ?? this.#encoder
    if (first === undefined) this.#sink.ended(0)
    else first.end()
  }

  resume(): void {
    this.#last?.resume()
  }

  destroy(): void {
    clearTimeout(this.#flush)
    this.#first?.destroy()
    this.#last?.destroy()
  }

  #begin(): Transform {
    const decoder = this.#newDecoder?.()
    if (decoder !== undefined && this.#encoder !== undefined) {
      decoder.on('data', this.#flushSoon)
      decoder.pipe(this.#encoder)
      decoder.on('error', this.#sink.failed)
    } else if (decoder !== undefined) this.#deliver(decoder)
    const first = (decoder ?? this.#encoder)!
    first.on('drain', this.#sink.drained)
    return first
  }

  #deliver(last: Transform): void {
    this.#last = last
    last.on('error', this.#sink.failed)
    last.on('data', (part: Buffer) => {
      if (!this.#sink.write(part)) last.pause()
    })
    last.on('end', () => {
      clearTimeout(this.#flush)
      this.#sink.ended(this.#encoder?.bytesWritten ?? 0)
    })
  }

  /** When the origin pauses, the client gets all bytes so far: a page that loads by and by, or server-sent events. */
  readonly #flushSoon = (): void => {
    const encoder = this.#encoder
    if (encoder === undefined) return
    this.#flush ??= setTimeout(() => {
      this.#flush = undefined
      if (encoder.writable) encoder.flush(this.#flushKind)
    }, this.#flushMs)
  }
}
