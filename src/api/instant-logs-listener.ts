import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket } from 'ws'
import { instantLimits } from '../kit/limits.ts'
import type { InstantEnd, InstantListener } from '../logpush/index.ts'
import type { InstantSession } from '../model/resource.ts'

/** Why a connection ends: RFC 6455 section 7.4.1, and words. */
const farewells: Readonly<Record<InstantEnd | 'talks', readonly [code: number, text: string]>> = {
  age: [1000, 'the session is over after 60 minutes'],
  gone: [1000, 'the session is over'],
  stopped: [1001, 'the server stops'],
  talks: [1008, 'nothing is expected from listeners'],
}

/**
 * One WebSocket connection that listens to a session. Lines that it is too slow for are left out; it is told how many in
 * the data of pings and in the reason of the close, where no parser of log lines stumbles over it.
 */
export class SocketListener implements InstantListener {
  readonly #session: InstantSession
  readonly #log: FastifyBaseLogger
  readonly #whenClosed: (() => void)[] = []
  /** Lines that came before the connection was open. */
  #early: string[] = []
  #socket: WebSocket | undefined
  #isClosed = false
  #leftOut = 0
  /** Has it shown since the last ping that it is there? */
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
    // Such as a message that is too large; the connection is closed behind it.
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
      const timer = setTimeout(() => socket.terminate(), instantLimits.farewellMs)
      this.whenClosed(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  whenClosed(call: () => void): void {
    this.#whenClosed.push(call)
  }

  /** The connection is gone, or never came to be. */
  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const call of this.#whenClosed) call()
    if (this.#leftOut > 0)
      this.#log.warn(
        { zone: this.#session.zoneId, lines: this.#leftOut },
        'instant logs: a listener was too slow, and lines were left out',
      )
  }

  /** A listener has nothing to say; what little it does say is ignored. */
  #hear(): void {
    this.#messages++
    if (this.#messages > instantLimits.messagesMax) void this.close('talks')
  }
}

function leftOutText(lines: number): string {
  return `${lines} ${lines === 1 ? 'line was' : 'lines were'} left out, since they were taken too slowly`
}
