import { readFile } from 'node:fs/promises'
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type TlsOptions,
} from '@nats-io/transport-node'
import { RecordLogError, reasonOf } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { NatsOptions } from './options.ts'

/** A connection with JetStream. */
export interface Connected {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
}

/**
 * The connection of a process to the NATS servers. The first use makes it, and it is permanent from then on: the client
 * re-establishes it, however long that takes. A first attempt that fails is repeated by the next use.
 */
export class Link {
  readonly #url: string
  readonly #options: NatsOptions
  #connecting: Promise<Connected> | undefined

  /** @param url `nats://user:password@host:port` or `tls://…`; several servers separated by commas */
  constructor(url: string, options: NatsOptions) {
    this.#url = url
    this.#options = options
  }

  /** @throws RecordLogError `unavailable` when the server does not answer or has no JetStream */
  connected(): Promise<Connected> {
    this.#connecting ??= this.#connect().catch(error => {
      this.#connecting = undefined
      throw unavailable('the NATS server cannot be used', error)
    })
    return this.#connecting
  }

  /** Never rejects. A server that is silent has a moment to take what is under way. */
  async close(): Promise<void> {
    const connected = await this.#connecting?.catch(() => undefined)
    if (connected === undefined) return
    const { connection } = connected
    const drained = connection.drain().catch(() => {})
    await Promise.race([drained, new Promise(resolve => setTimeout(resolve, busLimits.drainMs).unref())])
    await connection.close()
  }

  async #connect(): Promise<Connected> {
    const connection = await connect(await connectionOptions(this.#url, this.#options))
    try {
      return { connection, client: jetstream(connection), manager: await jetstreamManager(connection) }
    } catch (error) {
      await connection.close()
      throw error
    }
  }
}

/** Several servers are separated by commas. The client takes the credentials apart from the addresses, one for all. */
async function connectionOptions(url: string, options: NatsOptions): Promise<ConnectionOptions> {
  const urls = url.split(',').map(server => new URL(server.trim()))
  const { username, password } = urls.find(url => url.username !== '') ?? urls[0]!
  const isSecure = urls.some(({ protocol }) => protocol === 'tls:') || options.ca !== undefined
  return {
    servers: urls.map(server => server.host),
    name: 'sluice',
    maxReconnectAttempts: -1,
    reconnectTimeWait: busLimits.retryMs,
    pingInterval: 20_000,
    ...(isSecure ? { tls: await tlsOptions(options) } : {}),
    ...(options.credentials === undefined
      ? credentials(decodeURIComponent(username), decodeURIComponent(password))
      : { authenticator: credsAuthenticator(await readFile(options.credentials)) }),
  }
}

/** Read here, so that an unreadable file is reported. */
async function tlsOptions({ ca }: NatsOptions): Promise<TlsOptions> {
  return ca === undefined ? {} : { ca: await readFile(ca, 'utf8') }
}

function credentials(user: string, pass: string): Pick<ConnectionOptions, 'user' | 'pass' | 'token'> {
  if (user === '') return {}
  return pass === '' ? { token: user } : { user, pass }
}

export function unavailable(message: string, cause: unknown): RecordLogError {
  if (cause instanceof RecordLogError) return cause
  return new RecordLogError('unavailable', `${message}: ${reasonOf(cause)}`, { cause })
}
