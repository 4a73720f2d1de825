import { settingLimits } from '../limits.ts'
import type { DeclarationOf } from './declaration.ts'
import {
  parseAge,
  parseBytes,
  parseNatsUrl,
  parsePartitions,
  parseReplicas,
  parseStreamName,
  parseSubject,
  parseTags,
} from './values.ts'

export interface NatsSettings {
  /** One or several servers, with commas between; undefined: records are in the local spool. */
  readonly natsUrl: string | undefined
  /** A file. */
  readonly natsCredentials: string | undefined
  /** A file. */
  readonly natsCa: string | undefined
  readonly natsStream: string
  readonly natsSubject: string
  /** Streams of records, each of some zones. */
  readonly natsPartitions: number
  /** Of all streams that Sluice creates; undefined: as many as `spoolBytes`. */
  readonly natsBytes: number | undefined
  readonly natsReplicas: number
  /** Cluster of the streams; undefined: the one that the process is connected to. */
  readonly natsCluster: string | undefined
  /** Tags of the servers that keep the streams. */
  readonly natsTags: readonly string[]
  /** How long a stream that Sluice creates remembers the ids of messages, ms. */
  readonly natsDuplicateWindow: number
}

/** Bytes that the streams need at least, if SLUICE_NATS_BYTES has fewer; else undefined. */
export function lackingNatsBytes({ natsBytes, natsPartitions }: NatsSettings): number | undefined {
  const needed = natsPartitions * settingLimits.streamBytesMin
  return natsBytes !== undefined && natsBytes < needed ? needed : undefined
}

/** Bytes of all streams together. A spool can be smaller than the streams need to be. */
export function streamBytesOf(settings: NatsSettings & { readonly spoolBytes: number }): number {
  const { natsBytes, natsPartitions, spoolBytes } = settings
  return natsBytes ?? Math.max(spoolBytes, natsPartitions * settingLimits.streamBytesMin)
}

const path = (value: string) => (value === '' ? undefined : value)

export const natsSettings: readonly DeclarationOf<keyof NatsSettings>[] = [
  {
    key: 'natsUrl',
    variable: 'SLUICE_NATS_URL',
    help: 'NATS JetStream for log records: they wait in the local spool only until NATS has them',
    allowed:
      'nats://host:port or tls://host:port, separated by commas. Credentials in one URL (a user and password, or a token) apply to all; a second set is refused',
    default: undefined,
    parse: parseNatsUrl,
  },
  {
    key: 'natsCredentials',
    variable: 'SLUICE_NATS_CREDENTIALS',
    help: 'credentials file (.creds) for NATS; the URL can have a user and password or a token instead',
    allowed: 'a path',
    default: undefined,
    needs: 'SLUICE_NATS_URL',
    parse: path,
  },
  {
    key: 'natsCa',
    variable: 'SLUICE_NATS_CA',
    help: 'CA certificate of the NATS servers, PEM; turns TLS on',
    allowed: 'a path',
    default: undefined,
    needs: 'SLUICE_NATS_URL',
    parse: path,
  },
  {
    key: 'natsStream',
    variable: 'SLUICE_NATS_STREAM',
    help: 'prefix of the JetStream stream names, as in SLUICE_RECORDS_1; missing streams are created',
    allowed: 'at most 64 letters, digits, - and _',
    default: 'SLUICE_RECORDS',
    needs: 'SLUICE_NATS_URL',
    parse: parseStreamName,
  },
  {
    key: 'natsSubject',
    variable: 'SLUICE_NATS_SUBJECT',
    help: 'prefix of the message subjects',
    allowed: 'words of letters, digits, - and _, separated by points',
    default: 'sluice.records',
    needs: 'SLUICE_NATS_URL',
    parse: parseSubject,
  },
  {
    key: 'natsPartitions',
    variable: 'SLUICE_NATS_PARTITIONS',
    help: 'number of streams for log records; the records of a zone stay in one stream. It cannot be changed once the streams exist',
    allowed: '1 to 64',
    default: '8',
    needs: 'SLUICE_NATS_URL',
    parse: parsePartitions,
  },
  {
    key: 'natsBytes',
    variable: 'SLUICE_NATS_BYTES',
    help: 'space for log records in all streams together, if Sluice creates them',
    allowed:
      'as SLUICE_SPOOL_BYTES; at least 2MiB for each of SLUICE_NATS_PARTITIONS. The larger of the two is the default',
    default: undefined,
    needs: 'SLUICE_NATS_URL',
    parse: parseBytes,
  },
  {
    key: 'natsReplicas',
    variable: 'SLUICE_NATS_REPLICAS',
    help: 'replicas of each record in a cluster, if Sluice creates the streams',
    allowed: '1 to 5',
    default: '1',
    needs: 'SLUICE_NATS_URL',
    parse: parseReplicas,
  },
  {
    key: 'natsDuplicateWindow',
    variable: 'SLUICE_NATS_DUPLICATE_WINDOW',
    help: 'deduplication window of the streams, if Sluice creates them',
    allowed: 'a number and s, m, h or d, up to 365d',
    default: '10m',
    needs: 'SLUICE_NATS_URL',
    parse: parseAge,
  },
  {
    key: 'natsCluster',
    variable: 'SLUICE_NATS_CLUSTER',
    help: 'cluster that keeps the streams, if Sluice creates them',
    allowed: 'the name of a cluster',
    default: undefined,
    needs: 'SLUICE_NATS_URL',
    parse: value => (/^[^\s.*>]{1,64}$/.test(value) ? value : undefined),
  },
  {
    key: 'natsTags',
    variable: 'SLUICE_NATS_TAGS',
    help: 'tags of the servers that keep the streams, if Sluice creates them: only servers with all of these tags',
    allowed: 'tags, separated by commas',
    default: '',
    needs: 'SLUICE_NATS_URL',
    parse: parseTags,
  },
]
