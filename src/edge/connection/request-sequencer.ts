import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { BodyHolding } from '../message/body-budget.ts'
import { PartList } from '../message/body-parts.ts'

/**
 * The part of node's HTTP parser that a sequencer replaces: node's server passes every head to `onIncoming`. It is not
 * documented, but unchanged since node 0.12. A connection without it is not served.
 */
interface Parser<Head extends IncomingMessage> {
  onIncoming(message: Upgradable<Head>, keepAlive: boolean): number
  resume(): void
  /** The packet in the parser. */
  getCurrentBuffer(): Buffer
}

/** `upgrade`: the request asks for another protocol. node's types omit it. */
type Upgradable<Head> = Head & { upgrade?: boolean }

/** Results of `onIncoming` for llhttp: continue, pause until `resume`, or stop. */
const goOn = 0
const pause = 21
const stop = -1

const headEnd = '\r\n\r\n'

/** node's report about a packet that the parser did not read to its end. */
export interface ParserStop {
  readonly code?: string
  /** Bytes of the packet that were parsed. */
  readonly bytesParsed?: number
  readonly rawPacket?: Buffer
}

/** @typeParam Head the server's class of requests */
export interface SequencerOwner<Head> {
  /** Checks a head before node handles it. False ends the parsing of this connection. */
  admits(message: Head): boolean
  /** The connection has to end with the current response. */
  cannotHold(): void
  /** Memory for input after the current request. */
  newHolding(): BodyHolding
  /** A request was not admitted. @param rest bytes after its head, in the same packet */
  refused(message: Head, rest: Buffer): void
}

/**
 * Passes the pipelined requests of one connection to node's server one at a time. node itself passes on all requests of a
 * packet at once. Here the parser pauses at the head of the second request until the first is answered, and stops after
 * a refused head.
 */
export class RequestSequencer<Head extends IncomingMessage> {
  readonly #socket: Socket
  readonly #owner: SequencerOwner<Head>
  readonly #parser: Parser<Head>
  readonly #passOn: Parser<Head>['onIncoming']
  readonly #waitingBytesMax: number
  #busy = false
  #closed = false
  /** The next request, and the bytes after its head once node has reported them. */
  #held:
    | {
        readonly message: Upgradable<Head>
        readonly keepAlive: boolean
        readonly rest: PartList
        readonly memory: BodyHolding
        bytes: number
        /** node has reported where the parser stopped. */
        stopped: boolean
      }
    | undefined
  /** The request that ended the parsing, until it is reported. */
  #refused: Head | undefined

  /** @param waitingBytesMax bytes of further requests */
  constructor(socket: Socket, owner: SequencerOwner<Head>, waitingBytesMax: number) {
    const { parser } = socket as Socket & { readonly parser?: Parser<Head> }
    if (typeof parser?.onIncoming !== 'function' || typeof parser.resume !== 'function')
      throw new Error('the HTTP server of this node version is not supported by the edge')
    this.#socket = socket
    this.#owner = owner
    this.#parser = parser
    this.#waitingBytesMax = waitingBytesMax
    this.#passOn = parser.onIncoming
    socket.once('close', () => this.close())
    parser.onIncoming = (message, keepAlive) => {
      if (this.#closed) return stop
      if (!this.#busy) return this.#letIn(message, keepAlive)
      if (message.upgrade) {
        // For such a head, node does not report where it stopped. The client retries (RFC 9112 9.3.2).
        message.upgrade = false
        owner.cannotHold()
        this.close()
        return stop
      }
      const memory = owner.newHolding()
      this.#held = { message, keepAlive, rest: new PartList(), memory, bytes: 0, stopped: false }
      return pause
    }
  }

  /**
   * Handles node's report that the parser has stopped. The connection is still read, so that its end is noticed.
   * @returns false for a real error, or when there is no memory for input after the current request
   */
  stopped({ bytesParsed = 0, rawPacket = Buffer.alloc(0) }: ParserStop): boolean {
    const message = this.#refused
    if (message !== undefined) {
      this.#refused = undefined
      this.#owner.refused(message, rawPacket.subarray(bytesParsed))
      return true
    }
    const held = this.#held
    if (held === undefined) return false
    // The current response is the last.
    if (!this.#socket.writable) return true
    // While the parser is paused, nothing of a packet is parsed, although node reports otherwise.
    const part = held.stopped ? rawPacket : rawPacket.subarray(bytesParsed)
    held.stopped = true
    held.bytes += part.length
    if (held.bytes > this.#waitingBytesMax || held.memory.take(part.length) !== undefined) {
      this.#letGo()
      return false
    }
    held.rest.add(part)
    return true
  }

  /** Admits no further request. */
  close(): void {
    this.#closed = true
    this.#letGo()
  }

  #letGo(): void {
    this.#held?.memory.giveBack()
    this.#held = undefined
  }

  /** The admitted request has its response. The next one follows, unless the connection ends. */
  release(): void {
    this.#busy = false
    const held = this.#held
    if (held === undefined || !this.#socket.writable) return
    if (this.#socket.writableNeedDrain) {
      this.#socket.once('drain', () => this.release())
      return
    }
    const rest = held.rest.whole
    this.#letGo()
    if (this.#letIn(held.message, held.keepAlive) === stop) {
      this.#refused = undefined
      this.#owner.refused(held.message, rest)
      return
    }
    this.#parser.resume()
    // Passed to node's own listener as new input. May be empty: the parser still has to end a request without a body.
    this.#socket.emit('data', rest)
  }

  #letIn(message: Upgradable<Head>, keepAlive: boolean): number {
    if (!this.#owner.admits(message)) {
      this.#closed = true
      this.#refused = message
      // For upgrades, node reports no error.
      if (message.upgrade) {
        message.upgrade = false
        process.nextTick(() => this.stopped({}))
      }
      return stop
    }
    this.#busy = true
    const asksForUpgrade = message.upgrade === true
    this.#passOn.call(this.#parser, message, keepAlive)
    if (asksForUpgrade && !message.upgrade && !this.#endsWithPacket(message)) {
      this.#owner.cannotHold()
      this.close()
    }
    return goOn
  }

  /**
   * After a request whose upgrade is refused, node silently discards the rest of the packet.
   * @returns whether that rest is certainly empty: no body, and the first end of a head is the end of the packet
   */
  #endsWithPacket({ headers }: Head): boolean {
    if ((headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined) return false
    const packet = this.#parser.getCurrentBuffer()
    const end = packet.indexOf(headEnd)
    return end >= 0 && end === packet.length - headEnd.length
  }
}
