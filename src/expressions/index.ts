export { compileExpression } from './compile-expression.ts'
export type { CompileOutcome, ExpressionType, Field, Predicate, Scheme, Value } from './types.ts'
