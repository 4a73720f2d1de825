export { canonicalTransformation, transformations } from './table.ts'
export { appliedInSlices, type Transformation, type TransformationRow } from './transformation.ts'
