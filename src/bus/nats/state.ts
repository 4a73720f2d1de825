import type { StreamInfo } from '@nats-io/jetstream'
import type { LogPolicy } from '../policy.ts'
import { Link } from './connection.ts'
import type { NatsOptions } from './options.ts'
import { partitionStream } from './stream.ts'

export interface NatsState {
  /** Name of the connected server. */
  readonly server: string
  /** `2.10.29` */
  readonly version: string
  readonly streams: readonly NatsStreamState[]
}

export interface NatsStreamState {
  readonly name: string
  /** Undefined when no edge has created it yet. */
  readonly found:
    | {
        readonly replicas: number
        /** Servers that are away, or have not all messages yet. */
        readonly behind: readonly string[]
      }
    | undefined
}

/**
 * Asks the servers, and changes nothing.
 * @throws RecordLogError `unavailable` when no server answers, JetStream is off, or a stream is another installation's
 */
export async function natsState(url: string, policy: LogPolicy, options: NatsOptions): Promise<NatsState> {
  const link = new Link(url, options)
  try {
    const { connection } = await link.connected()
    const streams: NatsStreamState[] = []
    for (let number = 1; number <= options.partitions; number++) {
      const stream = partitionStream(link, policy, options, number)
      const info = await stream.info()
      streams.push({ name: stream.name, found: info && stateOf(info) })
    }
    const { server_name: server, version } = connection.info!
    return { server, version, streams }
  } finally {
    await link.close()
  }
}

function stateOf({ config, cluster }: StreamInfo): NatsStreamState['found'] {
  const behind = (cluster?.replicas ?? []).filter(({ current, offline }) => offline === true || !current)
  return { replicas: config.num_replicas, behind: behind.map(({ name }) => name) }
}
