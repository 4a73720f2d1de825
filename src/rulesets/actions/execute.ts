import { isId } from '../../kit/ids.ts'
import type { JsonObject, Phase } from '../../model/resource.ts'
import { invalidValue, notAvailable, rulesetCodes } from '../problems.ts'
import { type Fields, refuse } from '../reading.ts'
import type { ManagedRuleset, WriteContext } from '../write-context.ts'

const parameterNames: ReadonlySet<string> = new Set(['id', 'version', 'overrides', 'matched_data'])
const overrideNames: ReadonlySet<string> = new Set([
  'action',
  'enabled',
  'sensitivity_level',
  'categories',
  'rules',
])
const categoryNames: ReadonlySet<string> = new Set(['category', 'action', 'enabled', 'sensitivity_level'])
const ruleNames: ReadonlySet<string> = new Set([
  'id',
  'action',
  'enabled',
  'sensitivity_level',
  'score_threshold',
])
const overrideActions: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'js_challenge',
  'log',
  'managed_challenge',
])

/**
 * `execute` of a managed ruleset of the same phase.
 * @returns the parameters as sent, with `version: "latest"` when they had none
 */
export function checkExecute(parameters: Fields, phase: Phase, context: WriteContext): JsonObject {
  parameters.allowOnly(parameterNames)
  const managed = findManaged(parameters, phase, context)
  if (parameters.has('matched_data')) {
    refuse(
      notAvailable(
        'action_parameters',
        'matched_data',
        'payload logging',
        parameters.pointerTo('matched_data'),
      ),
    )
  }
  const overrides = parameters.object('overrides')
  if (overrides !== undefined) checkOverrides(overrides, managed)
  return parameters.has('version') ? parameters.plain() : { ...parameters.plain(), version: 'latest' }
}

function findManaged(parameters: Fields, phase: Phase, context: WriteContext): ManagedRuleset {
  const id = parameters.required('id')
  const latest = isId(id) ? context.managed(id, 'latest') : undefined
  if (latest === undefined)
    return failTarget('id', id, 'there is no managed ruleset with this id', parameters)
  if (latest.phase !== phase) {
    failTarget('id', id, `the phase of the ruleset is ${latest.phase} and not ${phase}`, parameters)
  }
  const version = parameters.string('version') ?? 'latest'
  if (version === 'latest') return latest
  const pinned = /^[0-9]{1,15}$/.test(version) ? context.managed(id, version) : undefined
  return pinned ?? failTarget('version', version, 'the managed ruleset has no such version', parameters)
}

function failTarget(field: string, value: string, reason: string, parameters: Fields): never {
  return refuse(
    invalidValue(field, value, reason, parameters.pointerTo(field), rulesetCodes.executeTargetInvalid),
  )
}

function checkOverrides(overrides: Fields, managed: ManagedRuleset): void {
  overrides.allowOnly(overrideNames)
  checkOverrideMembers(overrides)
  for (const category of overrides.objects('categories') ?? []) {
    category.allowOnly(categoryNames)
    category.required('category')
    checkOverrideMembers(category)
  }
  for (const rule of overrides.objects('rules') ?? []) checkRuleOverride(rule, managed)
}

function checkRuleOverride(override: Fields, managed: ManagedRuleset): void {
  override.allowOnly(ruleNames)
  const id = override.required('id')
  const rule = managed.rules.find(candidate => candidate.id === id) ?? failRule(id, override, managed)
  checkOverrideMembers(override)
  const threshold = override.integer('score_threshold')
  if (threshold === undefined) return
  if (rule.scoreThreshold === undefined) {
    override.invalid('score_threshold', 'only the last rule of the ruleset has a score threshold')
  }
  if (threshold < 1) override.invalid('score_threshold', 'it must be at least 1')
}

function failRule(id: string, override: Fields, managed: ManagedRuleset): never {
  const reason = `the ruleset ${managed.id} has no rule with this id`
  return refuse(invalidValue('id', id, reason, override.pointerTo('id'), rulesetCodes.overrideRuleUnknown))
}

/** What overrides of all three levels may hold. */
function checkOverrideMembers(override: Fields): void {
  const action = override.string('action')
  if (action !== undefined && !overrideActions.has(action)) {
    override.invalid('action', `an override takes one of ${[...overrideActions].join(', ')}`)
  }
  override.boolean('enabled')
  if (override.has('sensitivity_level')) {
    override.invalid('sensitivity_level', 'only DDoS protection rulesets have a sensitivity level')
  }
}
