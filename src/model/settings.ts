/** Every setting, declared once: the checker, `--help` and docs/settings.md are made from this table. */

export interface Settings {
  readonly data: string
  readonly apiListen: Listen
  readonly edgeListen: Listen
  readonly adminToken: string | undefined
  readonly adminEmail: string
  readonly adminKey: string | undefined
  /** A directory or archive. */
  readonly crs: string | undefined
  readonly crsSetup: string | undefined
  readonly roles: ReadonlySet<Role>
  readonly workers: number
  readonly databaseUrl: string | undefined
  readonly natsUrl: string | undefined
  readonly auditLog: string | undefined
  readonly auditLogMode: 'matched' | 'all'
  readonly defaultZone: string | undefined
  /** CIDR blocks. */
  readonly trustedProxies: readonly string[]
}

export interface Listen {
  readonly host: string
  readonly port: number
}

export type Role = 'control' | 'edge' | 'delivery'
