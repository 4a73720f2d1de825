import { call, describeCall, send } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import type { InstantSession } from '../../api/types.ts'
import { liveFields } from './columns.ts'
import { addOwnSession, isOwnSession } from './own-sessions.ts'

export interface Wish {
  /** JSON text as log push has it; empty keeps everything. */
  readonly filter: string
  /** One record in so many. */
  readonly sample: number
}

export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Tries again by itself. */
  | { readonly kind: 'waiting'; readonly why: string }
  /** Somebody looks at other lines of this zone; it has one session. */
  | { readonly kind: 'taken'; readonly session: InstantSession }
  | { readonly kind: 'failed'; readonly error: unknown }

interface Events {
  onMessage(text: string): void
  onState(state: StreamState): void
}

const jobsKey = 'GET /zones/{zone_id}/logpush/edge/jobs'
const endKey = 'DELETE /zones/{zone_id}/logpush/edge/jobs'
const retryMs = 3000
/** Code of the refusal of a second session. */
const sessionActive = 1004
/** The end of a session that nobody needs any more; the next one begins behind it. */
let ending: Promise<unknown> = Promise.resolve()

/**
 * Listens to the lines of a zone until it is stopped: joins the session that asks for the same, else makes one, and
 * comes back when the connection ends.
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

  /** @param takeOver ends the session of somebody else */
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

  /** To a session that is there, whatever its filter. */
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

  /** Ends a session of one's own, so that the next one, perhaps of somebody else, need not wait until it is forgotten. */
  readonly #leave = (): void => {
    if (this.#session === undefined || !isOwnSession(this.#session.session_id)) return
    const end = describeCall(endKey, { path: { zone_id: this.#zoneId } })
    ending = send({ ...end, outlivesPage: true }).catch(() => undefined)
  }

  /** @returns undefined when the session that is there is somebody else’s, and asks for other lines */
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

/** Sluice is away, or somebody made a session in this moment. */
function isTemporary(error: unknown): error is ApiFailure {
  return (
    error instanceof ApiFailure && (error.status === 0 || error.status >= 500 || error.code === sessionActive)
  )
}

/** At the address that this page came from, which a proxy in between may know under another name than Sluice does. */
function addressOf({ destination_conf }: InstantSession): string {
  const { pathname } = new URL(destination_conf)
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${pathname}`
}
