import { availableParallelism } from 'node:os'
import type { Diagnostic, Outcome } from '../kit/diagnostic.ts'
import { nearest } from '../kit/nearest.ts'
import {
  parseAge,
  parseBytes,
  parseCidrList,
  parseKey,
  parseListen,
  parsePathList,
  parseRoles,
  parseSecret,
  parseUrl,
  parseWorkers,
} from './setting-values.ts'

export interface Settings {
  /** Data directory. */
  readonly data: string
  readonly apiListen: Listen
  readonly edgeListen: Listen
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
  /** 32 bytes. */
  readonly secretKey: Uint8Array | undefined
  readonly natsUrl: string | undefined
  readonly spoolSync: SpoolSync
  /** Bytes of all log records that are kept, delivered or not. */
  readonly spoolBytes: number
  /** How long delivered log records are kept, ms. */
  readonly spoolAge: number
  /** Bytes of the database of analytics. */
  readonly analyticsBytes: number
  /** How long events and counts are kept, ms. */
  readonly analyticsAge: number
  /** A file. */
  readonly auditLog: string | undefined
  readonly auditLogMode: AuditLogMode
  readonly onError: OnError
  readonly defaultZone: string | undefined
  /** CIDR blocks. */
  readonly trustedProxies: readonly string[]
  /** Files. */
  readonly geoDatabases: readonly string[]
  readonly destinations: DestinationReach
}

export interface Listen {
  /** Without brackets for IPv6. */
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
}

export type Role = 'control' | 'edge' | 'delivery'
export type AuditLogMode = 'matched' | 'all'
export type OnError = 'block' | 'allow'
/** When log records are synced to the disk: as soon as they are written, within a second, or when the system likes. */
export type SpoolSync = 'always' | 'interval' | 'never'

/**
 * Where log push may connect to: addresses of the internet; loopback and files of this machine as well; or private
 * networks as well. Each includes the ones before it.
 */
export type DestinationReach = 'public' | 'loopback' | 'private'

/** One setting as it is declared: the checker, `--help` and docs/settings.md are made from this. */
export interface SettingDeclaration {
  readonly key: keyof Settings
  /** Environment variable. The flag is the rest of it: `SLUICE_API_LISTEN` → `--api-listen`. */
  readonly variable: string
  readonly help: string
  /** What may stand there, in words. */
  readonly allowed: string
  /** As it would be written; undefined when there is none. */
  readonly default: string | undefined
  /** @returns undefined when the text is not allowed */
  readonly parse: (text: string) => unknown
}

const text = (value: string) => (value === '' ? undefined : value)

