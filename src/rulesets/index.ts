export { checkPhase } from './availability.ts'
export {
  addRule,
  createRuleset,
  deleteRule,
  patchRule,
  replaceEntryPoint,
  replaceRuleset,
} from './documents.ts'
export { httpScheme } from './http-scheme.ts'
export {
  buildManagedRulesets,
  owaspRequestRulesetId,
  owaspResponseRulesetId,
  type ReleaseFacts,
} from './managed.ts'
export type {
  BlockResponse,
  LogFields,
  ManagedExecution,
  ManagedProgram,
  MitigatingAction,
  PlainEffect,
  PlanAction,
  PlanInput,
  PlanRule,
  ZonePlan,
} from './plan.ts'
export { buildPlan } from './plan-builder.ts'
export { entryPointExists, entryPointNotFound, rulesetCodes } from './problems.ts'
export type { RequestView } from './request-view.ts'
export type { ManagedRuleset, WriteContext } from './write-context.ts'
