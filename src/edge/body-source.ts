import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { nextTurn } from '../kit/turns.ts'

/** The client did not deliver the body it promised. */
export class ClientBodyError extends Error {
  readonly code: 'timeout' | 'aborted' | 'malformed'
  constructor(code: ClientBodyError['code']) {
    super(`the request body ended early: ${code}`)
    this.name = 'ClientBodyError'
    this.code = code
  }
}

export interface Collected {
  /** The body, or its first bytes. */
  readonly bytes: Buffer
  readonly complete: boolean
}

/** The first bytes of a body, part by part; as often as wanted, until it is streamed. */
export interface BodyParts {
  /** Bytes of the whole body that the client announced; undefined when it did not. */
  readonly announcedBytes: number | undefined
  /** Body bytes read from the client so far. */
  readonly bytesReceived: number
  /**
   * Gives the parts as they come from the client, those that are here already first.
   * @returns whether these were all of it
   * @throws ClientBodyError; what `take` throws
   */
  read(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean>
  /** The same of what was read so far; waits for nothing more. */
  readAgain(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean>
}

/** Bytes of parts that are here already and are given in one turn of the event loop. */
const turnBytes = 128 * 1024

/**
 * The body of one request: its first parts can be read for inspection, then all of it is streamed, and nothing is
 * read from the client faster than it is taken. Never destroys the client's connection.
 */
export class BodySource implements BodyParts {
  readonly #request: IncomingMessage
  readonly #idleTimeoutMs: number
  /** Asks the client for the body (100 Continue). */
  #invite: (() => void) | undefined
  /** Read, and not yet streamed. */
  #chunks = new PartList()
  #retained: { readonly list: PartList; bytesLeft: number } | undefined
  #waiting: { onData(): void; onEnd(error: ClientBodyError | undefined): void } | undefined
  #timer: NodeJS.Timeout | undefined
  #attached = false
  #ended: boolean
  #error: ClientBodyError | undefined
  #bytesReceived = 0
  readonly #mayHaveBody: boolean

  constructor(request: IncomingMessage, idleTimeoutMs: number, invite: (() => void) | undefined) {
    this.#request = request
    this.#idleTimeoutMs = idleTimeoutMs
    this.#invite = invite
    const { headers } = request
    const length = headers['content-length']
    this.#mayHaveBody =
      headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0)
    this.#ended = !this.#mayHaveBody
  }

  get mayHaveBody(): boolean {
    return this.#mayHaveBody
  }

  get announcedBytes(): number | undefined {
    const length = this.#request.headers['content-length']
    return length === undefined ? undefined : Number(length)
  }

  get bytesReceived(): number {
    return this.#bytesReceived
  }

  /** True when the body was read to its end. */
  get complete(): boolean {
    return this.#ended && this.#error === undefined
  }

  /** True while the client still holds its body back, waiting for 100 Continue. */
  get uninvited(): boolean {
    return this.#invite !== undefined
  }

  /** @throws ClientBodyError */
  async collect(limitBytes: number): Promise<Collected> {
    await this.#until(() => this.#bytesReceived > limitBytes)
    const all = this.#chunks.whole
    this.#chunks = new PartList(all.length === 0 ? [] : [all])
    const complete = this.#ended && all.length <= limitBytes
    return { bytes: complete ? all : all.subarray(0, limitBytes), complete }
  }

  async read(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean> {
    const parts = new PartsCursor(this.#chunks.parts, limitBytes, take)
    await parts.giveInTurns()
    await this.#until(() => {
      parts.give(Infinity)
      return this.#bytesReceived > limitBytes
    })
    return this.#ended && this.#bytesReceived <= limitBytes
  }

  async readAgain(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean> {
    await new PartsCursor(this.#chunks.parts, limitBytes, take).giveInTurns()
    return this.complete && this.#bytesReceived <= limitBytes
  }

  /** For the origin: nothing, the whole body when it is here already, or a stream of it. */
  forOrigin(): Buffer | Readable | undefined {
    if (!this.#mayHaveBody) return undefined
    if (this.complete) return this.#chunks.whole
    return this.#stream()
  }

  /**
   * Keeps the first parts by reference, whatever else becomes of the body.
   * @returns those that are here; the ones that come are added to it, as long as what is there before is shorter than
   *   `limitBytes`
   */
  retain(limitBytes: number): readonly Buffer[] {
    const list = new PartList([...this.#chunks.parts])
    this.#retained = { list, bytesLeft: limitBytes - this.#bytesReceived }
    return list.parts
  }

  /** Ends `retain`: what comes is not kept any more. */
  release(): void {
    this.#retained = undefined
  }

  /** Reads on and throws away, so that a client that is still sending gets to see the answer. */
  async discard(limits: { readonly bytes: number; readonly ms: number }): Promise<void> {
    const stop = this.#bytesReceived + limits.bytes
    let late = false
    const timer = setTimeout(() => {
      late = true
      this.#waiting?.onData()
    }, limits.ms)
    await this.#until(() => {
      this.#chunks = new PartList()
      return late || this.#bytesReceived > stop
    }).catch(() => {})
    clearTimeout(timer)
  }

  /** The rest cannot be read: the connection broke, or what follows is no HTTP. */
  fail(code: ClientBodyError['code']): void {
    if (this.#ended) return
    this.#finish(new ClientBodyError(code))
  }

  /** Resolves when `enough` says so after a chunk, or at the end of the body. */
  #until(enough: () => boolean): Promise<void> {
    if (this.#error !== undefined) return Promise.reject(this.#error)
    if (this.#ended || enough()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiting = {
        onData: () => {
          try {
            if (!enough()) return
            resolve()
          } catch (error) {
            reject(error)
          }
          this.#pause()
          this.#waiting = undefined
        },
        onEnd: error => {
          this.#waiting = undefined
          if (error === undefined) resolve()
          else reject(error)
        },
      }
      this.#resume()
    })
  }

  #stream(): Readable {
    const pushChunks = () => {
      const { parts } = this.#chunks
      this.#chunks = new PartList()
      let wantsMore = true
      for (const part of parts) wantsMore = stream.push(part)
      if (!wantsMore) this.#pause()
      return wantsMore
    }
    const stream = new Readable({
      read: () => {
        if (this.#ended) end(this.#error)
        else if (pushChunks()) this.#resume()
      },
      destroy: (error, done) => {
        // Somebody else may be reading on already.
        if (this.#waiting === waiting) {
          this.#waiting = undefined
          this.#pause()
        }
        done(error)
      },
    })
    const end = (error: ClientBodyError | undefined) => {
      this.#waiting = undefined
      if (error !== undefined) {
        stream.destroy(error)
        return
      }
      pushChunks()
      stream.push(null)
    }
    const waiting = { onData: pushChunks, onEnd: end }
    this.#waiting = waiting
    return stream
  }

  #resume(): void {
    const invite = this.#invite
    this.#invite = undefined
    invite?.()
    if (!this.#attached) this.#attach()
    if (this.#request.destroyed && !this.#request.complete) {
      this.fail('aborted')
      return
    }
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.fail('timeout'), this.#idleTimeoutMs)
    else this.#timer.refresh()
    this.#request.resume()
  }

  #pause(): void {
    if (this.#attached && !this.#ended) this.#request.pause()
    this.#stopTimer()
  }

  #attach(): void {
    this.#attached = true
    this.#request.on('data', (chunk: Buffer) => {
      this.#bytesReceived += chunk.length
      this.#timer?.refresh()
      this.#chunks.add(chunk)
      if (this.#retained !== undefined && this.#retained.bytesLeft > 0) {
        this.#retained.list.add(chunk)
        this.#retained.bytesLeft -= chunk.length
      }
      this.#waiting?.onData()
    })
    this.#request.on('end', () => this.#finish(undefined))
    this.#request.on('close', () => this.fail('aborted'))
  }

