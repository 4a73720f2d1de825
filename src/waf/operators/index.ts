export { holds, holdsInSlices } from './holds.ts'
export type {
  Groups,
  Operator,
  OperatorContext,
} from './operator.ts'
export { canonicalOperator, operators } from './table.ts'
export {
  expandTemplate,
  literalOf,
  type Macro,
  type MacroView,
  macrosOf,
  parseTemplate,
  type Template,
} from './template.ts'
