export { WorkExceededError, workDone } from '../regex/index.ts'
export { check, compile, compileValue, format } from './compile.ts'
export type {
  CheckOutcome,
  CompileOutcome,
  ExpressionType,
  Fault,
  Field,
  FormatOutcome,
  ListTest,
  Predicate,
  ScalarName,
  Scheme,
  Value,
  ValueOutcome,
} from './types.ts'
