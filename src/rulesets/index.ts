export { actionEnforcement, checkPhase, phaseEnforcement } from './documents/availability.ts'
export { checkCondition } from './documents/balancer-condition.ts'
export { checkDetectionLocation } from './documents/detection-location.ts'
export {
  addRule,
  createRuleset,
  deleteRule,
  patchRule,
  replaceEntryPoint,
  replaceRuleset,
} from './documents/documents.ts'
export { rulesByTag, rulesetInUse } from './documents/references.ts'
export type { ManagedRuleset, WriteContext } from './documents/write-context.ts'
export type { ExpressionContext, ExpressionUse } from './fields/expression-context.ts'
export type { DataSources, FieldAvailability, HttpField } from './fields/http-field.ts'
export { httpScheme } from './fields/http-scheme.ts'
export { normalizedPath } from './fields/normalized-path.ts'
export type {
  BodyView,
  GeoView,
  HeaderPairs,
  RequestView,
  ResponseView,
  TlsView,
} from './fields/request-view.ts'
export { httpFields } from './fields/table.ts'
export { dataSourcesOf } from './fields/without-data.ts'
export { accessRuleKey, accessRuleValue, anyAccessRuleKey } from './firewall/access-key.ts'
export { AccessTable } from './firewall/access-table.ts'
export { lockdownUrlFault } from './firewall/lockdown.ts'
export { jsonArgumentName } from './json-argument.ts'
export { assumedManaged } from './managed/assumed.ts'
export { closedProblem, closedRuleset, closedRulesets } from './managed/closed-rulesets.ts'
export {
  buildManagedRulesets,
  owaspRequestRulesetId,
  owaspResponseRulesetId,
  type ReleaseFacts,
} from './managed/owasp.ts'
export {
  urlNormalizationRuleset,
  urlNormalizationRulesetId,
  withBuiltInRulesets,
} from './managed/url-normalization.ts'
export { buildPlan } from './plan/build-plan.ts'
export { listTest, listType } from './plan/list-membership.ts'
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
  RedirectList,
  RedirectLookup,
  ZonePlan,
} from './plan/plan.ts'
export { type PlanRedaction, redactionOf } from './plan/redaction.ts'
export { RedirectTable } from './plan/redirect-table.ts'
export { entryPointExists, entryPointNotFound, expressionInvalid, rulesetCodes } from './problems.ts'
export { rulesetSchemas } from './schemas/ruleset-schemas.ts'
export { configSettingEnforcement } from './schemas/set-config.ts'
