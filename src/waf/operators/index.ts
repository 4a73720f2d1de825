export type {
  Groups,
  MacroView,
  Operator,
  OperatorContext,
} from './operator.ts'
export { canonicalOperator, operators } from './table.ts'
export { expandTemplate, literalOf, type Macro, macrosOf, parseTemplate, type Template } from './template.ts'
