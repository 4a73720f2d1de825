import { isIP } from 'node:net'
import { Producer } from '@platformatic/kafka'
import type { DestinationReach } from '../../../model/settings.ts'
import { guardedLookup } from '../../outgoing-connect.ts'
import { sendParts } from '../parts.ts'
import type { Sink, SinkBatch } from '../sink.ts'
import { untilAborted } from '../until-aborted.ts'
import { kafkaError } from './errors.ts'
import { guardConnections } from './guard.ts'
import { authenticateByScram } from './scram.ts'
import type { KafkaSettings } from './settings.ts'

/**
 * Below the 1,048,588 bytes that a broker takes in one record batch by default (`message.max.bytes`): a line has a key of
 * up to 40 bytes and about 12 of the protocol beside it, and a topic may have one partition only.
 */
const caps = { bytes: 800_000, records: 4_000 }
/** Two of these, and the wait between them, are over long before a check has to answer. */
const connectTimeoutMs = 3_000
const requestTimeoutMs = 30_000
/** Of each request and not of the client, which would repeat for ever. */
const once = { idempotent: true, acks: -1 }

/**
 * One message a line, acknowledged by all replicas in sync. Its key is the batch and its place in it. The producer is
 * idempotent, so a request that it repeats itself writes once; a second attempt by another process writes again,
 * with the same keys, which consumers or a compacted topic can tell.
 */
export function openKafka(settings: KafkaSettings, reach: DestinationReach): Sink {
  const { topic, sasl } = settings
  // An address is no server name.
  const named = settings.brokers.every(({ host }) => isIP(host) === 0)
  const producer = new Producer({
    clientId: 'sluice-logpush',
    bootstrapBrokers: settings.brokers.map(broker => ({ ...broker })),
    acks: -1,
    autocreateTopics: false,
    maxInflights: 1,
    connectTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // The delivery loop retries; one repetition heals metadata that have become old.
    retries: 1,
    retryDelay: 200,
    ...(settings.tls ? { tls: { lookup: guardedLookup(reach) }, tlsServerName: named } : {}),
    ...(sasl === undefined
      ? {}
      : { sasl: sasl.mechanism === 'PLAIN' ? sasl : { ...sasl, authenticate: authenticateByScram } }),
  })
  guardConnections(producer.connections, settings.tls, reach)

  type Message = { readonly topic: string; readonly key: Buffer; readonly value: Buffer }
  // The client knows no signal; closing it ends what is left behind.
  const send = (messages: Message[], signal: AbortSignal) =>
    untilAborted(signal, 'the brokers do not answer', producer.send({ messages, ...once })).catch(error => {
      throw kafkaError(error, settings)
    })
  const put = async (batch: SinkBatch, signal: AbortSignal) => {
    await sendParts(batch, caps, async part => {
      const messages = part.records.map((record, n) => ({
        topic,
        key: Buffer.from(`${batch.id}:${part.first + n}`),
        value: withoutLineEnd(record),
      }))
      await send(messages, signal)
      return undefined
    })
    return undefined
  }
  return {
    put,
    async probe(batch, signal) {
      await put(batch, signal)
    },
    async leave(path, text, signal) {
      await send(
        [{ topic, key: Buffer.from(path), value: Buffer.from(JSON.stringify({ content: text })) }],
        signal,
      )
    },
    close: () => void producer.close().catch(() => {}),
  }
}

function withoutLineEnd(record: Buffer): Buffer {
  return record.at(-1) === 0x0a ? record.subarray(0, -1) : record
}
