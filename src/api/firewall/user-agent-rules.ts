import { type Static, Type } from '@fastify/type-provider-typebox'
import { type UserAgentRule, userAgentModes } from '../../model/zone-firewall.ts'
import { refusal } from '../http/errors.ts'
import { id, json, nullable, optional, strict, text, type Wire } from '../http/schemas.ts'
import { zoneFirewallLimits as limits } from './limits.ts'
import type { ZoneRuleKind } from './zone-rules.ts'

const mode = Type.Enum([...userAgentModes])
const limited = Type.String({ maxLength: limits.firewallTextCharactersMax })

export const userAgentRuleSchema = Type.Object({
  id,
  description: optional(text),
  mode,
  configuration: Type.Object({ target: Type.Literal('ua'), value: text }),
  paused: Type.Boolean(),
})

const body = Type.Object(
  {
    id: optional(json),
    mode,
    configuration: Type.Object(
      {
        target: Type.Literal('ua'),
        value: Type.String({ minLength: 1, maxLength: limits.firewallTextCharactersMax }),
      },
      strict,
    ),
    description: optional(nullable(limited)),
    paused: optional(nullable(Type.Boolean())),
  },
  strict,
)

const query = Type.Object({
  description: optional(limited),
  user_agent: optional(limited),
  paused: optional(Type.Boolean()),
  page: optional(Type.Integer({ minimum: 1 })),
  per_page: optional(Type.Integer({ minimum: 1, maximum: limits.userAgentRulesMax })),
})

/** @source Cloudflare API, User Agent Blocking rules */
export const userAgentRules: ZoneRuleKind<UserAgentRule, Static<typeof body>, Static<typeof query>> = {
  kind: 'ua_rule',
  words: 'user agent rule',
  noun: 'UserAgentRule',
  path: '/firewall/ua_rules',
  schema: userAgentRuleSchema,
  body,
  query,
  example: { mode: 'block', configuration: { target: 'ua', value: 'BadBot/1.0' }, description: 'scraper' },
  max: limits.userAgentRulesMax,
  all: ({ userAgentRules }) => userAgentRules,
  selects:
    ({ description = '', user_agent: part = '', paused }) =>
    rule =>
      contains(rule.description ?? '', description) &&
      contains(rule.userAgent, part) &&
      (paused === undefined || rule.paused === paused),
  from: ({ mode, configuration, description, paused }, facts, _zone, others) => {
    const userAgent = configuration.value
    const same = others.find(other => other.userAgent === userAgent)
    if (same !== undefined) throw refusal('userAgentRuleExists', { id: same.id }, '/configuration/value')
    return { ...facts, userAgent, mode, description: description ?? undefined, paused: paused ?? false }
  },
  toWire: ({ id, description, mode, userAgent, paused }): Wire<typeof userAgentRuleSchema> => ({
    id,
    ...(description !== undefined && { description }),
    mode,
    configuration: { target: 'ua', value: userAgent },
    paused,
  }),
  change: (id, stored) => ({ kind: 'ua_rule', id, stored }),
}

/** Letter case does not matter. */
export function contains(value: string, part: string): boolean {
  return value.toLowerCase().includes(part.toLowerCase())
}
