export { WorkExceededError, workDone } from '../regex/index.ts'
export { check, compile, compilePartial, compileValue, format } from './compile.ts'
export { UnknownFieldError } from './evaluate/partial.ts'
export { compileWildcard } from './evaluate/wildcard.ts'
export type {
  CheckOutcome,
  CompileOutcome,
  ExpressionType,
  Fault,
  Field,
  FormatOutcome,
  ListTest,
  PartialOutcome,
  Predicate,
  ScalarName,
  Scheme,
  Value,
  ValueOutcome,
} from './types.ts'
