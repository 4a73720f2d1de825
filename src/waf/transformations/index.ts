export { canonicalTransformation, transformations } from './table.ts'
export type { Transformation } from './transformation.ts'