export const settingDeclarations: readonly SettingDeclaration[] = [
  {
    key: 'data',
    variable: 'SLUICE_DATA',
    help: 'data directory',
    allowed: 'a path',
    default: './data',
    parse: text,
  },
  {
    key: 'apiListen',
    variable: 'SLUICE_API_LISTEN',
    help: 'address of the API',
    allowed: 'HOST:PORT, such as 127.0.0.1:8787 or [::1]:8787',
    default: '127.0.0.1:8787',
    parse: parseListen,
  },
  {
    key: 'edgeListen',
    variable: 'SLUICE_EDGE_LISTEN',
    help: 'address of the edge',
    allowed: 'HOST:PORT, such as 0.0.0.0:80',
    default: '127.0.0.1:8080',
    parse: parseListen,
  },
  {
    key: 'adminToken',
    variable: 'SLUICE_ADMIN_TOKEN',
    help: 'the first token, instead of a generated one',
    allowed: '16 to 256 letters, digits and - . _ ~ + /',
    default: undefined,
    parse: parseSecret,
  },
  {
    key: 'adminEmail',
    variable: 'SLUICE_ADMIN_EMAIL',
    help: 'e-mail of the first user, for X-Auth-Email',
    allowed: 'an e-mail address',
    default: 'admin@localhost',
    parse: value => (/^[^\s@]+@[^\s@]+$/.test(value) ? value : undefined),
  },
  {
    key: 'adminKey',
    variable: 'SLUICE_ADMIN_KEY',
    help: 'key of the first user, for X-Auth-Key, instead of a generated one',
    allowed: '16 to 256 letters, digits and - . _ ~ + /',
    default: undefined,
    parse: parseSecret,
  },
  {
    key: 'crs',
    variable: 'SLUICE_CRS',
    help: 'OWASP CRS to run: a directory or a .tar.gz archive',
    allowed: 'a path',
    default: undefined,
    parse: text,
  },
  {
    key: 'crsSetup',
    variable: 'SLUICE_CRS_SETUP',
    help: 'a crs-setup.conf of your own, loaded before the rules',
    allowed: 'a path',
    default: undefined,
    parse: text,
  },
  {
    key: 'roles',
    variable: 'SLUICE_ROLES',
    help: 'what this process group does',
    allowed: 'a comma-separated list of control, edge and delivery',
    default: 'control,edge,delivery',
    parse: parseRoles,
  },
  {
    key: 'workers',
    variable: 'SLUICE_WORKERS',
    help: 'edge workers: threads that serve requests',
    allowed: 'a whole number from 1 to 256',
    default: String(Math.min(256, availableParallelism())),
    parse: parseWorkers,
  },
  {
    key: 'databaseUrl',
    variable: 'SLUICE_DATABASE_URL',
    help: 'PostgreSQL for state, instead of the embedded SQLite',
    allowed: 'postgres://user:password@host:port/database',
    default: undefined,
    parse: value => parseUrl(value, ['postgres:', 'postgresql:']),
  },
  {
    key: 'secretKey',
    variable: 'SLUICE_SECRET_KEY',
    help: 'encrypts credentials in the database, those of log destinations; every process of an installation needs the same one. Without it the control role makes one at the first start with the embedded database and keeps it in the file secret-key of the data directory; with PostgreSQL it has to be given, or that file to be on every machine',
    allowed: '64 hex digits, or 32 bytes in base64, such as `openssl rand -hex 32` prints',
    default: undefined,
    parse: parseKey,
  },
  {
    key: 'natsUrl',
    variable: 'SLUICE_NATS_URL',
    help: 'NATS JetStream for log records, instead of the local spool',
    allowed: 'nats://host:port or tls://host:port',
    default: undefined,
    parse: value => parseUrl(value, ['nats:', 'tls:']),
  },
  {
    key: 'spoolSync',
    variable: 'SLUICE_SPOOL_SYNC',
    help: 'when log records in the local spool are synced to the disk, so that they survive a power loss: as soon as they are written, every second, or when the system does it',
    allowed: 'always, interval or never',
    default: 'interval',
    parse: value => (value === 'always' || value === 'interval' || value === 'never' ? value : undefined),
  },
  {
    key: 'spoolBytes',
    variable: 'SLUICE_SPOOL_BYTES',
    help: 'room for log records, all workers together, delivered or not; when it is used up the oldest go',
    allowed: 'a whole number of bytes, KiB, MiB, GiB or TiB from 1MiB, such as 512MiB',
    default: '1GiB',
    parse: parseBytes,
  },
  {
    key: 'spoolAge',
    variable: 'SLUICE_SPOOL_AGE',
    help: 'how long log records are kept after their delivery, to be delivered again; those not delivered wait longer',
    allowed:
      'a whole number of seconds, minutes, hours or days up to 365d, such as 30m, 24h or 7d; 0s for not at all',
    default: '24h',
    parse: parseAge,
  },
  {
    key: 'analyticsBytes',
    variable: 'SLUICE_ANALYTICS_BYTES',
    help: 'room for what analytics know of requests; when it is used up the oldest events go, then the oldest counts',
    allowed: 'a whole number of bytes, KiB, MiB, GiB or TiB from 1MiB, such as 512MiB',
    default: '2GiB',
    parse: parseBytes,
  },
  {
    key: 'analyticsAge',
    variable: 'SLUICE_ANALYTICS_AGE',
    help: 'how long analytics keep events and counts',
    allowed: 'a whole number of hours or days from 1h up to 365d, such as 36h or 30d',
    default: '30d',
    parse: value => (/[hd]$/.test(value) ? parseAge(value) || undefined : undefined),
  },
  {
    key: 'auditLog',
    variable: 'SLUICE_AUDIT_LOG',
    help: 'file of security records, one JSON object a line',
    allowed: 'a path',
    default: undefined,
    parse: text,
  },
  {
    key: 'auditLogMode',
    variable: 'SLUICE_AUDIT_LOG_MODE',
    help: 'which requests the audit log holds',
    allowed: 'matched or all',
    default: 'matched',
    parse: value => (value === 'matched' || value === 'all' ? value : undefined),
  },
  {
    key: 'onError',
    variable: 'SLUICE_ON_ERROR',
    help: 'what becomes of a request whose managed rules could not be evaluated to the end: refused with 500, or let through',
    allowed: 'block or allow',
    default: 'block',
    parse: value => (value === 'block' || value === 'allow' ? value : undefined),
  },
  {
    key: 'defaultZone',
    variable: 'SLUICE_DEFAULT_ZONE',
    help: 'name of the zone that serves hosts which no zone claims',
    allowed: 'the name of a zone',
    default: undefined,
    parse: value => (/^[a-z0-9.-]+$/i.test(value) ? value.toLowerCase() : undefined),
  },
  {
    key: 'trustedProxies',
    variable: 'SLUICE_TRUSTED_PROXIES',
    help: 'addresses whose X-Forwarded-For and X-Forwarded-Proto are believed',
    allowed: 'a comma-separated list of CIDR blocks, such as 10.0.0.0/8,::1/128',
    default: undefined,
    parse: parseCidrList,
  },
  {
    key: 'geoDatabases',
    variable: 'SLUICE_GEO_DATABASES',
    help: 'databases of places and networks in MaxMind format, asked before the bundled one of countries; the first that knows something wins',
    allowed: 'a comma-separated list of paths',
    default: undefined,
    parse: parsePathList,
  },
  {
    key: 'destinations',
    variable: 'SLUICE_DESTINATIONS',
    help: 'where log push may deliver to: addresses of the internet only; also this machine and its files; also private networks',
    allowed: 'public, loopback or private',
    default: 'loopback',
    parse: value => (['public', 'loopback', 'private'].includes(value) ? value : undefined),
  },
]

