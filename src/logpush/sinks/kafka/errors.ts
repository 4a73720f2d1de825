import { NetworkError, TimeoutError } from '@platformatic/kafka'
import { AddressRefusedError } from '../../../outgoing/index.ts'
import { connectFailure } from '../outgoing-connect.ts'
import { SinkError } from '../sink.ts'
import type { KafkaSettings } from './settings.ts'

/**
 * The client's errors in plain words. They are nested; the innermost one with a message counts. Errors that hold a
 * broker's words are not used as `cause`: a broker may repeat the request.
 */
export function kafkaError(error: unknown, { brokers, topic, sasl, tls }: KafkaSettings): SinkError {
  const layers = [...layersOf(error)]
  const ours = layers.find(layer => layer instanceof SinkError)
  if (ours !== undefined) return ours as SinkError
  const named = layers.find(layer => typeof layer['apiId'] === 'string')
  if (named !== undefined) return refusal(named['apiId'] as string, topic)
  const [first] = brokers
  const refused = layers.find(layer => layer instanceof AddressRefusedError)
  if (refused !== undefined) return connectFailure(first!, 'connect', refused)
  const system = layers.find(layer =>
    /^E[A-Z]+$|^(?:CERT|ERR_SSL|ERR_TLS|DEPTH|SELF|UNABLE)_/.test(layer.code ?? ''),
  )
  if (layers.some(layer => layer.code === 'PLT_KFK_AUTHENTICATION' && !isOfTheNetwork(layer.cause)))
    return new SinkError(
      'access-denied',
      'never',
      `the brokers refuse the user or password (${sasl?.mechanism ?? 'none given'})`,
      { step: 'authenticate' },
    )
  if (system !== undefined) {
    const resolving = (system as { syscall?: string }).syscall === 'getaddrinfo'
    const connecting = (system as { syscall?: string }).syscall === 'connect'
    return connectFailure(first!, resolving ? 'resolve name' : connecting ? 'connect' : 'TLS', system)
  }
  if (layers.some(layer => layer.message.startsWith('Unknown topic')))
    return refusal('UNKNOWN_TOPIC_OR_PARTITION', topic)
  if (layers.some(layer => layer instanceof TimeoutError)) return noConnection({ brokers, tls }, error)
  const required = [...(tls ? [] : ['TLS']), ...(sasl === undefined ? ['a user'] : [])].join(' or ')
  const hint = required === '' ? '' : `; its listener may require ${required}`
  const at = `${first!.host}:${first!.port}`
  return new SinkError('broken', 'later', `${at} breaks the connection off${hint}`, { cause: error })
}

/** No broker has accepted a connection in time. */
export function noConnection(
  { brokers, tls }: Pick<KafkaSettings, 'brokers' | 'tls'>,
  cause?: unknown,
): SinkError {
  const [{ host, port }] = brokers as [KafkaSettings['brokers'][number]]
  const words = `${host}:${port} does not answer${tls ? ', or does not speak TLS' : ''}`
  return new SinkError('timeout', 'later', words, { cause, step: 'connect' })
}

/**
 * Partitions whose messages were too large together, if nothing else failed: the others have written theirs.
 * @returns undefined for every other error
 */
export function oversizedPartitions(error: unknown): ReadonlySet<number> | undefined {
  const layers = [...layersOf(error)]
  const names = layers.flatMap(({ apiId }) => (typeof apiId === 'string' ? [apiId] : []))
  if (names.length === 0 || names.some(name => !tooLarge.has(name))) return undefined
  const partitions = layers.flatMap(({ response }) =>
    (response?.responses ?? []).flatMap(({ partitionResponses }) =>
      partitionResponses.filter(({ errorCode }) => errorCode !== 0).map(({ index }) => index),
    ),
  )
  return partitions.length === 0 ? undefined : new Set(partitions)
}

const tooLarge = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])

function isOfTheNetwork(cause: unknown): boolean {
  return [...layersOf(cause)].some(layer => layer instanceof NetworkError || layer instanceof TimeoutError)
}

type Layer = Error & {
  readonly code?: string
  readonly apiId?: unknown
  readonly errors?: readonly Error[]
  /** Errors of a produce request that some partitions refused. */
  readonly response?: {
    readonly responses?: readonly {
      readonly partitionResponses: readonly { readonly index: number; readonly errorCode: number }[]
    }[]
  }
}

/** An error with its contained errors and causes; outermost first. */
function* layersOf(error: unknown, depth = 0): Generator<Layer> {
  if (!(error instanceof Error) || depth > 8) return
  const layer = error as Layer
  yield layer
  for (const inner of layer.errors ?? []) yield* layersOf(inner, depth + 1)
  yield* layersOf(layer.cause, depth + 1)
}

/** An error code of the protocol. */
function refusal(name: string, topic: string): SinkError {
  const words: Readonly<Record<string, string>> = {
    UNKNOWN_TOPIC_OR_PARTITION: `there is no topic ${topic}, or its user may not see it`,
    TOPIC_AUTHORIZATION_FAILED: `the user lacks the permission Write on the topic ${topic}`,
    CLUSTER_AUTHORIZATION_FAILED: 'the user lacks the permission IdempotentWrite on the cluster',
    SASL_AUTHENTICATION_FAILED: 'the user or password is wrong',
    UNSUPPORTED_SASL_MECHANISM: 'the brokers do not know this mechanism: set sasl',
    ILLEGAL_SASL_STATE:
      'this listener accepts no user: remove user and password, or name the port that accepts them',
    MESSAGE_TOO_LARGE: 'a line is longer than max.message.bytes of the topic',
    RECORD_LIST_TOO_LARGE: 'a line is longer than segment.bytes of the topic',
    NOT_ENOUGH_REPLICAS: 'too few replicas are in sync',
  }
  const denied = /AUTHORIZATION|SASL/.test(name)
  const known = words[name]
  return new SinkError(
    name,
    denied || name === 'UNKNOWN_TOPIC_OR_PARTITION' || tooLarge.has(name) ? 'never' : 'later',
    `the brokers answered ${name}${known === undefined ? '' : `: ${known}`}`,
    { step: denied ? 'authenticate' : 'write' },
  )
}
