/** The settings of an installation: declared once for the checker, `--help` and the documentation. */
export type { Listen, Role, UnixListen } from './declaration.ts'
export { type SettingDeclaration, settingDeclarations } from './declarations.ts'
export { streamBytesOf } from './nats.ts'
export type { OidcRole } from './oidc.ts'
export { flagOf, formatProblem, readSettings } from './read.ts'
export type {
  AuditLogFormat,
  AuditLogMode,
  Reach,
  Settings,
  SpoolFull,
  SpoolSync,
} from './settings.ts'
export { parseDatabaseUrl, parseKey } from './values.ts'
