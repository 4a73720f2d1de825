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
export { readRelease } from './directory.ts'
export { createImages, type Images } from './images.ts'
export type { Imported } from './import-bundle.ts'
export { type CrsSources, publicSources } from './obtain.ts'
export { createPrograms, type Programs } from './programs.ts'
export { type Crs, type CrsOptions, type ListedRelease, openCrs } from './releases.ts'
export type { CrsRule } from './rules.ts'
export { readSetup } from './setup.ts'
export { newestUpstreamVersion, type Upstream } from './upstream.ts'
export { type WrittenRule, writtenRules } from './written-rules.ts'
