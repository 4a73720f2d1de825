export { checkDatabase, type Problem } from './maintenance/check.ts'
export { copyDatabase } from './maintenance/copy.ts'
export type { Database } from './maintenance/database.ts'
export { schemaNumber } from './migrations/migrate.ts'
export type { StoreOptions } from './open-store.ts'
export type { Revised } from './port/basis.ts'
export type { ServedCertificate } from './port/certificates.ts'
export type { ManagedRuleset, NewCrsRelease } from './port/crs.ts'
export type {
  BatchRange,
  Cursors,
  DeliveryBatch,
  DeliveryCount,
  DeliveryLag,
  ManifestObject,
  MissingRecords,
  Run,
} from './port/delivery.ts'
export { StoreError } from './port/error.ts'
export type { RolloutStore } from './port/rollout.ts'
export type { RulesetBasis } from './port/rulesets.ts'
export type { PlanDocuments } from './port/zones.ts'
export type { Store } from './port.ts'
export { openPostgresDatabase, openPostgresStore } from './postgres/open-on-use.ts'
export { openSqliteDatabase, openSqliteStore } from './sqlite/open.ts'
