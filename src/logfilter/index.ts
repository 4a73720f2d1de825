export { compileFilter } from './compile.ts'
export { type FilterKind, kindOf, operatorKinds } from './operators.ts'
export type { FilterOutcome, FilterProblem, LogPredicate } from './types.ts'
