export type { StoreOptions } from './open-store.ts'
export type {
  DeliveryBatch,
  DeliveryCursor,
  ManagedRuleset,
  NewCrsRelease,
  PlanDocuments,
  Store,
} from './port.ts'
export { StoreError } from './port.ts'
export { openPostgresStore } from './postgres/open.ts'
export { openSqliteStore } from './sqlite/open.ts'
