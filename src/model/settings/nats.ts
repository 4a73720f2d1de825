import type { DeclarationOf } from './declaration.ts'
import { parseAge, parseNatsUrl, parseReplicas, parseStreamName, parseSubject } from './values.ts'

export interface NatsSettings {
  /** One or several servers, with commas between; undefined: records are in the local spool. */
  readonly natsUrl: string | undefined
  /** A file. */
  readonly natsCredentials: string | undefined
  /** A file. */
  readonly natsCa: string | undefined
  readonly natsStream: string
  readonly natsSubject: string
  readonly natsReplicas: number
  /** How long a stream that Sluice creates remembers the ids of messages, ms. */
  readonly natsDuplicateWindow: number
}

const path = (value: string) => (value === '' ? undefined : value)

export const natsSettings: readonly DeclarationOf<keyof NatsSettings>[] = [
  {
    key: 'natsUrl',
    variable: 'SLUICE_NATS_URL',
    help: 'NATS JetStream for log records, instead of the local spool',
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
    help: 'name of the JetStream stream; created if it does not exist',
    allowed: 'at most 64 letters, digits, - and _',
    default: 'SLUICE_RECORDS',
    needs: 'SLUICE_NATS_URL',
    parse: parseStreamName,
  },
  {
    key: 'natsSubject',
    variable: 'SLUICE_NATS_SUBJECT',
    help: 'subject of the messages',
    allowed: 'words of letters, digits, - and _, separated by points',
    default: 'sluice.records',
    needs: 'SLUICE_NATS_URL',
    parse: parseSubject,
  },
  {
    key: 'natsReplicas',
    variable: 'SLUICE_NATS_REPLICAS',
    help: 'replicas of each record in a cluster, if Sluice creates the stream',
    allowed: '1 to 5',
    default: '1',
    needs: 'SLUICE_NATS_URL',
    parse: parseReplicas,
  },
  {
    key: 'natsDuplicateWindow',
    variable: 'SLUICE_NATS_DUPLICATE_WINDOW',
    help: 'time for which the stream recognises records that are sent again after an outage, if Sluice creates it',
    allowed: 'a number and s, m, h or d, up to 365d',
    default: '10m',
    needs: 'SLUICE_NATS_URL',
    parse: parseAge,
  },
]
