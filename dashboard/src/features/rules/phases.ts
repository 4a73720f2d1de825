import type { ListPhase } from '../../domain/ruleset/rules/document.ts'

/** Texts and properties of the three rule pages. */
export interface PhaseWords {
  readonly phase: ListPhase
  /** Below `/zones/{id}/`. */
  readonly path: string
  readonly title: string
  readonly text: string
  /** Singular: “custom rule”. */
  readonly one: string
  readonly create: string
  readonly emptyTitle: string
  readonly emptyText: string
  readonly actions: readonly string[]
}

const answers = ['managed_challenge', 'block', 'js_challenge', 'challenge', 'log']

export const customRules: PhaseWords = {
  phase: 'http_request_firewall_custom',
  path: 'custom-rules',
  title: 'Custom rules',
  text: 'Custom rules run in order, before rate limiting and managed rules. The first rule that blocks or challenges a request ends evaluation.',
  one: 'custom rule',
  create: 'Create rule',
  emptyTitle: 'No custom rules yet',
  emptyText: 'A custom rule blocks, challenges, logs or skips requests that match an expression.',
  actions: [...answers, 'skip'],
}

export const rateLimits: PhaseWords = {
  phase: 'http_ratelimit',
  path: 'rate-limits',
  title: 'Rate limiting rules',
  text: 'Limit the request rate of clients. Above the limit, the action applies for the configured duration.',
  one: 'rate limiting rule',
  create: 'Create rule',
  emptyTitle: 'No rate limiting rules yet',
  emptyText: 'Rate limits protect logins, searches and other expensive endpoints.',
  actions: [...answers.toSorted((a, b) => Number(b === 'block') - Number(a === 'block')), 'skip'],
}

export const exceptions: PhaseWords = {
  phase: 'http_request_firewall_managed',
  path: 'exceptions',
  title: 'Exceptions',
  text: 'Exceptions skip managed rules for matching requests. An exception applies to the rules below it in the list.',
  one: 'exception',
  create: 'Add exception',
  emptyTitle: 'No exceptions',
  emptyText:
    'If a managed rule blocks legitimate requests, an exception skips that rule, or one value, for those requests.',
  actions: ['skip'],
}
