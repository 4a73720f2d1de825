export { neverMatches } from './access-rule.ts'
export {
  type Coverage,
  type CoverageStatus,
  coverageStatuses,
  reasonOf,
} from './enforcement.ts'
export { healthchecks } from './kept/healthchecks.ts'
export { hostnameTlsSettingIds, hostnameTlsSettings } from './kept/hostname-tls-settings.ts'
export {
  isSingleton,
  type KeptCollection,
  type KeptKind,
  type KeptSingleton,
  type WithoutMeaning,
} from './kept/kind.ts'
export { keptSwitches } from './kept/switches.ts'
export { keptCollections, keptKinds, keptSingletons } from './kept/table.ts'
export { coverageLimits, keptLimits } from './limits.ts'
export { idleInPolicy } from './notification-policy.ts'
export { type CoveredResource, coverPlan, type PlanCoverage } from './plan.ts'
export { PlanError } from './plan-document.ts'
export { resourceTable } from './resources.ts'
export { coverAccount, coverZone, type StoredItem } from './stored.ts'
export { zoneSettingEnforcement } from './zone-setting.ts'
