const phaseNames: Readonly<Record<string, string>> = {
  http_request_sanitize: 'URL normalization',
  http_request_dynamic_redirect: 'Redirect rules',
  http_request_transform: 'URL rewrites',
  http_config_settings: 'Configuration rules',
  http_request_origin: 'Origin rules',
  http_request_firewall_custom: 'Custom rules',
  http_ratelimit: 'Rate limiting rules',
  http_request_firewall_managed: 'Managed rules',
  http_request_redirect: 'Bulk redirects',
  http_request_late_transform: 'Request header changes',
  http_custom_errors: 'Custom error rules',
  http_response_headers_transform: 'Response header changes',
  http_response_compression: 'Compression rules',
  http_response_firewall_managed: 'Managed rules for responses',
  http_log_custom_fields: 'Custom log fields',
}

/** Checks beside the phases, by the source that events and traces give them, in lower case. */
const checkNames: Readonly<Record<string, string>> = {
  asn: 'IP access rules',
  country: 'IP access rules',
  ip: 'IP access rules',
  iprange: 'IP access rules',
  zonelockdown: 'Zone lockdown',
  uablock: 'User agent rules',
  bic: 'Browser Integrity Check',
  hot: 'Hotlink protection',
  securitylevel: 'Security level',
}

/** The title of a phase or a check; an unknown one keeps its name. */
export function phaseName(phase: string): string {
  return phaseNames[phase] ?? checkName(phase) ?? phase
}

/** The title of the check that events of this source come from; undefined for rules of a phase. */
export function checkName(source: string): string | undefined {
  return checkNames[source.toLowerCase()]
}
