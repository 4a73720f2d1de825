import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import {
  type Broker,
  type Callback,
  type Connection,
  kGetBootstrapConnection,
  kGetConnection,
  MultipleErrors,
  NetworkError,
  Producer,
  type ProducerOptions,
} from '@platformatic/kafka'
import { type AddressPolicy, addressProblem, guardedLookup } from '../../../outgoing/index.ts'
import { connectFailure } from '../outgoing-connect.ts'

type Options = ProducerOptions<Buffer, Buffer, Buffer, Buffer>

/**
 * A producer that connects only to allowed addresses. Brokers name each other, so each one is checked, not only those
 * of the destination. Without TLS a name is replaced by its address, so that the checked address is the one connected
 * to. With TLS the name is needed, and the client uses the guarded lookup.
 */
export class GuardedProducer extends Producer {
  readonly #policy: AddressPolicy
  readonly #tls: boolean
  readonly #brokers: readonly Broker[]
  #connected = false

  constructor(
    options: Options & { readonly bootstrapBrokers: Broker[] },
    tls: boolean,
    policy: AddressPolicy,
  ) {
    super({ ...options, ...(tls ? { tls: { lookup: guardedLookup(policy) } } : {}) })
    this.#policy = policy
    this.#tls = tls
    this.#brokers = options.bootstrapBrokers
    // A failed connection may fail again when it closes, and an unhandled error ends the process.
    this.connections.on('connecting', ({ connection }) => connection.on('error', () => {}))
    this.connections.once('connect', () => {
      this.#connected = true
    })
  }

  /** Whether any broker has accepted a connection. */
  get connected(): boolean {
    return this.#connected
  }

  override [kGetConnection](broker: Broker, callback: Callback<Connection>): void {
    const connect = (one: Broker, done: Callback<Connection>) => super[kGetConnection](one, done)
    // The client reports a broker that is missing in the metadata.
    const host = broker?.host
    const isAddress = host !== undefined && isIP(host) !== 0
    const refused = isAddress ? addressProblem(host, host, this.#policy) : undefined
    if (refused !== undefined) callback(permanent(connectFailure(broker, 'connect', refused)))
    else if (host === undefined || isAddress || this.#tls) connect(broker, callback)
    else
      guardedLookup(this.#policy)(host, { all: true }, (error, addresses) => {
        const brokers = (addresses as LookupAddress[]).map(({ address }) => ({ ...broker, host: address }))
        if (error === null) firstConnection(brokers, connect, callback)
        else callback(permanent(connectFailure(broker, 'resolve name', error)))
      })
  }

  override [kGetBootstrapConnection](callback: Callback<Connection>, attempt = 0): void {
    const from = attempt % this.#brokers.length
    const brokers = [...this.#brokers.slice(from), ...this.#brokers.slice(0, from)]
    firstConnection(brokers, (broker, done) => this[kGetConnection](broker, done), callback)
  }
}

/** Tries one broker after the other. */
function firstConnection(
  brokers: readonly Broker[],
  connect: (broker: Broker, done: Callback<Connection>) => void,
  callback: Callback<Connection>,
  errors: readonly Error[] = [],
): void {
  const [broker, ...others] = brokers
  if (broker === undefined) callback(new MultipleErrors('Cannot connect to any broker.', [...errors]))
  else
    connect(broker, (error, connection) => {
      if (error === null) callback(null, connection)
      else firstConnection(others, connect, callback, [...errors, error])
    })
}

/** The client inspects its own errors only. */
function permanent(cause: Error): Error {
  return new NetworkError(cause.message, { canRetry: false, cause })
}
