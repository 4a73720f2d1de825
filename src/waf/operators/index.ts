export type {
  Captures,
  Operator,
  OperatorContext,
  OperatorView,
} from './operator.ts'
export { canonicalOperator, operators } from './table.ts'
export { expandTemplate, type Macro, parseTemplate, type Template } from './template.ts'
