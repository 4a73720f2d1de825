import {
  AckPolicy,
  type Consumer,
  type DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { type ConnectionOptions, connect, type NatsConnection, nanos } from '@nats-io/transport-node'
import { newId } from '../../kit/ids.ts'
import { busLimits } from '../../kit/limits.ts'
import { RecordLogError } from '../faults.ts'

export const streamName = 'SLUICE_RECORDS'
export const streamSubject = 'sluice.records'

export interface JetStream {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
}

/**
 * Connects, for good: a lost connection is taken up again, however long that takes.
 * @param bytesMax of a stream that has to be made
 * @throws RecordLogError `unavailable` when the server does not answer now or has no JetStream
 */
export async function openJetStream(url: string, bytesMax: number): Promise<JetStream> {
  let connection: NatsConnection | undefined
  try {
    connection = await connect(optionsOf(url))
    const manager = await jetstreamManager(connection)
    await ensureStream(manager, bytesMax)
    return { connection, manager, client: jetstream(connection) }
  } catch (error) {
    await connection?.close()
    throw unavailable('the NATS server cannot be used', error)
  }
}

/** Several servers are separated by commas. The client wants credentials beside the addresses. */
function optionsOf(url: string): ConnectionOptions {
  const urls = url.split(',').map(server => new URL(server.trim()))
  const { username, password, protocol } = urls[0]!
  return {
    servers: urls.map(server => server.host),
    name: 'sluice',
    maxReconnectAttempts: -1,
    reconnectTimeWait: busLimits.retryMs,
    pingInterval: 20_000,
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    ...credentials(decodeURIComponent(username), decodeURIComponent(password)),
  }
}

function credentials(user: string, pass: string): Pick<ConnectionOptions, 'user' | 'pass' | 'token'> {
  if (user === '') return {}
  return pass === '' ? { token: user } : { user, pass }
}

/**
 * A stream that is there stays as its owner set it up: replicas and limits are theirs to choose. One that is made has a
 * quota and no age, since the server does not know which messages are delivered.
 */
async function ensureStream(manager: JetStreamManager, bytesMax: number): Promise<void> {
  if (await streamExists(manager)) return
  try {
    await manager.streams.add({
      name: streamName,
      subjects: [streamSubject],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_bytes: bytesMax,
    })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await streamExists(manager))) throw error
  }
}

async function streamExists(manager: JetStreamManager): Promise<boolean> {
  try {
    await manager.streams.info(streamName)
    return true
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return false
    throw error
  }
}

/** Where a consumer starts. */
export type ConsumerStart =
  | { readonly deliver_policy: typeof DeliverPolicy.StartSequence; readonly opt_start_seq: number }
  | { readonly deliver_policy: typeof DeliverPolicy.StartTime; readonly opt_start_time: string }

/** A reader's own consumer: nothing to acknowledge, gone after five idle minutes. */
export async function addConsumer({ manager, client }: JetStream, start: ConsumerStart): Promise<Consumer> {
  const name = `sluice_${newId()}`
  await manager.consumers.add(streamName, {
    name,
    ack_policy: AckPolicy.None,
    ...start,
    inactive_threshold: nanos(5 * 60_000),
    mem_storage: true,
    num_replicas: 1,
  })
  return client.consumers.get(streamName, name)
}

export function unavailable(message: string, cause: unknown): RecordLogError {
  if (cause instanceof RecordLogError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new RecordLogError('unavailable', `${message}: ${reason}`, { cause })
}
