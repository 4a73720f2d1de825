import { isIP } from 'node:net'
import { defaultPartitioner } from '@platformatic/kafka'
import type { Reach } from '../../../model/settings/index.ts'
import { destinationLimits } from '../limits.ts'
import { destinationPolicy } from '../outgoing-connect.ts'
import { sendRecords } from '../parts.ts'
import { recordIds } from '../record-id.ts'
import type { Sink, SinkBatch } from '../sink.ts'
import { untilAborted } from '../until-aborted.ts'
import { kafkaError, noConnection, oversizedPartitions } from './errors.ts'
import { GuardedProducer } from './guarded-producer.ts'
import { authenticateByScram } from './scram.ts'
import type { KafkaSettings } from './settings.ts'

/**
 * Below the 1,048,588 bytes that a broker accepts in one record batch by default (`message.max.bytes`). A line adds a
 * key of up to 48 bytes and about 12 bytes of the protocol, and a topic may have a single partition.
 */
const caps = { bytes: 800_000, records: 4_000 }
interface Message {
  readonly topic: string
  /** Its hash determines the partition, as with every Kafka client. */
  readonly key: Buffer
  readonly value: Buffer
}

const noAnswer = 'the brokers do not answer'
const none: ReadonlySet<number> = new Set()
/** Set on each request and not on the client, which would repeat for ever. */
const once = { idempotent: true, acks: -1 }

/**
 * One message per line, acknowledged by all in-sync replicas. Its key is the id of its record. The producer is
 * idempotent, so a request that it repeats itself writes once. A second attempt by another process writes again, with
 * the same keys, by which consumers or a compacted topic can deduplicate.
 */
export function openKafka(settings: KafkaSettings, reach: Reach): Sink {
  const { topic, sasl } = settings
  // An address is not a valid server name.
  const named = settings.brokers.every(({ host }) => isIP(host) === 0)
  const options = {
    clientId: 'sluice-logpush',
    bootstrapBrokers: settings.brokers.map(broker => ({ ...broker })),
    acks: -1,
    autocreateTopics: false,
    maxInflights: 1,
    connectTimeout: destinationLimits.kafkaConnectMs,
    requestTimeout: destinationLimits.kafkaAnswerMs,
    // The delivery loop retries; one repetition fixes outdated metadata.
    retries: 1,
    retryDelay: 200,
    ...(settings.tls ? { tlsServerName: named } : {}),
    ...(sasl === undefined
      ? {}
      : { sasl: sasl.mechanism === 'PLAIN' ? sasl : { ...sasl, authenticate: authenticateByScram } }),
  }
  const producer = new GuardedProducer(options, settings.tls, destinationPolicy(reach))

  /** @returns the partitions that refused this amount at once; they have accepted nothing */
  const attempt = async (messages: Message[], signal: AbortSignal): Promise<ReadonlySet<number>> => {
    try {
      // The client has no signal; closing it ends abandoned requests.
      await untilAborted(signal, noAnswer, producer.send({ messages, ...once }))
      return none
    } catch (error) {
      if (signal.aborted && !producer.connected) throw noConnection(settings)
      const partitions = messages.length > 1 ? oversizedPartitions(error) : undefined
      if (partitions === undefined) throw kafkaError(error, settings)
      return partitions
    }
  }
  const partitionOf = async (signal: AbortSignal) => {
    const asked = producer.metadata({ topics: [topic] }).catch(error => {
      throw kafkaError(error, settings)
    })
    const count = (await untilAborted(signal, noAnswer, asked)).topics.get(topic)?.partitionsCount ?? 1
    return (message: Message) => defaultPartitioner(message, message.key) % count
  }
  /**
   * A topic has its own limit per request (max.message.bytes), and shows it only by refusing.
   * @param accepted called with the messages that a split request has written
   */
  const send = async (
    messages: Message[],
    signal: AbortSignal,
    accepted: (messages: readonly Message[]) => void,
  ): Promise<void> => {
    const refused = await attempt(messages, signal)
    if (refused.size === 0) return accepted(messages)
    const partition = await partitionOf(signal)
    accepted(messages.filter(message => !refused.has(partition(message))))
    for (const one of refused) {
      const own = messages.filter(message => partition(message) === one)
      // A single line shows whether the line itself is the cause.
      const half = Math.ceil(own.length / 2)
      await send(own.slice(0, half), signal, accepted)
      if (half < own.length) await send(own.slice(half), signal, accepted)
    }
  }
  const put = async (batch: SinkBatch, signal: AbortSignal) => {
    const idOf = recordIds(batch)
    await sendRecords(batch, caps, async part => {
      const messages = part.records
        .map((record, n) => ({
          topic,
          key: Buffer.from(idOf(part.first + n)),
          value: withoutLineEnd(record),
        }))
        .filter(({ key }) => !batch.sent.has(key.toString()))
      // Keys are kept only for a part that was split: the id of a whole one is sufficient.
      const accepted = (some: readonly Message[]) => {
        if (some.length < part.records.length) for (const { key } of some) batch.sent.add(key.toString())
      }
      if (messages.length > 0) await send(messages, signal, accepted)
      return undefined
    })
    return undefined
  }
  return {
    reusable: false,
    put,
    async probe(batch, signal) {
      await put(batch, signal)
    },
    async leave(path, text, signal) {
      const value = Buffer.from(JSON.stringify({ content: text }))
      await attempt([{ topic, key: Buffer.from(path), value }], signal)
    },
    close: () => void producer.close().catch(() => {}),
  }
}

function withoutLineEnd(record: Buffer): Buffer {
  return record.at(-1) === 0x0a ? record.subarray(0, -1) : record
}
