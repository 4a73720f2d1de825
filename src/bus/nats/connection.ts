import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
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
  type StreamInfo,
} from '@nats-io/jetstream'
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nanos,
  type TlsOptions,
} from '@nats-io/transport-node'
import { newId } from '../../kit/ids.ts'
import { RecordLogError } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { LogPolicy } from '../policy.ts'

export interface NatsOptions {
  /** A credentials file. */
  readonly credentials: string | undefined
  /**
   * A file with the certificate of the authority that signs the servers' certificates; with it the connection uses
   * TLS.
   */
  readonly ca: string | undefined
  readonly stream: string
  readonly subject: string
  /** Quota of a stream that Sluice creates. */
  readonly replicas: number
  /** How long a stream that Sluice creates remembers ids of messages. */
  readonly duplicateMs: number
  /**
   * Id of the installation, 12 hex digits: a stream that another installation created is refused. Undefined: not
   * checked.
   */
  readonly owner: string | undefined
}

export const usualOptions: NatsOptions = {
  credentials: undefined,
  ca: undefined,
  stream: 'SLUICE_RECORDS',
  subject: 'sluice.records',
  replicas: 1,
  duplicateMs: 10 * 60_000,
  owner: undefined,
}

export interface JetStream {
  readonly options: NatsOptions
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** The current stream; created (again) when it is absent. */
  readonly stream: () => Promise<StreamInfo>
}

/**
 * Connects permanently: a lost connection is re-established, however long that takes.
 * @param policy of a stream that has to be created
 * @throws RecordLogError `unavailable` when the server does not answer or has no JetStream, and when the stream
 *   belongs to another installation
 */
