import type { FastifyRequest } from 'fastify'
import {
  type Account,
  type RulesetPhase,
  rulesetPhases,
  type Scope,
  type Zone,
} from '../../../model/resource.ts'
import { notAuthorized, refusal } from '../../http/errors.ts'
import { credentialsOf } from '../auth.ts'
import type { Area, Level } from './groups.ts'
import type { Resource } from './resources.ts'

/** Permission that a request needs: an area with its level, or the areas of a ruleset phase. */
export type Need =
  | { readonly area: Area; readonly level: Level; readonly resource?: Resource }
  | { readonly phase: RulesetPhase; readonly level: Level }

/**
 * Lets the request go on when its credentials have the permission at the account, zone or user of its path.
 * @throws ApiError 403: at accounts, zones and tokens themselves 9109, below them 10000, for a phase without a code
 */
export function authorize(request: FastifyRequest, need: Need): void {
  if ('phase' in need) {
    if (!mayUsePhase(request, need.phase, need.level)) throw notAuthorized()
    return
  }
  const { rights, at } = credentialsOf(request)
  if (rights.may(need.area, need.level, need.resource ?? resourceOf(request))) return
  throw refusal(at === 'nested' ? 'noPermission' : 'noAccess')
}

/** Whether the credentials may read or write rulesets of this phase at the account or zone of the path. */
export function mayUsePhase(request: FastifyRequest, phase: RulesetPhase, level: Level): boolean {
  const resource = resourceOf(request)
  const { rights } = credentialsOf(request)
  return areasOfPhase(resource.scope === 'zone' ? 'zone' : 'account', phase).every(area =>
    rights.may(area, level, resource),
  )
}

/** Whether the credentials may read an area at the account or zone of the path. */
export function mayRead(request: FastifyRequest, area: Area): boolean {
  return credentialsOf(request).rights.may(area, 'read', resourceOf(request))
}

/** Whether the credentials may change Logpush jobs of the account or zone of the path, and so see their secrets. */
export function mayEditLogs(request: FastifyRequest): boolean {
  const resource = resourceOf(request)
  const area = resource.scope === 'zone' ? 'zoneLogs' : 'accountLogs'
  return credentialsOf(request).rights.may(area, 'write', resource)
}

/** @throws ApiError 403 10000 if the credentials may use no phase here */
export function authorizeSomePhase(request: FastifyRequest, level: Level): void {
  if (!rulesetPhases.some(phase => mayUsePhase(request, phase, level))) throw refusal('noPermission')
}

/**
 * The permissions that a phase needs, all of them.
 * @source Cloudflare's WAF, Rules and Logs documentation: which token permission each product needs
 */
export function areasOfPhase(scope: Scope['kind'], phase: RulesetPhase): readonly Area[] {
  return (scope === 'zone' ? zoneAreas : accountAreas)[phase]
}

const zoneAreas: Readonly<Record<RulesetPhase, readonly Area[]>> = {
  http_request_sanitize: ['zoneSanitize'],
  http_request_dynamic_redirect: ['zoneRedirect'],
  http_request_transform: ['zoneTransform'],
  http_config_settings: ['zoneConfig'],
  http_request_origin: ['zoneOrigin'],
  http_request_firewall_custom: ['zoneWaf'],
  http_ratelimit: ['zoneWaf'],
  http_request_firewall_managed: ['zoneWaf'],
  http_request_redirect: ['zoneRedirect'],
  http_request_late_transform: ['zoneTransform'],
  http_custom_errors: ['zoneErrors'],
  http_response_headers_transform: ['zoneTransform'],
  http_response_compression: ['zoneCompression'],
  http_response_firewall_managed: ['zoneWaf'],
  http_log_custom_fields: ['zoneLogs'],
  ddos_l7: ['zoneDdos'],
  http_request_api_gateway_early: ['zoneGateway'],
  http_request_api_gateway_late: ['zoneGateway'],
  http_request_cache_settings: ['zoneCache'],
  http_request_cloud_connector: ['zoneConnector'],
  http_request_sbfm: ['botManagement'],
  http_request_snippets: ['zoneSnippets'],
  http_response_cache_settings: ['zoneCache'],
  // Cloudflare has the phases for packets only on accounts, and no group for them on a zone.
  ddos_l4: ['zoneConfig'],
  magic_transit: ['zoneConfig'],
  magic_transit_ids_managed: ['zoneConfig'],
  magic_transit_managed: ['zoneConfig'],
  magic_transit_ratelimit: ['zoneConfig'],
}

const accountAreas: Readonly<Record<RulesetPhase, readonly Area[]>> = {
  http_request_sanitize: ['accountRulesets'],
  http_request_dynamic_redirect: ['accountRulesets'],
  http_request_transform: ['accountTransform'],
  http_config_settings: ['accountConfig'],
  http_request_origin: ['accountRulesets'],
  http_request_firewall_custom: ['accountWaf', 'accountRulesets'],
  http_ratelimit: ['accountWaf', 'accountRulesets'],
  http_request_firewall_managed: ['accountWaf', 'accountRulesets'],
  http_request_redirect: ['accountRedirects'],
  http_request_late_transform: ['accountTransform'],
  http_custom_errors: ['accountRulesets'],
  http_response_headers_transform: ['accountTransform'],
  http_response_compression: ['accountRulesets'],
  http_response_firewall_managed: ['accountWaf', 'accountRulesets'],
  http_log_custom_fields: ['accountLogs'],
  ddos_l4: ['accountDdos'],
  ddos_l7: ['accountRulesets'],
  http_request_api_gateway_early: ['accountRulesets'],
  http_request_api_gateway_late: ['accountRulesets'],
  http_request_cache_settings: ['accountRulesets'],
  http_request_cloud_connector: ['accountRulesets'],
  http_request_sbfm: ['accountRulesets'],
  http_request_snippets: ['accountRulesets'],
  http_response_cache_settings: ['accountRulesets'],
  magic_transit: ['magicFirewall'],
  magic_transit_ids_managed: ['magicFirewall'],
  magic_transit_managed: ['magicFirewall'],
  magic_transit_ratelimit: ['magicFirewall'],
}

/** Zone or account of the path; the user behind the credentials when the path names neither. */
export function resourceOf(request: FastifyRequest): Resource {
  const zone = request.getDecorator<Zone | null>('zone')
  if (zone !== null) return zoneResource(zone)
  const account = request.getDecorator<Account | null>('account')
  if (account !== null) return accountResource(account.id)
  return { scope: 'user', id: credentialsOf(request).userId, accountId: '' }
}

export function zoneResource({ id, accountId }: Pick<Zone, 'id' | 'accountId'>): Resource {
  return { scope: 'zone', id, accountId }
}

/** A zone before its creation: no policy names it by its id. */
export function newZoneResource(accountId: string): Resource {
  return { scope: 'zone', id: '', accountId }
}

export function accountResource(id: string): Resource {
  return { scope: 'account', id, accountId: id }
}
