import { call, describeCall, send } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import type { InstantSession } from '../../api/types.ts'
import { liveFields } from './columns.ts'
import { addOwnSession, isOwnSession } from './own-sessions.ts'

export interface Wish {
  /** Filter as JSON text, in Logpush's form; empty matches every record. */
  readonly filter: string
  /** Delivers one record in this many. */
  readonly sample: number
}

export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Reconnects automatically. */
  | { readonly kind: 'waiting'; readonly why: string }
  /** Another session of the zone is active with other settings; a zone has one session. */
  | { readonly kind: 'taken'; readonly session: InstantSession }
  | { readonly kind: 'failed'; readonly error: unknown }

interface Events {
  onMessage(text: string): void
  onState(state: StreamState): void
}

const jobsKey = 'GET /zones/{zone_id}/logpush/edge/jobs'
const endKey = 'DELETE /zones/{zone_id}/logpush/edge/jobs'
const retryMs = 3000
/** Error code for a second session. */
const sessionActive = 1004
/** Ends sessions in order: the next one starts after the previous one ended. */
let ending: Promise<unknown> = Promise.resolve()

/**
 * Streams the lines of a zone until stopped: joins a session with the same settings or creates one, and
 * reconnects when the connection ends.
 */
export class Stream {
  readonly #zoneId: string
  readonly #wish: Wish
  readonly #events: Events
  #socket: WebSocket | undefined
  #session: InstantSession | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopped = false

  constructor(zoneId: string, wish: Wish, events: Events) {
    this.#zoneId = zoneId
    this.#wish = wish
    this.#events = events
    addEventListener('pagehide', this.#leave)
  }

  /** @param takeOver ends the session of another user */
  async start(takeOver = false): Promise<void> {
    this.#tell({ kind: 'connecting' })
    try {
      const session = await this.#wanted(takeOver)
      if (session !== undefined && !this.#stopped) this.listen(session)
    } catch (error) {
      if (isTemporary(error)) this.#comeBack(error.message)
      else this.#tell({ kind: 'failed', error })
    }
  }

  /** Joins the active session, regardless of its filter. */
  listen(session: InstantSession): void {
    this.#session = session
    const socket = new WebSocket(addressOf(session))
    this.#socket = socket
    socket.onopen = () => this.#tell({ kind: 'live' })
    socket.onmessage = ({ data }) => {
      if (!this.#stopped && typeof data === 'string') this.#events.onMessage(data)
    }
    socket.onclose = ({ reason }) => this.#comeBack(reason || 'the connection ended')
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#socket?.close()
    removeEventListener('pagehide', this.#leave)
    this.#leave()
  }

  /** Ends this tab's session, so that the next one need not wait for its expiry. */
  readonly #leave = (): void => {
    if (this.#session === undefined || !isOwnSession(this.#session.session_id)) return
    const end = describeCall(endKey, { path: { zone_id: this.#zoneId } })
    ending = send({ ...end, outlivesPage: true }).catch(() => undefined)
  }

  /** @returns undefined when another user's session with other settings is active */
  async #wanted(takeOver: boolean): Promise<InstantSession | undefined> {
    await ending
    const path = { zone_id: this.#zoneId }
    const [present] = await call(jobsKey, { path })
    if (present !== undefined) {
      if (this.#isWished(present)) return present
      if (!takeOver && !isOwnSession(present.session_id)) {
        this.#tell({ kind: 'taken', session: present })
        return undefined
      }
      await call(endKey, { path })
    }
    const body = { fields: liveFields, kind: 'instant-logs' as const, ...this.#wish }
    const made = await call('POST /zones/{zone_id}/logpush/edge/jobs', { path, body })
    addOwnSession(made.session_id)
    return made
  }

  #isWished({ fields, filter, sample }: InstantSession): boolean {
    return fields === liveFields && filter === this.#wish.filter && sample === this.#wish.sample
  }

  #comeBack(why: string): void {
    if (this.#stopped) return
    this.#tell({ kind: 'waiting', why })
    this.#timer = setTimeout(() => void this.start(), retryMs)
  }

  #tell(state: StreamState): void {
    if (!this.#stopped) this.#events.onState(state)
  }
}

/** Sluice is unreachable, or another user created a session at the same time. */
function isTemporary(error: unknown): error is ApiFailure {
  return (
    error instanceof ApiFailure && (error.status === 0 || error.status >= 500 || error.code === sessionActive)
  )
}

/** Uses the host of this page: behind a proxy, Sluice may not know its public name. */
function addressOf({ destination_conf }: InstantSession): string {
  const { pathname } = new URL(destination_conf)
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${pathname}`
}
