import { Client, type Dispatcher } from 'undici'

/** undici accepts `servername`, but its types omit it. */
export interface OriginRequest extends Omit<Dispatcher.DispatchOptions, 'origin'> {
  readonly servername?: string
  /** False once the client does not need the response any more. */
  isWanted(): boolean
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
 * @param options with a function as `connect`
 */
export function newOriginClient(url: URL, options: object): Client {
  const latest: Latest = {}
  const { connect, ...others } = options as Client.Options
  if (typeof connect !== 'function') throw new TypeError('connect must be a function')
  const connectIfWanted: typeof connect = (wanted, done) => {
    if (latest.request?.isWanted() !== false) connect(wanted, done)
    else setImmediate(done, new Error('the client has left'), null)
  }
  return new OriginClient(url, { ...others, connect: connectIfWanted }, latest)
}
