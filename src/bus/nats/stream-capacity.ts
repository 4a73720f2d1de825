import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type StreamInfo,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { busLimits } from '../limits.ts'
import { purgeBefore, type Stream } from './stream.ts'

/*
 * The capacity of a stream that refuses new messages when it is full. A reserve is kept for requests in progress, and
 * old messages are removed early enough for new ones.
 */

type Sizes = Pick<StreamInfo, 'config' | 'state'>

/** The reserve, as a share of each limit. */
const reserve = 1 / busLimits.natsQuotaShare
/** The share that is free after the oldest messages are removed. */
const freed = 4 * reserve

/** Share of the nearest limit that messages after `delivered` use, judged by their average size. */
export function undeliveredShareOf(stream: Sizes, delivered: number): number {
  const { first_seq, last_seq, messages } = stream.state
  if (messages === 0) return 0
  const undelivered = last_seq - Math.max(delivered, first_seq - 1)
  return usedShare(stream) * Math.min(1, undelivered / messages)
}

/** Bytes of the longest message, with its headers, that the stream can have at all. */
export function messageBytesMax({ config }: Pick<StreamInfo, 'config'>): number {
  return Math.min(...[config.max_bytes, config.max_msg_size].filter(max => max > 0))
}

/** Whether one of the stream's own limits is used up to the reserve. */
export function isStreamFull(stream: Sizes): boolean {
  return usedShare(stream) > 1 - reserve
}

/**
 * Removes the oldest messages when the stream is almost full: enough to free the share, judged by their average size.
 * @param through the last sequence that may be removed
 * @param refused the server has refused a message because a limit was reached, its own or another's: then at least a
 *   part is removed
 */
export async function freeCapacity(
  stream: Stream,
  info: StreamInfo,
  through: number,
  refused: boolean,
): Promise<void> {
  const { state } = info
  const used = usedShare(info)
  const excess = used > 1 - freed ? (used - (1 - freed)) / used : 0
  const messages = Math.ceil(Math.max(excess, refused ? freed : 0) * state.messages)
  const last = Math.min(through, state.first_seq + messages - 1)
  if (last >= state.first_seq) await purgeBefore(stream, info, last + 1)
}

/** Share of the limit that is nearest; 0 without limits. */
function usedShare({ config, state }: Sizes): number {
  return Math.max(share(state.bytes, config.max_bytes), share(state.messages, config.max_msgs))
}

function share(used: number, max: number): number {
  return max > 0 ? used / max : 0
}

/** Error codes of limits of a stream, an account and a server. The client has no names for them. */
const limitCodes = new Set([10_002, 10_023, 10_028, 10_047, 10_077])

/** Whether a message was refused because a limit was reached. */
export function isLimitReached(error: unknown): boolean {
  return error instanceof JetStreamApiError && limitCodes.has(error.code)
}

/*
 * Limits of an account and a server do not show in the stream. Only a forwarder meets them, and only delivery, often
 * another process, knows which messages may be removed. The forwarder signals delivery by a consumer that no process
 * reads from. The consumer expires when its forwarder dies.
 */

const signal = 'sluice_refused'

/** Signals readers that the server refuses messages because a limit was reached. */
export async function raiseRefused(stream: Stream): Promise<void> {
  const { manager } = await stream.connected()
  await manager.consumers.add(stream.name, {
    name: signal,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.New,
    inactive_threshold: nanos(busLimits.natsRefusedMs),
    mem_storage: true,
    num_replicas: 1,
  })
}

/** A forwarder that is still refused sets the signal again. */
export async function clearRefused(stream: Stream): Promise<void> {
  const { manager } = await stream.connected()
  if (await isRefused(stream)) await manager.consumers.delete(stream.name, signal)
}

/** Whether a forwarder has signalled a reached limit. */
export async function isRefused(stream: Stream): Promise<boolean> {
  const { manager } = await stream.connected()
  try {
    await manager.consumers.info(stream.name, signal)
    return true
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound) return false
    throw error
  }
}
