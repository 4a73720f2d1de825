import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AckPolicy,
  type Consumer,
  type DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { newId } from '../../kit/ids.ts'
import { RecordLogError } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { LogPolicy } from '../policy.ts'
import { type Connected, type Link, unavailable } from './connection.ts'
import type { NatsOptions } from './options.ts'

/** A JetStream stream with log records. */
export interface Stream {
  readonly name: string
  /** @throws RecordLogError `unavailable` */
  connected(): Promise<Connected>
  /**
   * The stream as it is now; undefined when it does not exist.
   * @throws RecordLogError `unavailable`, also when the stream belongs to another installation or to another number of
   *   partitions
   */
  info(): Promise<StreamInfo | undefined>
}

/** The stream of one partition. */
export interface PartitionStream extends Stream {
  /** As `info`; it is created (again) when it does not exist. Only forwarders create streams. */
  made(): Promise<StreamInfo>
}

/** @param number of the partition, from 1 */
export function partitionStream(
  link: Link,
  policy: LogPolicy,
  options: NatsOptions,
  number: number,
): PartitionStream {
  const stream = streamNamed(link, `${options.stream}_${number}`, info => requireOwn(info, options))
  return {
    ...stream,
    async made() {
      const known = await stream.info()
      const { manager } = await link.connected()
      if (known !== undefined) return named(manager, known)
      try {
        const info = await madeStream(manager, configOf(stream.name, number, policy, options))
        requireOwn(info, options)
        return info
      } catch (error) {
        throw unavailable(`the stream ${stream.name} cannot be created`, error)
      }
    },
  }
}

/** The one stream of versions before partitions: it is read as long as it exists. */
export function earlierStream(link: Link, options: NatsOptions): Stream {
  return streamNamed(link, options.stream, info => !isForeign(info, options))
}

/** @param check throws, or is false for a stream that counts as none */
function streamNamed(link: Link, name: string, check: (info: StreamInfo) => boolean): Stream {
  return {
    name,
    connected: () => link.connected(),
    async info() {
      const { manager } = await link.connected()
      try {
        const info = await streamInfo(manager, name)
        return info !== undefined && check(info) ? info : undefined
      } catch (error) {
        throw unavailable(`the stream ${name} cannot be used`, error)
      }
    },
  }
}

type StreamSettings = Parameters<JetStreamManager['streams']['add']>[0]

/** It has a quota and no age, because the server does not know which messages are delivered. */
function configOf(name: string, number: number, policy: LogPolicy, options: NatsOptions): StreamSettings {
  const { cluster, tags, owner, partitions } = options
  const isPlaced = cluster !== undefined || tags.length > 0
  const maker = owner === undefined ? anyLog : `${madeBy}${owner}, partition ${number} of ${partitions}`
  return {
    name,
    subjects: [`${options.subject}.${number}.>`],
    description: withEpoch(maker, newEpoch()),
    num_replicas: options.replicas,
    ...(isPlaced ? { placement: { cluster: cluster ?? '', tags: [...tags] } } : {}),
    duplicate_window: nanos(options.duplicateMs),
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: discardOf(policy),
    max_bytes: Math.floor(options.bytes / partitions),
  }
}

/**
 * A server may still be removing the files of a deleted stream, and then removes those of a new one of the same name
 * too: acknowledged messages become unreadable.
 */
async function madeStream(manager: JetStreamManager, config: StreamSettings): Promise<StreamInfo> {
  await sleep(busLimits.natsRemakeMs)
  try {
    return await manager.streams.add(config)
  } catch (error) {
    // Another process may have created it meanwhile.
    const made = await streamInfo(manager, config.name)
    if (made === undefined) throw error
    return made
  }
}

function discardOf({ full }: LogPolicy): DiscardPolicy {
  return full === 'refuse-requests' ? DiscardPolicy.New : DiscardPolicy.Old
}

/**
 * Sets the stream's discard policy to match `full`; forwarders call this, because they meet the limit. A stream that
 * Sluice did not create is changed only where records would be lost otherwise.
 * @throws RecordLogError `unavailable` when the stream cannot be changed
 */
export async function setDiscard(stream: Stream, { config }: StreamInfo, policy: LogPolicy): Promise<void> {
  const discard = discardOf(policy)
  const ours = config.description?.startsWith(madeBy) === true
  if (config.discard === discard || (!ours && policy.full === 'drop-oldest')) return
  const { manager } = await stream.connected()
  try {
    // Only this member: the others, the mark of the epoch too, stay as the server has them.
    await manager.streams.update(config.name, { discard })
  } catch (error) {
    throw unavailable(
      `the stream ${config.name} cannot be set to discard ${discard} messages when it is full; set its discard to ${discard}, or allow the user $JS.API.STREAM.UPDATE.${config.name}`,
      error,
    )
  }
}

/** Part of the description of a stream that Sluice created, before the id of the installation. */
const madeBy = 'Log records of the Sluice installation '

