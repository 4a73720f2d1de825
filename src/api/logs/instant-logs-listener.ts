import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket } from 'ws'
import type { InstantEnd, InstantListener } from '../../logpush/index.ts'
import type { InstantSession } from '../../model/resource.ts'
import { instantSocketLimits } from './limits.ts'

/** Close codes (RFC 6455 section 7.4.1) and reasons. */
const farewells: Readonly<Record<InstantEnd | 'talks', readonly [code: number, text: string]>> = {
  age: [1000, 'the session is over after 60 minutes'],
  gone: [1000, 'the session is over'],
  stopped: [1001, 'the server stops'],
  talks: [1008, 'too many messages'],
}

/**
 * One WebSocket connection that listens to a session. A slow connection loses lines. Their number is in the data of
 * pings and in the close reason, where it does not disturb parsers of log lines.
 */
export class SocketListener implements InstantListener {
  readonly #session: InstantSession
  readonly #log: FastifyBaseLogger
  readonly #whenClosed: (() => void)[] = []
  /** Lines from before the connection opened. */
  #early: string[] = []
  #socket: WebSocket | undefined
  #isClosed = false
  #leftOut = 0
  /** Whether a reply arrived since the last ping. */
  #isAlive = true
  #messages = 0

  constructor(session: InstantSession, log: FastifyBaseLogger) {
    this.#session = session
    this.#log = log
  }

  open(socket: WebSocket): void {
    this.#socket = socket
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('message', () => this.#hear())
    socket.on('ping', () => this.#hear())
    // Such as a message that is too large; the connection is closed then.
    socket.on('error', error => this.#log.debug({ err: error }, 'instant logs: a connection failed'))
    socket.on('close', () => this.closed())
    for (const lines of this.#early) socket.send(lines)
    this.#early = []
  }

  waitingBytes(): number {
    return this.#socket?.bufferedAmount ?? 0
  }

  send(lines: string): void {
    if (this.#socket === undefined) this.#early.push(lines)
    else this.#socket.send(lines)
  }

  leaveOut(lines: number): void {
    this.#leftOut += lines
  }

  end(reason: InstantEnd): void {
    void this.close(reason)
  }

  /** Asks whether the listener is there; hangs up on one that did not answer the last time. */
  ping(): void {
    if (this.#isAlive) this.#socket?.ping(this.#leftOut === 0 ? '' : String(this.#leftOut))
    else this.#socket?.terminate()
    this.#isAlive = false
  }

  /** Says goodbye; resolves when the connection is closed, which does not wait for the listener for long. */
  async close(reason: keyof typeof farewells): Promise<void> {
    const socket = this.#socket
    if (socket === undefined || this.#isClosed) return
    const [code, text] = farewells[reason]
    socket.close(code, this.#leftOut === 0 ? text : `${text}; ${leftOutText(this.#leftOut)}`)
    await new Promise<void>(resolve => {
      const timer = setTimeout(() => socket.terminate(), instantSocketLimits.farewellMs)
      this.whenClosed(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  whenClosed(call: () => void): void {
    this.#whenClosed.push(call)
  }

  /** The connection ended, or was never opened. */
  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const call of this.#whenClosed) call()
    if (this.#leftOut > 0)
      this.#log.warn(
        { zone: this.#session.zoneId, lines: this.#leftOut },
        'instant logs: a listener was too slow, and lines were dropped',
      )
  }

  /** Messages of a listener have no meaning; a few are ignored. */
  #hear(): void {
    this.#messages++
    if (this.#messages > instantSocketLimits.messagesMax) void this.close('talks')
  }
}

function leftOutText(lines: number): string {
  return `${lines} ${lines === 1 ? 'line was' : 'lines were'} left out, since they were taken too slowly`
}
