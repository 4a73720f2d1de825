import { owaspRulesetId } from '../managed/document.ts'

/** Rulesets as History looks at them: any phase, any action. */

export interface HistoryRule {
  readonly id: string
  readonly ref?: string
  readonly action: string
  readonly expression?: string
  readonly description?: string
  readonly enabled?: boolean
  readonly action_parameters?: unknown
}

export interface HistoryRuleset {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly phase: string
  readonly version: string
  readonly last_updated: string
  readonly description: string
  readonly rules: readonly HistoryRule[]
}

const phaseNames: Readonly<Record<string, string>> = {
  http_request_sanitize: 'URL normalization',
  http_request_dynamic_redirect: 'Redirect rules',
  http_request_transform: 'URL rewrites',
  http_config_settings: 'Configuration rules',
  http_request_origin: 'Origin rules',
  http_request_firewall_custom: 'Custom rules',
  http_ratelimit: 'Rate limiting rules',
  http_request_firewall_managed: 'Managed rules',
  http_request_late_transform: 'Request header changes',
  http_response_headers_transform: 'Response header changes',
  http_response_firewall_managed: 'Managed rules for responses',
  http_log_custom_fields: 'Custom log fields',
}

export function phaseName(phase: string): string {
  return phaseNames[phase] ?? phase
}

/** Entry points are known by their phase, custom rulesets by their names. */
export function rulesetName({ kind, name, phase }: Pick<HistoryRuleset, 'kind' | 'name' | 'phase'>): string {
  return kind === 'custom' ? `${name} (${phaseName(phase).toLowerCase()})` : phaseName(phase)
}

/** What people call a rule. */
export function ruleName({ description, expression, action, action_parameters }: HistoryRule): string {
  if (description) return description
  const { id } = (action_parameters ?? {}) as { readonly id?: unknown }
  if (action === 'execute') return id === owaspRulesetId ? 'OWASP Core Ruleset' : `Ruleset ${id}`
  return expression === undefined || expression === 'true' ? `${action}, for all requests` : expression
}
