import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Connect } from './connector.ts'

/** undici accepts `servername`, but its types omit it. */
export interface OriginRequest extends Omit<Dispatcher.DispatchOptions, 'origin'> {
  readonly servername?: string
  readonly connectTimeoutMs: number
  readonly http2: 'required' | 'if-offered' | 'never'
  /** The connection of an earlier attempt was dead. */
  readonly isRepeat: boolean
  /** False once the client does not need the response any more. */
  isWanted(): boolean
}

/** Takes the response to one request. */
export interface OriginHandler extends Dispatcher.DispatchHandler {
  /** @param controller undefined when the request was not begun */
  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void
}

/** The newest request of a client. One client has one connection, and one request at a time. */
interface Latest {
  request?: OriginRequest
}

class OriginClient extends Client {
  readonly #latest: Latest

  constructor(url: URL, options: Client.Options, latest: Latest) {
    super(url, options)
    this.#latest = latest
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#latest.request = request as unknown as OriginRequest
    return super.dispatch(request, handler)
  }
}

/**
 * A connection to an origin, opened only for a request that is wanted. undici itself opens a new connection when it aborts
 * a request, so clients that leave would make one connection more each.
 */
export function newOriginClient(url: URL, options: object, connect: Connect): Client {
  const latest: Latest = {}
  const connectIfWanted: buildConnector.connector = (wanted, done) => {
    const { request } = latest
    if (request?.isWanted()) connect(wanted, request.connectTimeoutMs, done)
    else setImmediate(done, new Error('the client has left'), null)
  }
  return new OriginClient(url, { ...options, connect: connectIfWanted }, latest)
}
