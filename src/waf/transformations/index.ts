export { canonicalTransformation, transformations } from './table.ts'
export type { Transformation, TransformationRow } from './transformation.ts'
