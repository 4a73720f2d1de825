import type { ListPhase } from './document.ts'

/** What the pages of the three lists have in common, in the words of each. */
export interface PhaseWords {
  readonly phase: ListPhase
  /** Below `/zones/{id}/`. */
  readonly path: string
  readonly title: string
  readonly text: string
  /** One of the list: “custom rule”. */
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
  text: 'Rules of your own, in order, before rate limits and managed rules. The first that blocks or challenges ends it.',
  one: 'custom rule',
  create: 'Create rule',
  emptyTitle: 'No custom rules yet',
  emptyText: 'A custom rule blocks, challenges, logs or lets through the requests that an expression means.',
  actions: [...answers, 'skip'],
}

export const rateLimits: PhaseWords = {
  phase: 'http_ratelimit',
  path: 'rate-limits',
  title: 'Rate limiting rules',
  text: 'How many requests a client may send. Beyond that, the action is taken for as long as the rule says.',
  one: 'rate limiting rule',
  create: 'Create rule',
  emptyTitle: 'No rate limits yet',
  emptyText: 'A rate limit protects what is costly or worth guessing at, such as a login or a search.',
  actions: [...answers.toSorted((a, b) => Number(b === 'block') - Number(a === 'block')), 'skip'],
}

export const exceptions: PhaseWords = {
  phase: 'http_request_firewall_managed',
  path: 'exceptions',
  title: 'Exceptions',
  text: 'What managed rules leave out, and for which requests. An exception is for what stands below it in the list.',
  one: 'exception',
  create: 'Add exception',
  emptyTitle: 'No exceptions',
  emptyText:
    'When a managed rule stops what is harmless, an exception leaves out just that rule, or one value, for just those requests.',
  actions: ['skip'],
}
