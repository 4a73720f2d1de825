import { type Static, Type } from '@fastify/type-provider-typebox'
import { parseCidr, parseIp } from '../../kit/cidr.ts'
import type { Lockdown, LockdownConfiguration } from '../../model/zone-firewall.ts'
import { lockdownUrlFault } from '../../rulesets/index.ts'
import { refusal } from '../http/errors.ts'
import { id, json, nullable, optional, strict, text, time, type Wire } from '../http/schemas.ts'
import { zoneFirewallLimits as limits } from './limits.ts'
import { contains } from './user-agent-rules.ts'
import type { ZoneRuleKind } from './zone-rules.ts'

const target = Type.Enum(['ip', 'ip_range'])
const limited = Type.String({ maxLength: limits.firewallTextCharactersMax })

export const lockdownSchema = Type.Object({
  id,
  description: optional(text),
  urls: Type.Array(text),
  configurations: Type.Array(Type.Object({ target, value: text })),
  paused: Type.Boolean(),
  priority: optional(Type.Integer()),
  created_on: time,
  modified_on: time,
})

const body = Type.Object(
  {
    id: optional(json),
    created_on: optional(json),
    modified_on: optional(json),
    urls: Type.Array(Type.String({ minLength: 1, maxLength: limits.firewallTextCharactersMax }), {
      minItems: 1,
      maxItems: limits.lockdownUrlsMax,
    }),
    configurations: Type.Array(Type.Object({ target, value: limited }, strict), {
      minItems: 1,
      maxItems: limits.lockdownAddressesMax,
    }),
    description: optional(nullable(limited)),
    paused: optional(nullable(Type.Boolean())),
    priority: optional(nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
  },
  strict,
)

const query = Type.Object({
  description: optional(limited),
  description_search: optional(limited),
  uri_search: optional(limited),
  ip: optional(limited),
  ip_search: optional(limited),
  ip_range_search: optional(limited),
  priority: optional(Type.Integer()),
  created_on: optional(limited),
  modified_on: optional(limited),
  page: optional(Type.Integer({ minimum: 1 })),
  per_page: optional(Type.Integer({ minimum: 1, maximum: limits.lockdownsMax })),
})

/** @source Cloudflare API, Zone Lockdown rules */
export const lockdowns: ZoneRuleKind<Lockdown, Static<typeof body>, Static<typeof query>> = {
  kind: 'lockdown',
  words: 'lockdown',
  noun: 'Lockdown',
  path: '/firewall/lockdowns',
  schema: lockdownSchema,
  body,
  query,
  example: {
    description: 'staff only',
    urls: ['shop.example/admin*'],
    configurations: [{ target: 'ip_range', value: '192.0.2.0/24' }],
  },
  max: limits.lockdownsMax,
  all: ({ lockdowns }) => lockdowns,
  selects: asked => rule => {
    const { description = '', urls, configurations, priority } = rule
    const values = configurations.map(({ value }) => value)
    const has = (part = '') => values.some(value => contains(value, part))
    return (
      contains(description, asked.description ?? asked.description_search ?? '') &&
      urls.some(url => contains(url, asked.uri_search ?? '')) &&
      (asked.ip === undefined || values.includes(asked.ip)) &&
      has(asked.ip_search) &&
      has(asked.ip_range_search) &&
      (asked.priority === undefined || asked.priority === priority) &&
      rule.createdOn.startsWith(asked.created_on ?? '') &&
      rule.modifiedOn.startsWith(asked.modified_on ?? '')
    )
  },
  from: ({ urls, configurations, description, paused, priority }, facts, zone) => {
    for (const [at, url] of urls.entries()) requireValue(lockdownUrlFault(url, zone.name), url, `/urls/${at}`)
    for (const [at, configuration] of configurations.entries())
      requireValue(addressFault(configuration), configuration.value, `/configurations/${at}/value`)
    return {
      ...facts,
      urls,
      configurations,
      description: description ?? undefined,
      paused: paused ?? false,
      priority: priority ?? undefined,
    }
  },
  toWire: ({ id, description, urls, configurations, paused, priority, createdOn, modifiedOn }) =>
    ({
      id,
      ...(description !== undefined && { description }),
      urls,
      configurations,
      paused,
      ...(priority !== undefined && { priority }),
      created_on: createdOn,
      modified_on: modifiedOn,
    }) satisfies Wire<typeof lockdownSchema>,
  change: (id, stored) => ({ kind: 'lockdown', id, stored }),
}

function addressFault({ target, value }: LockdownConfiguration): string | undefined {
  if (target === 'ip') return parseIp(value) === undefined ? 'it is not an IP address' : undefined
  const isRange = value.includes('/') && parseCidr(value) !== undefined
  return isRange ? undefined : 'it is not a range of addresses such as 192.0.2.0/24'
}

/** @throws ApiError 400 */
function requireValue(fault: string | undefined, value: string, pointer: string): void {
  if (fault === undefined) return
  const field = pointer.slice(1).replaceAll('/', '.')
  throw refusal('badValue', { value: value.slice(0, 100), field, reason: fault }, pointer)
}