export async function openJetStream(
  url: string,
  policy: LogPolicy,
  options: NatsOptions,
): Promise<JetStream> {
  let connection: NatsConnection | undefined
  try {
    connection = await connect(await connectionOptions(url, options))
    const manager = await jetstreamManager(connection)
    refuseForeign(await ensureStream(manager, policy, options), options)
    const stream = async () =>
      (await streamInfo(manager, options.stream)) ?? (await remadeStream(manager, policy, options))
    return { options, connection, manager, client: jetstream(connection), stream }
  } catch (error) {
    await connection?.close()
    throw unavailable('the NATS server cannot be used', error)
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

function discardOf({ full }: LogPolicy): DiscardPolicy {
  return full === 'refuse-requests' ? DiscardPolicy.New : DiscardPolicy.Old
}

/**
 * A server may still be removing the files of a deleted stream, and then removes those of a new one of the same name
 * too: acknowledged messages become unreadable.
 */
async function remadeStream(
  manager: JetStreamManager,
  policy: LogPolicy,
  options: NatsOptions,
): Promise<StreamInfo> {
  await sleep(busLimits.natsRemakeMs)
  return ensureStream(manager, policy, options)
}

/**
 * Sets the stream's discard policy to match `full`; writers call this, because they meet the limit. A stream that
 * Sluice did not create is changed only where records would be lost otherwise.
 * @throws RecordLogError `unavailable` when the stream cannot be changed
 */
export async function setDiscard(
  { manager }: JetStream,
  { config }: StreamInfo,
  policy: LogPolicy,
): Promise<void> {
  const discard = discardOf(policy)
  const ours = config.description?.startsWith(madeBy) === true
  if (config.discard === discard || (!ours && policy.full === 'drop-oldest')) return
  try {
    await manager.streams.update(config.name, { ...config, discard })
  } catch (error) {
    throw unavailable(
      `the stream ${config.name} cannot be set to discard ${discard} messages when it is full; set its discard to ${discard}, or allow the user $JS.API.STREAM.UPDATE.${config.name}`,
      error,
    )
  }
}

/**
 * An existing stream is left as its owner set it up: replicas and limits are the owner's choice. A stream that Sluice
 * creates has a quota and no age, because the server does not know which messages are delivered.
 */
async function ensureStream(
  manager: JetStreamManager,
  policy: LogPolicy,
  options: NatsOptions,
): Promise<StreamInfo> {
  const known = await streamInfo(manager, options.stream)
  if (known !== undefined) return known
  try {
    return await manager.streams.add({
      name: options.stream,
      subjects: [options.subject],
      ...(options.owner === undefined ? {} : { description: `${madeBy}${options.owner}` }),
      num_replicas: options.replicas,
      duplicate_window: nanos(options.duplicateMs),
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: discardOf(policy),
      max_bytes: policy.bytes,
    })
  } catch (error) {
    // Another process may have created it meanwhile.
    const made = await streamInfo(manager, options.stream)
    if (made === undefined) throw error
    return made
  }
}

/** Part of the description of a stream that Sluice created, before the id of the installation. */
const madeBy = 'Log records of the Sluice installation '

/** Two installations on one stream would each remove records that the other has not delivered. */
function refuseForeign({ config }: StreamInfo, { owner, stream }: NatsOptions): void {
  const maker = config.description?.startsWith(madeBy)
    ? config.description.slice(madeBy.length, madeBy.length + idDigits)
    : undefined
  if (maker === undefined || owner === undefined || maker === owner) return
  throw new RecordLogError(
    'unavailable',
    `the NATS stream ${stream} was created by another installation (${maker}; this one, by its database, is ${owner}): give all processes of one installation the same SLUICE_DATABASE_URL, and each installation its own SLUICE_NATS_STREAM and SLUICE_NATS_SUBJECT. If the database was created again, remove the stream`,
  )
}

const idDigits = 12

async function streamInfo(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
      return undefined
    throw error
  }
}

/** Notes in a stream's description that it lost its end, and the time of the last loss. */
const renewedMark = /\(renewed ([0-9a-f]{8})\)$/

/** Epoch of the log in a stream: it changes when the stream is created again, or has lost its end. */
export function streamEpoch({ created, config }: Pick<StreamInfo, 'created' | 'config'>): string {
  const renewed = renewedMark.exec(config.description ?? '')?.[1] ?? ''
  return digest(`${created} ${renewed}`)
}

/**
 * Gives a stream that has lost its end a new epoch. The mark is derived from the old epoch, so that readers who find
 * the loss at the same time write the same one. A later reader has nothing left to do.
 * @param epoch of the log that was inspected
 * @throws the server's answer when the user may not change the stream
 */
export async function renewStream(manager: JetStreamManager, name: string, epoch: string): Promise<void> {
  const stream = await manager.streams.info(name)
  if (streamEpoch(stream) !== epoch) return
  const { config } = stream
  const before = (config.description ?? 'Log records of Sluice').replace(renewedMark, '').trimEnd()
  const description = `${before} (renewed ${digest(`after ${epoch}`)})`
  await manager.streams.update(name, { ...config, description })
}

/** Eight hex digits. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/**
 * Removes the messages before a sequence, unless another stream has replaced the one that was inspected: its messages
 * with these numbers are others.
 */
export async function purgeBefore(
  { manager, options: { stream } }: JetStream,
  inspected: Pick<StreamInfo, 'created' | 'config'>,
  sequence: number,
): Promise<void> {
  if (streamEpoch(await manager.streams.info(stream)) !== streamEpoch(inspected)) return
  await manager.streams.purge(stream, { seq: sequence })
}

/** Where a consumer starts. */
export type ConsumerStart =
  | { readonly deliver_policy: typeof DeliverPolicy.StartSequence; readonly opt_start_seq: number }
  | { readonly deliver_policy: typeof DeliverPolicy.StartTime; readonly opt_start_time: string }

/** A reader's private consumer: without acknowledgements, removed after five idle minutes. */
export async function addConsumer(
  { manager, client, options: { stream } }: JetStream,
  start: ConsumerStart,
): Promise<Consumer> {
  const name = `sluice_${newId()}`
  await manager.consumers.add(stream, {
    name,
    ack_policy: AckPolicy.None,
    ...start,
    inactive_threshold: nanos(5 * 60_000),
    mem_storage: true,
    num_replicas: 1,
  })
  return client.consumers.get(stream, name)
}

export function unavailable(message: string, cause: unknown): RecordLogError {
  if (cause instanceof RecordLogError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new RecordLogError('unavailable', `${message}: ${reason}`, { cause })
}
