import type { Permission } from '../../api/permissions.ts'
import type { HistoryScope } from './use-rulesets.ts'

/** Permissions to write a ruleset of a phase. @source docs/reference/api.md */
export function writePermissions(kind: HistoryScope['kind'], phase: string): readonly Permission[] {
  if (kind === 'zone') return [zone[phase] ?? 'zoneWaf write']
  return account[phase] ?? ['accountRulesets write']
}

const zone: Readonly<Record<string, Permission>> = {
  http_request_sanitize: 'zoneSanitize write',
  http_request_dynamic_redirect: 'zoneRedirect write',
  http_request_transform: 'zoneTransform write',
  http_config_settings: 'zoneConfig write',
  http_request_origin: 'zoneOrigin write',
  http_request_late_transform: 'zoneTransform write',
  http_custom_errors: 'zoneErrors write',
  http_response_headers_transform: 'zoneTransform write',
  http_response_compression: 'zoneCompression write',
  http_log_custom_fields: 'zoneLogs write',
  http_request_redirect: 'zoneRedirect write',
  ddos_l7: 'zoneDdos write',
  http_request_api_gateway_early: 'zoneGateway write',
  http_request_api_gateway_late: 'zoneGateway write',
  http_request_cache_settings: 'zoneCache write',
  http_request_cloud_connector: 'zoneConnector write',
  http_request_sbfm: 'botManagement write',
  http_request_snippets: 'zoneSnippets write',
  http_response_cache_settings: 'zoneCache write',
  ddos_l4: 'zoneConfig write',
  magic_transit: 'zoneConfig write',
  magic_transit_ids_managed: 'zoneConfig write',
  magic_transit_managed: 'zoneConfig write',
  magic_transit_ratelimit: 'zoneConfig write',
}

const waf: readonly Permission[] = ['accountWaf write', 'accountRulesets write']

const account: Readonly<Record<string, readonly Permission[]>> = {
  http_request_transform: ['accountTransform write'],
  http_config_settings: ['accountConfig write'],
  http_request_firewall_custom: waf,
  http_ratelimit: waf,
  http_request_firewall_managed: waf,
  http_request_redirect: ['accountRedirects write'],
  http_request_late_transform: ['accountTransform write'],
  http_response_headers_transform: ['accountTransform write'],
  http_response_firewall_managed: waf,
  http_log_custom_fields: ['accountLogs write'],
  ddos_l4: ['accountDdos write'],
  magic_transit: ['magicFirewall write'],
  magic_transit_ids_managed: ['magicFirewall write'],
  magic_transit_managed: ['magicFirewall write'],
  magic_transit_ratelimit: ['magicFirewall write'],
}
