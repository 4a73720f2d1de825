import type { NotEnforced } from '../resource.ts'
import type { AcmeSettings } from './acme.ts'
import type { ClickHouseSettings } from './clickhouse.ts'
import type { EdgeListen, Listen, Role } from './declaration.ts'
import type { NatsSettings } from './nats.ts'
import type { OidcSettings } from './oidc.ts'
import type { RedisSettings } from './redis.ts'
import type { SmtpSettings } from './smtp.ts'
import type { TracesSettings } from './traces.ts'

export interface Settings
  extends AcmeSettings,
    ClickHouseSettings,
    NatsSettings,
    OidcSettings,
    RedisSettings,
    SmtpSettings,
    TracesSettings {
  /** Data directory. */
  readonly data: string
  readonly apiListen: Listen
  readonly apiTlsListen: Listen | undefined
  readonly edgeListen: readonly EdgeListen[]
  readonly edgeTlsListen: readonly EdgeListen<Listen>[]
  /** Files and directories. */
  readonly tlsCertificates: readonly string[]
  readonly tlsJa4: boolean
  /** Addresses of the role `inspect`. */
  readonly inspectHttpListen: Listen | 'none'
  readonly inspectSpoeListen: Listen | 'none'
  readonly inspectGrpcListen: Listen | 'none'
  readonly healthListen: Listen | undefined
  readonly adminToken: string | undefined
  readonly adminEmail: string
  readonly adminKey: string | undefined
  /** A directory or archive. */
  readonly crs: string | undefined
  /** A file. */
  readonly crsSetup: string | undefined
  readonly roles: ReadonlySet<Role>
  readonly workers: number
  readonly databaseUrl: string | undefined
  /** From 2. */
  readonly databaseConnections: number
  /** Of the edges that take changes first, in percent; 0: all edges take them at once. */
  readonly rolloutShare: number
  /** Ms. */
  readonly rolloutPeriod: number
  /** 32 bytes. */
  readonly secretKey: Uint8Array | undefined
  readonly spoolSync: SpoolSync
  /** Bytes of all log records that are kept, delivered or not. */
  readonly spoolBytes: number
  readonly spoolFull: SpoolFull
  /** Memory for the batches of all Logpush jobs of a process, in bytes. */
  readonly batchBytes: number
  readonly notEnforced: NotEnforced
  /** How long delivered log records are kept, ms. */
  readonly spoolAge: number
  /** Bytes of the database of analytics. */
  readonly analyticsBytes: number
  /** How long events and counts are kept, ms. */
  readonly analyticsAge: number
  /** A file. */
  readonly auditLog: string | undefined
  readonly auditLogMode: AuditLogMode
  readonly auditLogFormat: AuditLogFormat
  readonly onError: OnError
  readonly defaultZone: string | undefined
  /** Connections of all workers together. */
  readonly originConnections: number
  readonly clientConnections: number
  readonly requestsInFlight: number
  /** Bytes of request bodies in the memory of all workers together. */
  readonly bodyBytes: number
  /** CIDR blocks. */
  readonly trustedProxies: readonly string[]
  /** Files. */
  readonly geoDatabases: readonly string[]
  /** A file. */
  readonly leakedPasswords: string | undefined
  /** The networks in which origins may be. */
  readonly origins: Reach
  /** Unix sockets that origins may be: their paths, or directories of them. */
  readonly originSockets: readonly string[]
  /** The networks for Logpush destinations and downloads of CRS releases. */
  readonly destinations: Reach
  /** The directory of all file destinations. */
  readonly destinationDirectory: string | undefined
}

export type AuditLogMode = 'matched' | 'all'

export type AuditLogFormat = 'json' | 'modsecurity'
export type OnError = 'block' | 'allow'
/** When log records are synced to the disk: as soon as they are written, within a second, or when the system does it. */
export type SpoolSync = 'always' | 'interval' | 'never'
/** The policy when undelivered records fill the space: delete the oldest records, or refuse requests. */
export type SpoolFull = 'drop-oldest' | 'refuse-requests'

/**
 * The addresses to which Sluice may connect: the internet; also loopback; also private networks. Each value includes the
 * ones before it.
 */
export type Reach = 'public' | 'loopback' | 'private'
