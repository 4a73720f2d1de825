export type { Dataset, DatasetField, FieldType, LogRecord } from './dataset.ts'
export { auditLogs } from './datasets/audit-logs.ts'
export { firewallEvents } from './datasets/firewall-events.ts'
export { httpRequests } from './datasets/http-requests.ts'
export { datasets } from './datasets/table.ts'
export type { Checked, Problem } from './problem.ts'
export type {
  Account,
  ApiToken,
  CrsFile,
  CrsRelease,
  Json,
  JsonObject,
  LogpushJob,
  Phase,
  Rule,
  Ruleset,
  RulesetKind,
  RulesetSummary,
  Scope,
  User,
  Zone,
} from './resource.ts'
export { phases } from './resource.ts'
export {
  type AuditLogFormat,
  type AuditLogMode,
  flagOf,
  type Listen,
  type Role,
  readSettings,
  type SettingDeclaration,
  type Settings,
  settingDeclarations,
} from './settings/index.ts'