const idDigits = 12

function makerOf({ config }: StreamInfo): string | undefined {
  return config.description?.startsWith(madeBy)
    ? config.description.slice(madeBy.length, madeBy.length + idDigits)
    : undefined
}

function isForeign(info: StreamInfo, { owner }: NatsOptions): boolean {
  const maker = makerOf(info)
  return maker !== undefined && owner !== undefined && maker !== owner
}

/**
 * Two installations on one stream would each remove records that the other has not delivered. Processes with different
 * numbers of partitions would leave some unread.
 */
function requireOwn(info: StreamInfo, options: NatsOptions): true {
  const { name, description } = info.config
  if (isForeign(info, options))
    throw new RecordLogError(
      'unavailable',
      `the NATS stream ${name} was created by another installation (${makerOf(info)}; this one, by its database, is ${options.owner}): give all processes of one installation the same SLUICE_DATABASE_URL, and each installation its own SLUICE_NATS_STREAM and SLUICE_NATS_SUBJECT. If the database was created again, remove the stream`,
    )
  const made = /, partition \d+ of (\d+)/.exec(description ?? '')?.[1]
  if (made !== undefined && Number(made) !== options.partitions)
    throw new RecordLogError(
      'unavailable',
      `the NATS stream ${name} was created as one of ${made} partitions: set SLUICE_NATS_PARTITIONS=${made} for all processes`,
    )
  return true
}

async function streamInfo(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
      return undefined
    throw error
  }
}

/** Description of a stream that belongs to no certain installation. */
const anyLog = 'Log records of Sluice'

/** The epoch at the end of a stream's description, which every server has. */
const epochMark = / ?\(log ([0-9a-f]{8})\)$/
/** In the description of a stream of an earlier version that lost its end. */
const renewedMark = / ?\(renewed ([0-9a-f]{8})\)$/

/**
 * Epoch of the log in a stream: it changes when the stream is created again, or has lost its end. Without a mark, the
 * creation time names it. Each server of a cluster has its own creation time once it was restarted, so that another
 * leader would give the log another epoch.
 */
export function streamEpoch({ created, config }: Pick<StreamInfo, 'created' | 'config'>): string {
  const description = config.description ?? ''
  const marked = epochMark.exec(description)?.[1]
  return marked ?? digest(`${created} ${renewedMark.exec(description)?.[1] ?? ''}`)
}

function withEpoch(description: string, epoch: string): string {
  return `${description.replace(epochMark, '').replace(renewedMark, '')} (log ${epoch})`.trimStart()
}

/** Gives a stream that Sluice created before it marked epochs the mark of its epoch. @returns as it is now */
async function named(manager: JetStreamManager, info: StreamInfo): Promise<StreamInfo> {
  const { name, description = '' } = info.config
  if (!description.startsWith(madeBy) || epochMark.test(description)) return info
  const marked = withEpoch(description, streamEpoch(info))
  // Without the permission, the creation time still names the log.
  return manager.streams.update(name, { description: marked }).catch(() => info)
}

/**
 * Gives a stream that has lost its end a new epoch. The mark is derived from the old epoch, so that readers who find
 * the loss at the same time write the same one. A later reader has nothing left to do.
 * @param epoch of the log that was inspected
 * @throws the server's answer when the user may not change the stream
 */
export async function renewStream(stream: Stream, epoch: string): Promise<void> {
  const { manager } = await stream.connected()
  const info = await manager.streams.info(stream.name)
  if (streamEpoch(info) !== epoch) return
  const description = withEpoch(info.config.description ?? anyLog, digest(`after ${epoch}`))
  await manager.streams.update(stream.name, { description })
}

function newEpoch(): string {
  return randomBytes(4).toString('hex')
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
  stream: Stream,
  inspected: Pick<StreamInfo, 'created' | 'config'>,
  sequence: number,
): Promise<void> {
  const { manager } = await stream.connected()
  if (streamEpoch(await manager.streams.info(stream.name)) !== streamEpoch(inspected)) return
  await manager.streams.purge(stream.name, { seq: sequence })
}

/** Where a consumer starts, and what it leaves out. */
export type ConsumerStart = (
  | { readonly deliver_policy: typeof DeliverPolicy.StartSequence; readonly opt_start_seq: number }
  | { readonly deliver_policy: typeof DeliverPolicy.StartTime; readonly opt_start_time: string }
) & { readonly filter_subject?: string; readonly headers_only?: boolean }

/** A reader's private consumer: without acknowledgements, removed after five idle minutes. */
export async function addConsumer(stream: Stream, start: ConsumerStart): Promise<Consumer> {
  const { manager, client } = await stream.connected()
  const name = `sluice_${newId()}`
  await manager.consumers.add(stream.name, {
    name,
    ack_policy: AckPolicy.None,
    ...start,
    inactive_threshold: nanos(5 * 60_000),
    mem_storage: true,
    num_replicas: 1,
  })
  return client.consumers.get(stream.name, name)
}
