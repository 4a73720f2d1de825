export type {
  Captures,
  Operator,
  OperatorContext,
  OperatorFactory,
  OperatorOutcome,
  OperatorView,
} from './operator.ts'
export { canonicalOperator, operators } from './table.ts'
export { expandTemplate, literalOf, type Macro, parseTemplate, type Template } from './template.ts'
