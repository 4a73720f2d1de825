import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { nextTurn } from '../../kit/turns.ts'
import { httpLimits } from '../limits.ts'
import type { BodyHolding } from './body-budget.ts'
import { type BodyParts, type BodySource, ClientBodyError } from './body-source.ts'
import { hasExtras } from './coding-extras.ts'
import { type HeaderLines, joinedHeader } from './headers.ts'

/** Why rules see the body in its coded form. */
export type CodingFault =
  /** A coding that the edge does not know, or more than `httpLimits.codingsMax` of them. */
  | 'unknown-coding'
  /** The body is invalid in its codings. */
  | 'malformed'

/** The body without its content codings (RFC 9110 8.4), as rules see it. The origin receives it unchanged. */
export function contentOf(body: BodySource, headers: HeaderLines): BodyParts {
  const encoding = joinedHeader(headers, 'content-encoding')
  if (encoding === undefined) return body
  const codings = encoding
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity')
  return codings.length === 0 ? body : new DecodedBody(body, codings)
}

/** The decoded beginning of a body. */
interface Decoded {
  readonly limitBytes: number
  readonly parts: readonly Uint8Array[]
  readonly bytes: number
  /** The body ends here and is no longer than the limit. */
  readonly whole: boolean
}

/**
 * A body with content codings. The limit applies to its input and to each decoded layer, so a decompression bomb costs no
 * more than any other body. Decoding runs outside of the event loop.
 */
export class DecodedBody implements BodyParts {
  /** The body in its coded form. */
  readonly sent: BodySource
  readonly #codings: readonly string[]
  #decoded: Decoded | undefined
  #fault: CodingFault | undefined
  /** Memory for the decoded parts. */
  readonly #held: BodyHolding

  /** @param codings in the order in which they were applied */
  constructor(sent: BodySource, codings: readonly string[]) {
    this.sent = sent
    this.#held = sent.newHolding()
    this.#codings = codings
    if (codings.length > httpLimits.codingsMax || !codings.every(coding => known.has(coding)))
      this.#fault = 'unknown-coding'
  }

  /** The decoded length is never announced. */
  get announcedBytes(): undefined {
    return undefined
  }

  get bytesReceived(): number {
    return this.sent.bytesReceived
  }

  get fault(): CodingFault | undefined {
    return this.#fault
  }

  /** The decoded parts so far; undefined when there are none, or when decoding failed. */
  get decoded(): { readonly parts: readonly Uint8Array[]; readonly whole: boolean } | undefined {
    return this.#fault === undefined ? this.#decoded : undefined
  }

  async read(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean> {
    const complete = await this.sent.read(limitBytes, () => {})
    return this.#give(limitBytes, take, complete)
  }

  async readAgain(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean> {
    const complete = await this.sent.readAgain(limitBytes, () => {})
    return this.#give(limitBytes, take, complete)
  }

  async #give(limitBytes: number, take: (part: Uint8Array) => void, complete: boolean): Promise<boolean> {
    const decoded = await this.#decode(limitBytes, complete)
    if (this.#fault !== undefined || decoded === undefined) return this.sent.readAgain(limitBytes, take)
    let left = limitBytes
    let turn = 0
    const { zoneId, client } = this.sent.owner
    for (const part of decoded.parts) {
      if (left <= 0) break
      take(part.length <= left ? part : part.subarray(0, left))
      left -= part.length
      turn += part.length
      if (turn < turnBytes) continue
      turn = 0
      await nextTurn(zoneId, client)
    }
    return decoded.whole && decoded.bytes <= limitBytes
  }

  async #decode(limitBytes: number, complete: boolean): Promise<Decoded | undefined> {
    if (this.#fault !== undefined) return undefined
    if (this.#decoded !== undefined && this.#decoded.limitBytes >= limitBytes) return this.#decoded
    let parts: readonly Uint8Array[] = await this.#sentParts(limitBytes)
    let whole = complete
    for (const coding of this.#codings.toReversed()) {
      if (parts.length === 0) break
      const layer = await decodedLayer(parts, coding, limitBytes, whole)
      if (layer === undefined) {
        this.#fault = 'malformed'
        return undefined
      }
      parts = layer.parts
      whole &&= layer.whole
    }
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    this.#hold(bytes)
    this.#decoded = { limitBytes, parts, bytes, whole }
    return this.#decoded
  }

  /** Frees the decoded parts. */
  release(): void {
    this.#decoded = undefined
    this.#held.giveBack()
  }

  /** Counts the decoded bytes, which may be many more than the input. @throws ClientBodyError */
  #hold(bytes: number): void {
    this.release()
    const shortage = this.#held.take(bytes)
    if (shortage !== undefined) throw new ClientBodyError(shortage)
  }

  async #sentParts(limitBytes: number): Promise<readonly Uint8Array[]> {
    const parts: Uint8Array[] = []
    await this.sent.readAgain(limitBytes, part => void parts.push(part))
    return parts
  }
}

/** Bytes that are passed on in one turn of the event loop. */
const turnBytes = 128 * 1024

/** @param whole false: the input is cut off, and its beginning is decoded */
type DecoderOf = (start: Uint8Array, whole: boolean) => Transform & { readonly bytesWritten: number }

const flushed = { finishFlush: constants.Z_SYNC_FLUSH }
const strict = { rejectGarbageAfterEnd: true }

const gzip: DecoderOf = (_start, whole) => createGunzip(whole ? {} : flushed)

const known: ReadonlyMap<string, DecoderOf> = new Map<string, DecoderOf>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  [
    'deflate',
    (start, whole) => {
      const options = whole ? strict : flushed
      return hasZlibHeader(start) ? createInflate(options) : createInflateRaw(options)
    },
  ],
  [
    'br',
    (_start, whole) =>
      createBrotliDecompress(whole ? strict : { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  ],
  [
    'zstd',
    (_start, whole) =>
      createZstdDecompress({
        params: { [constants.ZSTD_d_windowLogMax]: httpLimits.zstdWindowBits },
        ...(whole ? {} : { finishFlush: constants.ZSTD_e_flush }),
      }),
  ],
])

/** @returns whether other bytes than padding zeros follow the decoded input */
function hasRest(input: Buffer, decodedBytes: number): boolean {
  return input.subarray(decodedBytes).some(byte => byte !== 0)
}

/** Some senders omit the header of RFC 1950, against RFC 9110 8.4.1.2. */
function hasZlibHeader(start: Uint8Array): boolean {
  const [method = 0, flags = 0] = start
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0
}

/**
 * Removes one layer.
 * @param whole the input is complete
 * @returns undefined when the input is invalid in this coding
 */
function decodedLayer(
  input: readonly Uint8Array[],
  coding: string,
  limitBytes: number,
  whole: boolean,
): Promise<{ readonly parts: readonly Uint8Array[]; readonly whole: boolean } | undefined> {
  const bytes = Buffer.concat(input)
  if (hasExtras(coding, bytes, limitBytes)) return Promise.resolve(undefined)
  const decoder = known.get(coding)!(bytes, whole)
  return new Promise(resolve => {
    const parts: Uint8Array[] = []
    let decodedBytes = 0
    decoder.on('data', (part: Buffer) => {
      parts.push(part)
      decodedBytes += part.length
      if (decodedBytes <= limitBytes) return
      decoder.destroy()
      resolve({ parts, whole: false })
    })
    // Other decoders may read the bytes after the end.
    decoder.on('end', () =>
      resolve(whole && hasRest(bytes, decoder.bytesWritten) ? undefined : { parts, whole }),
    )
    decoder.on('error', () => resolve(undefined))
    decoder.end(bytes)
  })
}
