export type {
  Action,
  ActionStatement,
  DirectiveStatement,
  MarkerStatement,
  OperatorCall,
  RuleStatement,
  Selector,
  SourceFile,
  Span,
  Statement,
  VariableSelector,
} from './ast.ts'
export { phaseNumber } from './checks.ts'
export { type DirectiveShape, directives } from './directives.ts'
export type { NameTable } from './name-table.ts'
export { type ParseOptions, parse } from './parse.ts'
export { type References, referencesOf } from './references.ts'
export {
  type ActionShape,
  actions,
  controls,
  operators,
  severities,
  transformations,
  variables,
} from './vocabulary.ts'
