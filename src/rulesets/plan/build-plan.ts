import type { CustomAsset } from '../../model/custom-asset.ts'
import { samplingLimits } from '../../model/limits.ts'
import { originTlsOf } from '../../model/origin-tls.ts'
import type { Checked } from '../../model/problem.ts'
import { type Phase, phases, type Ruleset } from '../../model/resource.ts'
import { noFirewall } from '../../model/zone-firewall.ts'
import { defaultZoneSettings } from '../../model/zone-settings.ts'
import { logFieldsOf } from '../actions/log-custom-field.ts'
import { planLockdowns } from '../firewall/lockdown.ts'
import { planUserAgents } from '../firewall/user-agents.ts'
import { checked } from '../reading.ts'
import { credentialLocations } from './credentials.ts'
import { customPagesOf } from './custom-pages.ts'
import { shadowOf } from './executions.ts'
import { zoneOrigins } from './host-origins.ts'
import { type LevelInput, PlanLevel, type PlannedEntryPoint } from './level.ts'
import type { CredentialLocation, PhaseCredentials, PlanInput, PlanPhase, ZonePlan } from './plan.ts'
import { redactionOf } from './redaction.ts'

/**
 * Compiles the documents of a zone and its account into a plan for the edge: account before zone, enabled rules only.
 * Zones of an account share the compiled rulesets of the account if they pass the same array. A paused zone runs no
 * rules: its traffic goes to the origin and is logged as usual.
 * @returns a problem when an expression does not compile or an executed ruleset does not exist
 */
export function buildPlan(input: PlanInput): Checked<ZonePlan> {
  return checked(() => {
    const { zone, zoneRulesets, redaction, settings = defaultZoneSettings } = input
    const firewall = zone.paused ? noFirewall : (input.firewall ?? noFirewall)
    const shadow = zone.paused ? undefined : input.shadow
    const own = new PlanLevel(zone.paused ? [] : zoneRulesets, {
      ...input,
      assets: input.zoneAssets ?? noAssets,
    })
    const levels = zone.paused ? [] : [accountLevelOf(input), own]
    const locations = credentialLocations(settings, input)
    const phaseOf = (phase: Phase): PlanPhase | undefined => planPhase(phase, levels, locations)
    return {
      zone,
      settings,
      accessRules: zone.paused ? undefined : input.accessRules,
      lockdowns: planLockdowns(firewall.lockdowns),
      userAgents: planUserAgents(firewall.userAgentRules),
      request: requestPhases.map(phaseOf).filter(phase => phase !== undefined),
      // The zone's rules go first: the first rule that matches serves the answer.
      customErrors: planPhase('http_custom_errors', levels.toReversed(), locations),
      responseHeaders: phaseOf('http_response_headers_transform'),
      compression: phaseOf('http_response_compression'),
      response: phaseOf('http_response_firewall_managed'),
      logFields: logFieldsOf(loggingRules(zoneRulesets)),
      redaction: redactionOf(redaction),
      origins: zoneOrigins(input),
      originTls: originTlsOf(input.originCertificates ?? [], settings.originClientAuth),
      customPages: customPagesOf(input.accountPages, input.zonePages),
      shadow: shadow && shadowOf(shadow, input.managed, own.skips),
      sampleRate: zone.paused ? 0 : (input.sampleRate ?? samplingLimits.defaultRate),
    }
  })
}

const requestPhases = phases.slice(0, phases.indexOf('http_custom_errors'))

function planPhase(
  phase: Phase,
  levels: readonly PlanLevel[],
  locations: readonly CredentialLocation[],
): PlanPhase | undefined {
  const planned = levels.map(level => level.entryPoints.get(phase)).filter(entry => entry !== undefined)
  if (planned.length === 0) return undefined
  return {
    phase,
    readsBody: planned.some(entry => entry.readsBody),
    credentials: credentialsOf(planned, locations),
    rulesets: planned.map(entry => entry.ruleset),
  }
}

function credentialsOf(
  planned: readonly PlannedEntryPoint[],
  zoneLocations: readonly CredentialLocation[],
): PhaseCredentials | undefined {
  const locations = planned.some(entry => entry.asksCredentials) ? zoneLocations : []
  const exposed = planned.flatMap(entry => entry.exposed)
  return locations.length === 0 && exposed.length === 0 ? undefined : { locations, exposed }
}

function loggingRules(rulesets: readonly Ruleset[]): Ruleset['rules'] {
  return rulesets
    .filter(({ phase, kind }) => phase === 'http_log_custom_fields' && kind === 'zone')
    .flatMap(({ rules }) => rules.filter(rule => rule.enabled))
}

interface AccountLevel extends LevelInput {
  readonly level: PlanLevel
}

const noAssets: readonly CustomAsset[] = []
const accountLevels = new WeakMap<readonly Ruleset[], AccountLevel>()

function accountLevelOf({
  accountRulesets,
  accountAssets: assets = noAssets,
  ...input
}: PlanInput): PlanLevel {
  const { managed, lists, redirectLists } = input
  const known = accountLevels.get(accountRulesets)
  if (known !== undefined && known.managed === managed && known.lists === lists && known.assets === assets)
    return known.level
  const level = new PlanLevel(accountRulesets, { managed, lists, redirectLists, assets })
  accountLevels.set(accountRulesets, { managed, lists, redirectLists, assets, level })
  return level
}
