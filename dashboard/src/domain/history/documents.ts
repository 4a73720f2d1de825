import { owaspRulesetId } from '../ruleset/owasp/document.ts'
import { phaseName } from '../ruleset/phase-name.ts'

/** Rulesets for History: any phase, any action. */

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

/** Entry points are named by phase, custom rulesets by their own names. */
export function rulesetName({ kind, name, phase }: Pick<HistoryRuleset, 'kind' | 'name' | 'phase'>): string {
  return kind === 'custom' ? `${name} (${phaseName(phase).toLowerCase()})` : phaseName(phase)
}

/** The display name of a rule. */
export function ruleName({ description, expression, action, action_parameters }: HistoryRule): string {
  if (description) return description
  const { id } = (action_parameters ?? {}) as { readonly id?: unknown }
  if (action === 'execute') return id === owaspRulesetId ? 'OWASP Core Ruleset' : `Ruleset ${id}`
  return expression === undefined || expression === 'true' ? `${action}, all requests` : expression
}
