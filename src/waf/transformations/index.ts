export { canonicalTransformation, transformations } from './table.ts'
export { appliedInSlices, type TransformationRow } from './transformation.ts'
