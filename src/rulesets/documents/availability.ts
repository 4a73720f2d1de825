import type { Checked, Problem } from '../../model/problem.ts'
import {
  isKeptPhase,
  type KeptPhase,
  type Phase,
  phases,
  type RulesetKind,
  type RulesetPhase,
} from '../../model/resource.ts'
import type { Enforcement } from '../../model/zone-setting-table/index.ts'
import { hasNoMeaning, invalidValue, refusal, rulesetCodes, shown } from '../problems.ts'
import { checked, noteOrRefuse, refuse } from '../reading.ts'
import type { NoteNotEnforced } from './write-context.ts'

/** Kind and phase of a ruleset; they decide which actions its rules may have. */
export interface RulesetType {
  readonly kind: RulesetKind
  readonly phase: Phase
}

/** Kind and phase of a stored ruleset: it may be one that is kept and not enforced. */
export interface StoredType {
  readonly kind: RulesetKind
  readonly phase: RulesetPhase
}

export function isEnforced(type: StoredType): type is RulesetType {
  return !isKeptPhase(type.phase)
}

const noDdosRules = 'denial-of-service protection has no separate rules here'
const noCache = 'the edge keeps no cache'
const noPackets = 'the edge sees HTTP requests and not packets'
const noApiGateway = 'there is no API gateway behind it'

/** Cloudflare's phases without a counterpart here, and why. */
const otherPhases: Readonly<Record<string, string>> = {
  ddos_l4: noDdosRules,
  ddos_l7: noDdosRules,
  http_request_api_gateway_early: noApiGateway,
  http_request_api_gateway_late: noApiGateway,
  http_request_cache_settings: noCache,
  http_request_cloud_connector: 'traffic goes to the origin of the zone or of a route rule',
  http_request_sbfm: 'there is no bot management behind it',
  http_request_snippets: 'the edge runs no code of its users',
  http_response_cache_settings: noCache,
  magic_transit: noPackets,
  magic_transit_ids_managed: noPackets,
  magic_transit_managed: noPackets,
  magic_transit_ratelimit: noPackets,
}

/** Cloudflare's actions that would do nothing here, and why. */
const otherActions: Readonly<Record<string, string>> = {
  ddos_dynamic: noDdosRules,
  force_connection_close: noDdosRules,
  score: 'points are given by the rules of the managed OWASP ruleset',
  set_cache_control: noCache,
  set_cache_settings: noCache,
  set_cache_tags: noCache,
  transform_response_html: 'nothing is added to pages',
}

const answers = ['block', 'challenge', 'js_challenge', 'log', 'managed_challenge'] as const

/** The actions of a phase, by the kind of the ruleset. An empty list: there are no rulesets of this kind. */
interface PhaseActions {
  readonly zone: readonly string[]
  readonly root: readonly string[]
  readonly custom: readonly string[]
}

const everywhere = (action: string): PhaseActions => ({ zone: [action], root: [action], custom: [] })
const managedPhase: PhaseActions = {
  zone: ['execute', 'skip'],
  root: ['execute', 'skip'],
  custom: ['skip'],
}

/** @source Rulesets API reference, "Actions" */
const available: Readonly<Record<Phase, PhaseActions>> = {
  http_request_sanitize: everywhere('execute'),
  http_request_dynamic_redirect: everywhere('redirect'),
  http_request_transform: everywhere('rewrite'),
  http_config_settings: everywhere('set_config'),
  http_request_origin: everywhere('route'),
  http_request_firewall_custom: {
    zone: [...answers, 'execute', 'skip'],
    root: ['execute', 'skip'],
    custom: [...answers, 'skip'],
  },
  http_ratelimit: {
    zone: [...answers, 'execute', 'skip'],
    root: [...answers, 'execute', 'skip'],
    custom: [...answers, 'skip'],
  },
  http_request_firewall_managed: managedPhase,
  http_request_redirect: { zone: [], root: ['redirect'], custom: [] },
  http_request_late_transform: everywhere('rewrite'),
  http_custom_errors: everywhere('serve_error'),
  http_response_headers_transform: everywhere('rewrite'),
  http_response_compression: everywhere('compress_response'),
  http_response_firewall_managed: managedPhase,
  http_log_custom_fields: { zone: ['log_custom_field'], root: [], custom: [] },
}

const packetActions = ['block', 'log', 'skip']

/**
 * The actions of phases that are kept and not enforced. Cloudflare publishes none for phases with a separate API: there,
 * each of its actions is accepted.
 * @source Cloudflare's documentation of each product
 */
const keptActions: Readonly<Partial<Record<KeptPhase, readonly string[]>>> = {
  ddos_l4: ['execute'],
  ddos_l7: ['execute'],
  http_request_cache_settings: ['set_cache_settings'],
  http_request_sbfm: [...answers, 'skip'],
  http_response_cache_settings: ['set_cache_control', 'set_cache_settings', 'set_cache_tags'],
  magic_transit: packetActions,
  magic_transit_ids_managed: ['execute'],
  magic_transit_managed: ['execute', 'skip'],
  magic_transit_ratelimit: packetActions,
}

