import { compileExpression, type Predicate } from '../expressions/index.ts'
import type { Checked } from '../model/problem.ts'
import type { Phase, Rule, Ruleset } from '../model/resource.ts'
import { blockResponseOf } from './actions/block.ts'
import { logFieldsOf } from './actions/log-custom-field.ts'
import { httpScheme } from './http-scheme.ts'
import { ruleIdsOf, verdictRuleOf } from './managed.ts'
import { type Overrides, resolveOverrides } from './overrides.ts'
import type { ManagedExecution, PlainEffect, PlanAction, PlanInput, PlanRule, ZonePlan } from './plan.ts'
import { expressionInvalid, refusal, rulesetCodes } from './problems.ts'
import { checked, refuse } from './reading.ts'
import type { RequestView } from './request-view.ts'

/**
 * Compiles a zone's entry points and its account's into what the edge runs: account before zone, enabled rules only.
 * @returns a problem when an expression does not compile or a managed ruleset is not there
 */
export function buildPlan(input: PlanInput): Checked<ZonePlan> {
  return checked(() => {
    const rulesOf = (phase: Phase) => {
      const entryPoints = [...input.accountEntryPoints, ...input.zoneEntryPoints]
      return entryPoints
        .filter(entryPoint => entryPoint.phase === phase)
        .flatMap(entryPoint => planRules(entryPoint, input))
    }
    return {
      zone: input.zone,
      custom: rulesOf('http_request_firewall_custom'),
      managed: rulesOf('http_request_firewall_managed'),
      response: rulesOf('http_response_firewall_managed'),
      logFields: logFieldsOf(
        input.zoneEntryPoints
          .filter(entryPoint => entryPoint.phase === 'http_log_custom_fields')
          .flatMap(entryPoint => entryPoint.rules.filter(rule => rule.enabled)),
      ),
    }
  })
}

function planRules(entryPoint: Ruleset, input: PlanInput): readonly PlanRule[] {
  return entryPoint.rules
    .filter(rule => rule.enabled)
    .map(rule => ({
      id: rule.id,
      rulesetId: entryPoint.id,
      rulesetVersion: String(entryPoint.version),
      description: rule.description ?? '',
      matches: predicateOf(rule),
      effect: rule.action === 'execute' ? executionOf(rule, input) : plainEffectOf(rule),
    }))
}

function predicateOf(rule: Rule): Predicate<RequestView> {
  const expression = rule.expression ?? ''
  const compiled = compileExpression(expression, httpScheme)
  return compiled.ok ? compiled.test : refuse(expressionInvalid(expression, compiled.text, ''))
}

function plainEffectOf(rule: Rule): PlainEffect {
  const response = blockResponseOf(rule.actionParameters)
  const effect = { kind: 'action', action: rule.action as PlanAction } as const
  return response === undefined ? effect : { ...effect, response }
}

/** The parameters of a stored `execute`, checked when they were written. */
interface ExecuteParameters {
  readonly id: string
  readonly version: string
  readonly overrides?: Overrides
}

function executionOf(rule: Rule, input: PlanInput): ManagedExecution {
  const { id, version, overrides = {} } = rule.actionParameters as unknown as ExecuteParameters
  const managed = input.managed(id, version)
  if (managed === undefined) {
    const message = `managed ruleset ${id} version ${version} of rule ${rule.id} is not there`
    return refuse(refusal(rulesetCodes.planUnbuildable, message, ''))
  }
  const { ruleset, program } = managed
  return {
    kind: 'execute',
    rulesetId: ruleset.id,
    rulesetVersion: String(ruleset.version),
    program,
    lastRuleId: verdictRuleOf(ruleset).id,
    ruleIds: ruleIdsOf(program),
    ...resolveOverrides(managed, overrides),
  }
}
