import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { BodyBudget, BodyHolding, BodyShortage } from './body-budget.ts'
import { PartList, PartsCursor } from './body-parts.ts'
import type { TurnTaker } from './turn-taker.ts'

/** The client did not send the complete body, or there is no memory for it. */
export class ClientBodyError extends Error {
  readonly code: 'timeout' | 'aborted' | 'malformed' | 'too-long' | BodyShortage
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

/** The first bytes of a body, part by part. They can be read repeatedly until the body is streamed. */
export interface BodyParts {
  /** The announced length of the body; undefined when the client announced none. */
  readonly announcedBytes: number | undefined
  /** Body bytes read from the client so far. */
  readonly bytesReceived: number
  /**
   * Passes the received parts to `take`, then further parts as they arrive.
   * @returns whether this was the complete body
   * @throws ClientBodyError; errors of `take`
   */
  read(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean>
  /** Like `read`, but only for the parts that were already received. */
  readAgain(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean>
}

/** How a request announces its body. */
export interface BodyFraming {
  readonly mayHaveBody: boolean
  /** Undefined when the client announced no length. */
  readonly announcedBytes: number | undefined
}

/** The body of a request as it arrives. */
export interface BodyInput extends BodyFraming {
  /** All of it was received. */
  readonly complete: boolean
  /** Only its beginning was received, and the rest does not come: another proxy has it. */
  readonly cut?: boolean
  readonly destroyed: boolean
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
}

/** RFC 9112 6.3 */
export function http1Framing(headers: IncomingHttpHeaders): BodyFraming {
  const length = headers['content-length']
  const announcedBytes = length === undefined ? undefined : Number(length)
  return {
    announcedBytes,
    mayHaveBody: headers['transfer-encoding'] !== undefined || (announcedBytes ?? 0) > 0,
  }
}

/** The time and memory that bodies may use. */
export interface BodyAllowance {
  readonly budget: BodyBudget
  readonly limits: {
    readonly bodyIdleTimeoutMs: number
    readonly bodyGraceMs: number
    readonly bodyBytesPerSecondMin: number
    readonly originStalledMs: number
  }
}

/**
 * The body of one request. Its first parts can be read for inspection, and then all of it is streamed. The client is read no
 * faster than the origin. Never destroys the client's connection.
 */
export class BodySource implements BodyParts {
  /** Set once the request is known. */
  owner: TurnTaker = { zoneId: '', client: '' }
  readonly #request: BodyInput
  #limits: BodyAllowance['limits']
  readonly #newHolding: () => BodyHolding
  /** Bytes in memory: read, and not yet written to the origin's connection. */
  readonly #held: BodyHolding
  #invite: (() => void) | undefined
  /** Parts that were read and not yet streamed. */
  #chunks = new PartList()
  #retained: { readonly list: PartList; bytesLeft: number } | undefined
  #waiting: { onData(): void; onEnd(error: ClientBodyError | undefined): void } | undefined
  #timer: NodeJS.Timeout | undefined
  #attached = false
  #ended: boolean
  /** Parts have left for the origin. */
  #streamed = false
  #error: ClientBodyError | undefined
  #bytesReceived = 0
  #bytesMax = Infinity
  /** Total time spent waiting for the client, and the start of the current wait. */
  #waitedMs = 0
  /** Total waiting time at the newest chunk, and the client's lag behind the lowest rate. */
  #waitedUntilChunkMs = 0
  #behindMs = 0
  #waitingSinceMs = 0

  /**
   * @param clientIp the client whose share of memory it uses
   * @param invite asks the client for the body (100 Continue)
   */
  constructor(
    request: BodyInput,
    { budget, limits }: BodyAllowance,
    clientIp: string,
    invite: (() => void) | undefined,
  ) {
    this.#request = request
    this.#limits = limits
    this.#newHolding = () => budget.holding(clientIp)
    this.#held = this.#newHolding()
    this.#invite = invite
    this.#ended = !request.mayHaveBody
  }

  get mayHaveBody(): boolean {
    return this.#request.mayHaveBody
  }

  get announcedBytes(): number | undefined {
    return this.#request.announcedBytes
  }

  get bytesReceived(): number {
    return this.#bytesReceived
  }

  /** The body was read to its end. */
  get complete(): boolean {
    return this.#ended && this.#error === undefined && this.#request.cut !== true
  }

  /** The client still waits for 100 Continue before it sends its body. */
  get uninvited(): boolean {
    return this.#invite !== undefined
  }

  /**
   * Reads no more than this. A longer body fails, at once if its announced length says so.
   * @throws ClientBodyError
   */
  limitTo(bytesMax: number): void {
    this.#bytesMax = bytesMax
    if ((this.announcedBytes ?? 0) > bytesMax) throw new ClientBodyError('too-long')
  }

  /** The client may pause for this time, and has no lowest rate. */
  allowPauses(ms: number): void {
    this.#limits = { ...this.#limits, bodyIdleTimeoutMs: ms, bodyBytesPerSecondMin: 0 }
  }

  /** @throws ClientBodyError */
  async collect(limitBytes: number): Promise<Collected> {
    await this.#until(() => this.#bytesReceived > limitBytes)
    const all = this.#chunks.whole
    this.#chunks = new PartList(all.length === 0 ? [] : [all])
    const complete = this.complete && all.length <= limitBytes
    return { bytes: complete ? all : all.subarray(0, limitBytes), complete }
  }

  async read(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean> {
    const parts = new PartsCursor(this.#chunks.parts, limitBytes, take)
    await parts.giveInTurns(this.owner)
    await this.#until(() => {
      parts.give(Infinity)
      return this.#bytesReceived > limitBytes
    })
    return this.complete && this.#bytesReceived <= limitBytes
  }

  async readAgain(limitBytes: number, take: (part: Uint8Array) => void): Promise<boolean> {
    await new PartsCursor(this.#chunks.parts, limitBytes, take).giveInTurns(this.owner)
    return this.complete && this.#bytesReceived <= limitBytes
  }

  /** `forOrigin` can be called again: all of the body is in memory. */
  get repeatable(): boolean {
    return !this.#streamed && this.complete
  }

  /**
   * The body for the origin: none, a buffer when it is already complete, or a stream.
   * @param onStalled the origin has taken nothing of the stream for `originStalledMs`
   */
  forOrigin(onStalled: () => void): Buffer | Readable | undefined {
    if (!this.#request.mayHaveBody) return undefined
    if (this.complete) return this.#chunks.whole
    this.#streamed = true
    return this.#stream(onStalled)
  }

  /**
   * Keeps the first parts by reference, independent of the further use of the body.
   * @returns the received parts. Later parts are added until the parts have `limitBytes` bytes
   */
  retain(limitBytes: number): readonly Buffer[] {
    const list = new PartList([...this.#chunks.parts])
    this.#retained = { list, bytesLeft: limitBytes - this.#bytesReceived }
    return list.parts
  }

  /** Ends `retain`: later parts are not kept. */
  release(): void {
    this.#retained = undefined
  }

  /** Reads and discards input, so that a client that is still sending receives the response. */
  async discard(limits: { readonly bytes: number; readonly ms: number }): Promise<void> {
    const stop = this.#bytesReceived + limits.bytes
    let late = false
    const timer = setTimeout(() => {
      late = true
      this.#waiting?.onData()
    }, limits.ms)
    await this.#until(() => {
      this.forget()
      return late || this.#bytesReceived > stop
    }).catch(() => {})
    clearTimeout(timer)
    this.forget()
  }

  /** Memory for the decoded form of this body. */
  newHolding(): BodyHolding {
    return this.#newHolding()
  }

  /** The request has ended. Frees the parts that are still in memory. */
  forget(): void {
    this.#chunks = new PartList()
    this.#held.giveBack()
  }

  /** The rest cannot be read, because the connection broke or its input is malformed. */
  fail(code: ClientBodyError['code']): void {
    if (this.#ended) return
    this.#finish(new ClientBodyError(code))
  }

  /** Resolves at the first chunk after which `enough` is true, or at the end of the body. */
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

  /** Streams one part at a time. Until the origin has taken it, the client is not read, and other parts stay counted. */
  #stream(onStalled: () => void): Readable {
    /** Bytes of the part that the origin's connection has not taken yet. */
    let bytesOnWay = 0
    let stalling: NodeJS.Timeout | undefined
    const watch = () => {
      if (stalling !== undefined) stalling.refresh()
      else stalling = setTimeout(() => bytesOnWay > 0 && onStalled(), this.#limits.originStalledMs)
    }
    const pushParts = () => {
      for (let part = this.#chunks.takeFirst(); part !== undefined; part = this.#chunks.takeFirst()) {
        bytesOnWay = part.length
        if (!stream.push(part)) {
          this.#pause()
          watch()
          return
        }
        taken()
      }
      if (this.#ended) stream.push(null)
    }
    const taken = () => {
      this.#held.giveBack(bytesOnWay)
      bytesOnWay = 0
    }
    const stream = new Readable({
      highWaterMark: 1,
      read: () => {
        if (this.#error !== undefined) {
          stream.destroy(this.#error)
          return
        }
        taken()
        pushParts()
        if (bytesOnWay === 0 && !this.#ended) this.#resume()
      },
      destroy: (error, done) => {
        clearTimeout(stalling)
        // Another reader may already have started.
        if (this.#waiting === waiting) {
          this.#waiting = undefined
          this.#pause()
        }
        done(error)
      },
    })
    const waiting = {
      onData: pushParts,
      onEnd: (error: ClientBodyError | undefined) => {
        this.#waiting = undefined
        if (error !== undefined) stream.destroy(error)
        else if (bytesOnWay === 0) stream.push(null)
      },
    }
    this.#waiting = waiting
    // A request that undici has given up no longer listens. The error is also kept here for all other readers.
    stream.on('error', () => {})
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
    // A body that is here is read without waiting for the client.
    if (!this.#request.complete) this.#watchClient()
    this.#request.resume()
  }

  #watchClient(): void {
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.fail('timeout'), this.#limits.bodyIdleTimeoutMs)
      this.#waitingSinceMs = performance.now()
    } else this.#timer.refresh()
  }

  #pause(): void {
    if (this.#attached && !this.#ended) this.#request.pause()
    this.#stopTimer()
  }

  #attach(): void {
    this.#attached = true
    this.#request.on('data', (chunk: Buffer) => {
      if (this.#ended) return
      this.#bytesReceived += chunk.length
      if (this.#bytesReceived > this.#bytesMax) {
        this.fail('too-long')
        return
      }
      const shortage = this.#held.take(chunk.length)
      if (shortage !== undefined) {
        this.fail(shortage)
        return
      }
      this.#timer?.refresh()
      this.#chunks.add(chunk)
      if (this.#isTooSlow(chunk.length)) {
        this.fail('timeout')
        return
      }
      if (this.#retained !== undefined && this.#retained.bytesLeft > 0) {
        this.#retained.list.add(chunk)
        this.#retained.bytesLeft -= chunk.length
      }
      this.#waiting?.onData()
    })
    this.#request.on('end', () => this.#finish(undefined))
    this.#request.on('close', () => this.fail('aborted'))
  }

  /** Early bytes earn no time for later ones: a client can catch up, but never get ahead. */
  #isTooSlow(bytes: number): boolean {
    if (this.#timer === undefined) return false
    const { bodyGraceMs, bodyBytesPerSecondMin } = this.#limits
    const waitedMs = this.#waitedMs + performance.now() - this.#waitingSinceMs
    const forChunkMs = waitedMs - this.#waitedUntilChunkMs
    this.#waitedUntilChunkMs = waitedMs
    this.#behindMs = Math.max(0, this.#behindMs + forChunkMs - (bytes / bodyBytesPerSecondMin) * 1000)
    return this.#behindMs > bodyGraceMs
  }

  #finish(error: ClientBodyError | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#error = error
    this.#stopTimer()
    this.#waiting?.onEnd(error)
  }

  #stopTimer(): void {
    if (this.#timer === undefined) return
    this.#waitedMs += performance.now() - this.#waitingSinceMs
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