/** Every available action, in alphabetical order. */
export const availableActions: readonly string[] = [
  ...new Set(Object.values(available).flatMap(({ zone, root, custom }) => [...zone, ...root, ...custom])),
].sort()

/** Actions of which Sluice has a part. */
const partlyActions: Readonly<Record<string, string>> = {
  execute:
    'the OWASP ruleset, URL normalization and custom rulesets; the rules of Cloudflare’s other managed rulesets are not public',
  set_config: 'the settings that have a meaning here',
}

/** The effect of each phase of Cloudflare's: first the evaluated phases in the order of a request, then the others. */
export function phaseEnforcement(): ReadonlyMap<string, Enforcement> {
  return new Map([
    ...phases.map((phase): [string, Enforcement] => [phase, { status: 'enforced' }]),
    ...Object.entries(otherPhases).map(notEnforcedBecause),
  ])
}

/** The same for each action, in alphabetical order. */
export function actionEnforcement(): ReadonlyMap<string, Enforcement> {
  const acting = availableActions.map((action): [string, Enforcement] => {
    const how = partlyActions[action]
    return [action, how === undefined ? { status: 'enforced' } : { status: 'partly', how }]
  })
  return new Map([...acting, ...Object.entries(otherActions).map(notEnforcedBecause)].sort())
}

function notEnforcedBecause([name, why]: readonly [string, string]): [string, Enforcement] {
  return [name, { status: 'not_enforced', why }]
}

/**
 * The phase with this name.
 * @param pointer JSON pointer in the body; empty for a phase in a path
 * @param note accepts Cloudflare's phases that are kept without being enforced
 */
export function checkPhase(name: string, pointer = '', note?: NoteNotEnforced): Checked<RulesetPhase> {
  return checked(() => {
    const phase = phases.find(known => known === name)
    if (phase !== undefined) return phase
    const why = Object.hasOwn(otherPhases, name) ? otherPhases[name] : undefined
    if (why === undefined)
      return refuse(invalidValue('phase', name, 'it is not the name of a phase', pointer))
    const problem = hasNoMeaning('phase', name, why, pointer)
    if (!isKeptPhase(name as RulesetPhase)) return refuse(problem)
    noteOrRefuse(problem, note)
    return name as KeptPhase
  })
}

/** The problem of every rule in a phase that is kept and not enforced. */
export function notEnforcedPhase(phase: KeptPhase): Problem {
  return hasNoMeaning('phase', phase, otherPhases[phase]!, '/phase')
}

/** Refuses a kind of ruleset that the phase does not have. */
export function requireKind(type: StoredType, pointer: string): void {
  if (!isEnforced(type) || actionsAt(type).length > 0) return
  const { kind, phase } = type
  const reason =
    kind === 'custom'
      ? 'no rule can execute custom rulesets in it'
      : `the phase exists only at the ${kind === 'zone' ? 'account' : 'zone'} level`
  refuse(invalidValue('phase', phase, reason, pointer))
}

/** Refuses an action that is not available in a ruleset of this kind and phase. */
export function requireAction(action: string, { kind, phase }: RulesetType, pointer: string): void {
  if (actionsAt({ kind, phase }).includes(action)) return
  const why = Object.hasOwn(otherActions, action) ? otherActions[action] : undefined
  if (why !== undefined) refuse(hasNoMeaning('action', action, why, pointer))
  refuseAction(action, { kind, phase }, actionsAt({ kind, phase }), pointer)
}

/** Refuses an action that Cloudflare does not have in a phase that is kept and not enforced. */
export function requireKeptAction(action: string, type: StoredType & { phase: KeptPhase }, at: string): void {
  const known = keptActions[type.phase]
  if (known === undefined ? isAction(action) : known.includes(action)) return
  refuseAction(action, type, known ?? [], at)
}

function isAction(action: string): boolean {
  return availableActions.includes(action) || Object.hasOwn(otherActions, action)
}

/** @param possible the actions that the message names */
function refuseAction(
  action: string,
  { kind, phase }: StoredType,
  possible: readonly string[],
  pointer: string,
): never {
  if (!isAction(action))
    refuse(refusal(rulesetCodes.unknownAction, `unknown variant for action: ${shown(action)}`, pointer))
  const fix = possible.length === 0 ? '' : `; possible are ${possible.join(', ')}`
  const reason = `it is not possible to use the ${action} action in a ruleset with phase ${phase} and kind ${kind}${fix}`
  return refuse(invalidValue('action', action, reason, pointer, rulesetCodes.actionNotInPhase))
}

function actionsAt({ kind, phase }: RulesetType): readonly string[] {
  return kind === 'managed' ? [] : available[phase][kind]
}
