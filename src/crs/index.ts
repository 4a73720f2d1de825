export { assemble, compileRelease } from './assemble.ts'
export type { CrsBundle } from './bundle.ts'
export {
  type ChangedCrsRule,
  type CrsComparison,
  type CrsRuleMember,
  compareReleases,
  findRelease,
} from './compare.ts'
export { CrsError, type CrsErrorCode } from './crs-error.ts'
export type { CrsAudit, Imported } from './import-bundle.ts'
export { isOldRelease } from './release-year.ts'
export { type Crs, type CrsOptions, type ListedRelease, openCrs } from './releases.ts'
export type { CrsRule } from './rules.ts'
export { readSetup } from './setup.ts'
export { createPrograms, type Programs } from './snapshots/programs.ts'
export { createSnapshots, type Snapshots } from './snapshots/snapshots.ts'
export { readRelease } from './sources/directory.ts'
export { type CrsSources, obtainRelease, publicSources } from './sources/obtain.ts'
export {
  coreRuleSetProject,
  isNewerRelease,
  newestUpstreamVersion,
  type Upstream,
} from './sources/upstream.ts'
export { upstreamLooks } from './sources/upstream-looks.ts'
export { type WrittenRule, writtenRules } from './written-rules.ts'
