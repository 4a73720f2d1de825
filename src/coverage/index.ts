export {
  isSingleton,
  type KeptCollection,
  type KeptKind,
  type KeptSingleton,
  type WithoutMeaning,
} from './kept/kind.ts'
export { keptCollections, keptKinds, keptSingletons } from './kept/table.ts'
export { keptLimits } from './limits.ts'
