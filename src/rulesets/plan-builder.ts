import { samplingLimits } from '../kit/limits.ts'
import type { Checked } from '../model/problem.ts'
import { type Phase, phases, type Ruleset } from '../model/resource.ts'
import { logFieldsOf } from './actions/log-custom-field.ts'
import type { PlanInput, PlanPhase, ZonePlan } from './plan.ts'
import { shadowOf } from './plan-executions.ts'
import { PlanLevel } from './plan-level.ts'
import { redactionOf } from './plan-redaction.ts'
import { checked } from './reading.ts'

/**
 * Compiles a zone's documents and its account's into what the edge runs: account before zone, enabled rules only.
 * Zones of the same account share what comes of its rulesets, as long as they are given in the same array.
 * @returns a problem when an expression does not compile or an executed ruleset is not there
 */
export function buildPlan(input: PlanInput): Checked<ZonePlan> {
  return checked(() => {
    const { zone, zoneRulesets, shadow, redaction } = input
    const account = accountLevelOf(input)
    const own = new PlanLevel(zoneRulesets, input)
    const phaseOf = (phase: Phase): PlanPhase | undefined => planPhase(phase, [account, own])
    return {
      zone,
      request: requestPhases.map(phaseOf).filter(phase => phase !== undefined),
      responseHeaders: phaseOf('http_response_headers_transform'),
      response: phaseOf('http_response_firewall_managed'),
      logFields: logFieldsOf(loggingRules(zoneRulesets)),
      redaction: redactionOf(redaction),
      shadow: shadow && shadowOf(shadow, input.managed, own.skips),
      sampleRate: input.sampleRate ?? samplingLimits.defaultRate,
    }
  })
}

const requestPhases = phases.slice(0, phases.indexOf('http_response_headers_transform'))

function planPhase(phase: Phase, levels: readonly PlanLevel[]): PlanPhase | undefined {
  const planned = levels.map(level => level.entryPoints.get(phase)).filter(entry => entry !== undefined)
  if (planned.length === 0) return undefined
  return {
    phase,
    readsBody: planned.some(entry => entry.readsBody),
    rulesets: planned.map(entry => entry.ruleset),
  }
}

function loggingRules(rulesets: readonly Ruleset[]): Ruleset['rules'] {
  return rulesets
    .filter(({ phase, kind }) => phase === 'http_log_custom_fields' && kind === 'zone')
    .flatMap(({ rules }) => rules.filter(rule => rule.enabled))
}

interface AccountLevel extends Pick<PlanInput, 'managed' | 'lists'> {
  readonly level: PlanLevel
}

const accountLevels = new WeakMap<readonly Ruleset[], AccountLevel>()

function accountLevelOf({ accountRulesets, managed, lists }: PlanInput): PlanLevel {
  const known = accountLevels.get(accountRulesets)
  if (known !== undefined && known.managed === managed && known.lists === lists) return known.level
  const level = new PlanLevel(accountRulesets, { managed, lists })
  accountLevels.set(accountRulesets, { managed, lists, level })
  return level
}
