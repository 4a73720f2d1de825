import type { Json, Rule, Shadow } from '../../model/resource.ts'
import type { RuleMask } from '../../waf/types.ts'
import { everyLevelOf } from '../managed/every-level.ts'
import { type Overrides, type ResolvedOverrides, resolveOverrides } from '../managed/overrides.ts'
import { owaspRequestRulesetId, ruleIdsOf, verdictRuleOf } from '../managed/owasp.ts'
import { refusal, rulesetCodes } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { ExecuteParameters } from '../schemas/execute.ts'
import type { EveryLevel, ManagedExecution, ManagedProgram, PlanInput, ShadowExecution } from './plan.ts'
import { SharedByProgram } from './shared-by-program.ts'
import { exceptionsOf, type SkipRule } from './skips.ts'

/** The parameters of a stored `execute`. */
export function executeParametersOf(rule: Rule): ExecuteParameters {
  return rule.actionParameters as unknown as ExecuteParameters
}

/** @param skips rules of the same level */
export function managedExecutionOf(
  rule: Rule,
  lookUp: PlanInput['managed'],
  skips: readonly SkipRule[],
): ManagedExecution {
  const { id, version = 'latest', overrides = {}, matched_data: payload } = executeParametersOf(rule)
  const managed = lookUp(id, version)
  if (managed === undefined) {
    const message = `ruleset ${id} version ${version} of rule ${rule.id} is not there`
    return refuse(refusal(rulesetCodes.planUnbuildable, message, ''))
  }
  const execution = executionOf(managed, overrides, skips)
  return payload === undefined ? execution : { ...execution, payloadKey: payload.public_key }
}

function executionOf(
  managed: ManagedProgram,
  overrides: Overrides,
  skips: readonly SkipRule[],
): ManagedExecution {
  const { ruleset, program } = managed
  return {
    kind: 'execute',
    rulesetId: ruleset.id,
    rulesetVersion: String(ruleset.version),
    program,
    lastRuleId: verdictRuleOf(ruleset).id,
    ruleIds: ruleIdsOf(program),
    ...resolvedOnce(managed, overrides),
    exceptions: exceptionsOf(managed, skips),
  }
}

interface Resolved extends ResolvedOverrides {
  readonly everyLevel: EveryLevel
}

const shared = new SharedByProgram<Resolved>()
/** Data that is derived with a mask lives as long as the mask. */
const byMask = new WeakMap<RuleMask, Resolved>()

function resolvedOnce(managed: ManagedProgram, overrides: Overrides): Resolved {
  const { ruleset, program } = managed
  const description: Json = [ruleset.id, ruleset.version, overrides as unknown as Json]
  return shared.of(program, description, () => {
    const own = resolveOverrides(managed, overrides)
    const resolved = { ...own, everyLevel: everyLevelOf(managed, overrides, own.mask) }
    byMask.set(resolved.mask, resolved)
    return resolved
  })
}

/** Undefined when the shadow is off, or its version does not exist: a shadow never prevents a plan. */
export function shadowOf(
  { enabled, version, paranoiaLevel, scoreThreshold, sampleRate }: Shadow,
  lookUp: PlanInput['managed'],
  skips: readonly SkipRule[],
): ShadowExecution | undefined {
  const managed = enabled ? lookUp(owaspRequestRulesetId, version) : undefined
  if (managed === undefined) return undefined
  const above = [1, 2, 3, 4].filter(level => level > paranoiaLevel)
  const overrides: Overrides = {
    categories: above.map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
    rules: [{ id: verdictRuleOf(managed.ruleset).id, score_threshold: scoreThreshold }],
  }
  return { sampleRate, paranoiaLevel, execution: executionOf(managed, overrides, skips) }
}