  #finish(error: ClientBodyError | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#error = error
    this.#stopTimer()
    this.#waiting?.onEnd(error)
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/**
 * Parts of a body as they came. Short ones are put together: a client that sends each byte by itself would take some
 * four hundred times as much memory. The last part may be replaced by one that goes on where it ended.
 */
class PartList {
  readonly parts: Buffer[]
  /** What the last part is a view of, when there is room behind it. */
  #slab: Buffer | undefined

  constructor(parts: Buffer[] = []) {
    this.parts = parts
  }

  get whole(): Buffer {
    return this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts)
  }

  add(part: Buffer): void {
    const last = this.parts.at(-1)
    if (last === undefined || !this.#makeRoom(last, part.length)) {
      this.#slab = undefined
      this.parts.push(part)
      return
    }
    const slab = this.#slab!
    part.copy(slab, last.length)
    this.parts[this.parts.length - 1] = slab.subarray(0, last.length + part.length)
  }

  /** @returns whether so many bytes may be put behind the last part; then it is at the beginning of the slab */
  #makeRoom(last: Buffer, bytes: number): boolean {
    if (last.length + bytes > slabBytes) return false
    if (this.#slab === undefined) {
      this.#slab = Buffer.allocUnsafeSlow(slabBytes)
      last.copy(this.#slab)
    }
    return true
  }
}

/** Shorter parts are put together up to this length. */
const slabBytes = 16 * 1024

/** Where a reader is in the parts that were kept; sees those that are added behind it, and the last one grow. */
class PartsCursor {
  readonly #chunks: readonly Buffer[]
  readonly #take: (part: Uint8Array) => void
  #next = 0
  /** Bytes of the next part that were given. */
  #given = 0
  #left: number

  constructor(chunks: readonly Buffer[], limitBytes: number, take: (part: Uint8Array) => void) {
    this.#chunks = chunks
    this.#left = limitBytes
    this.#take = take
  }

  /** Gives whole parts until it has given `bytes`, or the limit is reached, or there are none. @returns is there more? */
  give(bytes: number): boolean {
    for (let given = 0; this.#left > 0; ) {
      const chunk = this.#chunks[this.#next]
      if (chunk === undefined) return false
      if (this.#given === chunk.length) {
        if (this.#next === this.#chunks.length - 1) return false
        this.#next++
        this.#given = 0
        continue
      }
      if (given >= bytes) return true
      const part = chunk.subarray(this.#given, this.#given + this.#left)
      this.#given += part.length
      this.#left -= part.length
      given += part.length
      this.#take(part)
    }
    return false
  }

  /** What is here already can be much; others get their turn in between. */
  async giveInTurns(): Promise<void> {
    while (this.give(turnBytes)) await nextTurn()
  }
}
