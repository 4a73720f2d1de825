import type { Area, Level } from './permissions-groups.ts'

/**
 * What credentials need for a route: nothing (`open`), good credentials (`known`: the route itself shows or does only
 * what they may), the permission for the phase of a ruleset (`phase`: checked where the phase is known), or a
 * permission at the account, zone or user of the path.
 */
export type RouteNeed = 'open' | 'known' | 'phase' | readonly [area: Area, level: Level]

/** What a route is, for those who read about it and for the check of permissions. */
export interface Operation {
  /** `operationId` of the OpenAPI document. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly need: RouteNeed
  /** What the route itself asks for besides, in words. */
  readonly alsoNeeds?: string
  /** Name of the result's schema among the components; `list:` before it for arrays. */
  readonly result?: string
  /** Its request body, where the route checks it in the rulesets or logpush room. */
  readonly body?: string
  /** Status of success when it is not 200. */
  readonly status?: 204
}

export const tags = {
  Accounts: 'The account that owns zones, account rulesets and lists.',
  Zones: 'Domains and their origins.',
  Rulesets: 'Rulesets and rules of accounts and zones, and their versions.',
  Lists: 'Custom lists of an account, which expressions name.',
  Shadow: 'A second configuration of the OWASP ruleset that is evaluated and does nothing.',
  Logpush: 'Jobs that push log records to a destination.',
  'Instant Logs': 'Log records as they come, through a WebSocket.',
  Logpull: 'Log records on request; the answers with records are not in the envelope.',
  'Security analytics': 'What rules did to the requests of zones, event by event and in sums.',
  'Request tracer': 'What would become of a request, were it sent now.',
  Tokens: 'API tokens of users and accounts, and what they permit.',
  Audit: 'Who changed what.',
  System: 'Health, figures and this document; no credentials needed.',
} as const

export type Tag = keyof typeof tags
