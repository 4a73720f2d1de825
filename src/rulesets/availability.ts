import type { Checked } from '../model/problem.ts'
import { type Phase, phases, type RulesetKind } from '../model/resource.ts'
import { invalidValue, notAvailable, refusal, rulesetCodes } from './problems.ts'
import { checked, refuse } from './reading.ts'

/** Where a ruleset stands; decides what its rules may be. */
export interface Place {
  readonly kind: RulesetKind
  readonly phase: Phase
}

/** Phases of Cloudflare that this version does not evaluate. */
const otherPhases: ReadonlySet<string> = new Set([
  'ddos_l4',
  'ddos_l7',
  'http_config_settings',
  'http_custom_errors',
  'http_ratelimit',
  'http_request_cache_settings',
  'http_request_dynamic_redirect',
  'http_request_late_transform',
  'http_request_origin',
  'http_request_redirect',
  'http_request_sanitize',
  'http_request_sbfm',
  'http_request_transform',
  'http_response_cache_settings',
  'http_response_compression',
  'http_response_headers_transform',
  'magic_transit',
  'magic_transit_ids_managed',
  'magic_transit_managed',
  'magic_transit_ratelimit',
])

/** Every action of Cloudflare's rulesets. */
const knownActions: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'compress_response',
  'ddos_dynamic',
  'execute',
  'force_connection_close',
  'js_challenge',
  'log',
  'log_custom_field',
  'managed_challenge',
  'redirect',
  'rewrite',
  'route',
  'score',
  'serve_error',
  'set_cache_control',
  'set_cache_settings',
  'set_cache_tags',
  'set_config',
  'skip',
  'transform_response_html',
])

/** What a rule may do in one place; `missing` are actions that Cloudflare has there and this version has not. */
interface ActionChoice {
  readonly available: readonly string[]
  readonly missing: readonly string[]
}

const zoneActions: Readonly<Record<Phase, ActionChoice>> = {
  http_request_firewall_custom: {
    available: ['block', 'challenge', 'js_challenge', 'log', 'managed_challenge'],
    missing: ['execute', 'rewrite', 'skip'],
  },
  http_request_firewall_managed: { available: ['execute'], missing: ['skip'] },
  http_response_firewall_managed: { available: ['execute'], missing: ['skip'] },
  http_log_custom_fields: { available: ['log_custom_field'], missing: [] },
}

const rootActions: Readonly<Record<Phase, ActionChoice>> = {
  http_request_firewall_custom: { available: [], missing: ['execute', 'skip'] },
  http_request_firewall_managed: { available: ['execute'], missing: ['skip'] },
  http_response_firewall_managed: { available: ['execute'], missing: ['skip'] },
  http_log_custom_fields: { available: [], missing: [] },
}

/**
 * The phase with this name.
 * @param pointer its place in the body; empty for a phase in a path
 */
export function checkPhase(name: string, pointer = ''): Checked<Phase> {
  return checked(() => {
    const phase = phases.find(known => known === name)
    if (phase !== undefined) return phase
    if (otherPhases.has(name)) refuse(notAvailable('phase', name, 'the phase', pointer))
    return refuse(invalidValue('phase', name, 'it is not the name of a phase', pointer))
  })
}

/** Refuses an action that cannot stand in a ruleset of this kind and phase. */
export function requireAction(action: string, { kind, phase }: Place, pointer: string): void {
  if (!knownActions.has(action)) {
    refuse(refusal(rulesetCodes.unknownAction, `unknown variant for action: ${action}`, pointer))
  }
  const { available, missing } = (kind === 'root' ? rootActions : zoneActions)[phase]
  if (available.includes(action)) return
  if (missing.includes(action)) refuse(notAvailable('action', action, `the ${action} action`, pointer))
  const reason = `it is not possible to use the ${action} action in a ruleset with phase ${phase} and kind ${kind}`
  refuse(invalidValue('action', action, reason, pointer, rulesetCodes.actionNotInPhase))
}
