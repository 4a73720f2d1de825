export { checkPhase } from './availability.ts'
export {
  addRule,
  createRuleset,
  deleteRule,
  patchRule,
  replaceEntryPoint,
  replaceRuleset,
} from './documents.ts'
export type { ExpressionPlace, ExpressionUse } from './fields/expression-place.ts'
export type { FieldAvailability, HttpField } from './fields/http-field.ts'
export { httpScheme } from './fields/http-scheme.ts'
export { httpFields } from './fields/table.ts'
export { jsonArgumentName } from './json-argument.ts'
export { listTest, listType } from './list-test.ts'
export {
  buildManagedRulesets,
  owaspRequestRulesetId,
  owaspResponseRulesetId,
  type ReleaseFacts,
} from './managed.ts'
export {
  urlNormalizationRuleset,
  urlNormalizationRulesetId,
  withBuiltInRulesets,
} from './managed-normalization.ts'
export type {
  BlockResponse,
  ListLookup,
  ListTest,
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
export { type PlanRedaction, redactionOf } from './plan-redaction.ts'
export { entryPointExists, entryPointNotFound, rulesetCodes } from './problems.ts'
export { rulesByTag, rulesetInUse } from './references.ts'
export type { BodyView, HeaderPairs, PlaceView, RequestView, ResponseView } from './request-view.ts'
export { rulesetSchemas } from './schemas/ruleset-schemas.ts'
export type { ManagedRuleset, WriteContext } from './write-context.ts'
