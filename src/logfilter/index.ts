export {
  type CheckedCriterion,
  type CheckedNode,
  type CheckOutcome,
  checkFilter,
  type Operand,
} from './check.ts'
export { compileFilter } from './compile.ts'
export { type ExplainOutcome, explainFilter } from './explain.ts'
export { filterKindOf } from './filterable.ts'
export { type FilterSize, measureFilter } from './measure.ts'
export { type FilterKind, kindOf, operatorKinds } from './operators.ts'
export { filterTree } from './parse.ts'
export { printFilter } from './print.ts'
export type {
  FilterCriterion,
  FilterGroup,
  FilterNode,
  FilterOperator,
  FilterOutcome,
  FilterProblem,
  FilterTreeOutcome,
  FilterValue,
  LogPredicate,
  PositiveOperator,
} from './types.ts'
