export { compile } from './compile.ts'
export { explain } from './explain/explain.ts'
export type {
  ExcludedValue,
  ExplainedLink,
  ExplainedMatch,
  ExplainedValue,
  ExplainInput,
  ExplainOptions,
  Explanation,
  NotReached,
  RuleOutcome,
  TransformationStep,
} from './explain/explanation.ts'
export type { ShownValue } from './explain/shown.ts'
export { toEnd } from './steps.ts'
export type {
  CompileOptions,
  Interruption,
  ObservedTest,
  Observer,
  Program,
  ProgramRule,
  RuleMask,
  RuleMatch,
  SourceFile,
  Steps,
  Transaction,
  WafRequest,
} from './types.ts'
