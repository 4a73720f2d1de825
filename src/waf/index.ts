export type { RunOptions } from './compile/build-program.ts'
export { compile, compileSnapshot } from './compile/compile.ts'
export { explain, explainInSlices } from './explain/explain.ts'
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
export { type ShownValue, shown } from './explain/shown.ts'
export { type LoadOptions, loadProgram } from './snapshot/program-snapshot.ts'
export { isSnapshot } from './snapshot/snapshot.ts'
export { toEnd } from './steps.ts'
export type {
  CompileOptions,
  ExceptedTarget,
  Exception,
  ExceptionSpec,
  InspectedBody,
  InspectedRequest,
  Inspection,
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
