import type { TSchema } from 'typebox'
import type { Json } from '../../model/resource.ts'
import type { Area, Level } from '../access/permissions/groups.ts'

/**
 * Permission that a route needs: none (`open`); valid credentials (`known`: the route itself respects their rights); the
 * permission for the phase of a ruleset (`phase`: checked where the phase is known); or a permission at the account,
 * zone or user of the path.
 */
export type RouteNeed = 'open' | 'known' | 'phase' | readonly [area: Area, level: Level]

/** Description of a route, declared beside it. The OpenAPI document and the permission check use it. */
export interface Operation {
  /** `operationId` of the OpenAPI document. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly need: RouteNeed
  /** Further permissions that the route checks, in words. */
  readonly alsoNeeds?: string
  /** Schema of the result; an array for a list. */
  readonly result?: TSchema
  /** Schema of the request body, where the rulesets or logpush module checks it. */
  readonly body?: TSchema
  /** An example of the request body, where the schema alone is not enough to begin. */
  readonly example?: Json
  /** The successful responses in OpenAPI form, if they differ from 200 with the envelope. */
  readonly answers?: Readonly<Record<number, object>>
  /** The response has the version of the ruleset as its entity tag. */
  readonly tagged?: true
  /** The route accepts `If-Match` with the version that the change is based on. */
  readonly conditional?: true
}

export type OperationDetails = Omit<Operation, 'id' | 'tag' | 'summary' | 'need'>

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** Makes the route configs of operations with one tag. */
export function operationsOf(tag: Tag) {
  return (id: string, summary: string, need: RouteNeed, details: OperationDetails = {}) => ({
    operation: { id, tag, summary, need, ...details } satisfies Operation,
  })
}

export const noContent = { 204: { description: 'Done; no content' } }

/** @param type media type of an answer outside the envelope */
export function textAnswer(type: string): Readonly<Record<number, object>> {
  return { 200: { description: 'Text', content: { [type]: {} } } }
}

export const tags = {
  Accounts: 'The account that owns zones, account rulesets and lists.',
  Zones: 'Domains and their origins.',
  'DNS records': 'The servers of a zone’s host names. Sluice is not a name server.',
  'Load balancing': 'Pools of servers, their health checks, and the host names that use them.',
  'Zone settings': 'Settings of a zone outside its rulesets.',
  Certificates: 'Certificates of a zone for its clients.',
  'Custom pages': 'Pages of accounts and zones in place of the edge’s own.',
  Rulesets: 'Rulesets and rules of accounts and zones, and their versions.',
  Firewall: 'Access rules for addresses, networks and countries; lockdowns and user agent rules of a zone.',
  Lists: 'Custom lists of an account, for use in expressions.',
  Shadow: 'A second configuration of the OWASP ruleset, evaluated but never acted on.',
  Logpush: 'Jobs that push log records to a destination.',
  'Instant Logs': 'Live log records through a WebSocket.',
  Logpull: 'Log records on request; responses with records have no envelope.',
  'Security analytics': 'Security events of zones, one by one and aggregated.',
  Notifications: 'Alerts, the policies that choose their receivers, and the sent notifications.',
  'Request tracer': 'Simulates a request and reports its outcome.',
  Users: 'Users, their roles in accounts, and their sign-ins.',
  Tokens: 'API tokens of users and accounts, and their permissions.',
  Audit: 'The audit trail of changes.',
  'Not enforced': 'Resources that are stored and returned, and have no effect.',
  System: 'Health, metrics and this document.',
} as const

export type Tag = keyof typeof tags