/** `--api-listen` for `SLUICE_API_LISTEN`. */
export function flagOf(declaration: SettingDeclaration): string {
  return `--${declaration.variable.slice('SLUICE_'.length).toLowerCase().replaceAll('_', '-')}`
}

/**
 * Reads every setting; a flag wins over the variable.
 * @param flags flag name without dashes → value
 * @returns all that is wrong, each naming the setting, its value (secrets apart) and what is allowed
 */
export function readSettings(
  environment: { readonly [name: string]: string | undefined },
  flags: ReadonlyMap<string, string> = new Map(),
): Outcome<Settings> {
  const settings: Record<string, unknown> = { trustedProxies: [], geoDatabases: [] }
  const diagnostics = unknownSettings(environment, flags)
  for (const declaration of settingDeclarations) {
    const flag = flagOf(declaration).slice(2)
    const written = flags.get(flag) ?? environment[declaration.variable]
    const value = written ?? declaration.default
    if (value === undefined) {
      settings[declaration.key] ??= undefined
      continue
    }
    const parsed = declaration.parse(value)
    if (parsed === undefined) {
      const name = flags.has(flag) ? `--${flag}` : declaration.variable
      diagnostics.push(malformed(declaration, name, value))
    }
    settings[declaration.key] = parsed
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics }
  return { ok: true, value: settings as unknown as Settings }
}

function unknownSettings(
  environment: { readonly [name: string]: string | undefined },
  flags: ReadonlyMap<string, string>,
): Diagnostic[] {
  const variables = settingDeclarations.map(declaration => declaration.variable)
  const flagNames = settingDeclarations.map(flagOf)
  return [
    ...Object.keys(environment)
      .filter(name => name.startsWith('SLUICE_') && !variables.includes(name))
      .map(name => unknown(name, variables)),
    ...[...flags.keys()]
      .map(name => `--${name}`)
      .filter(name => !flagNames.includes(name))
      .map(name => unknown(name, flagNames)),
  ]
}

function unknown(name: string, known: readonly string[]): Diagnostic {
  const close = nearest(name, known)
  return problem('unknown-setting', name, `there is no setting ${name}`, close && `did you mean ${close}?`)
}

function malformed(declaration: SettingDeclaration, name: string, value: string): Diagnostic {
  const secret = ['adminToken', 'adminKey', 'databaseUrl', 'secretKey', 'natsUrl'].includes(declaration.key)
  const shown = secret ? 'the value given (not shown)' : `'${value}'`
  return problem(
    'malformed-setting',
    name,
    `${shown} is not a valid value for ${name}: allowed is ${declaration.allowed}`,
  )
}

function problem(code: string, source: string, message: string, hint?: string): Diagnostic {
  return { code, message, source, line: 1, column: 1, length: 1, ...(hint === undefined ? {} : { hint }) }
}

/** One line for the terminal. */
export function formatProblem(problem: Diagnostic): string {
  return problem.hint === undefined ? problem.message : `${problem.message}; ${problem.hint}`
}
