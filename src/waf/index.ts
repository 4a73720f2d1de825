export { compile } from './compile.ts'
export type {
  CompileOptions,
  Interruption,
  Program,
  ProgramRule,
  RuleMask,
  RuleMatch,
  SourceFile,
  Transaction,
  WafRequest,
} from './types.ts'
