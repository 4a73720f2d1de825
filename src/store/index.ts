export type { StoreOptions } from './open-store.ts'
export type {
  BatchRange,
  Cursors,
  DeliveryBatch,
  DeliveryCount,
  DeliveryLag,
  ManagedRuleset,
  ManifestObject,
  MissingRecords,
  NewCrsRelease,
  PlanDocuments,
  Run,
  Store,
} from './port.ts'
export { StoreError } from './port.ts'
export { openPostgresStore } from './postgres/open.ts'
export { openSqliteStore } from './sqlite/open.ts'
