import { type Static, Type } from '@fastify/type-provider-typebox'
import {
  type LoadBalancer,
  type SessionAffinity,
  type SessionAttributes,
  sessionAffinities,
} from '../../model/load-balancing.ts'
import { optional, strict, text } from '../http/schemas.ts'
import { requireValue } from './refusals.ts'
import { given, some } from './schemas.ts'

const attributes = Type.Object(
  {
    samesite: some(Type.Enum(['Auto', 'Lax', 'None', 'Strict'])),
    secure: some(Type.Enum(['Auto', 'Always', 'Never'])),
    drain_duration: some(Type.Integer({ minimum: 0, maximum: 604_800 })),
    zero_downtime_failover: some(Type.Enum(['none', 'temporary', 'sticky'])),
    headers: some(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 5 })),
    require_all_headers: some(Type.Boolean()),
  },
  strict,
)

export const sessionMembers = {
  session_affinity: some(Type.Enum([...sessionAffinities])),
  session_affinity_ttl: some(Type.Integer({ minimum: 0, maximum: 604_800 })),
  session_affinity_attributes: some(attributes),
}

export const sessionSchema = {
  session_affinity: Type.Enum([...sessionAffinities]),
  session_affinity_ttl: optional(Type.Integer({ description: 'seconds' })),
  session_affinity_attributes: optional(
    Type.Object({
      samesite: optional(text),
      secure: optional(text),
      drain_duration: optional(Type.Integer({ description: 'seconds' })),
      zero_downtime_failover: optional(text),
      headers: optional(Type.Array(text)),
      require_all_headers: optional(Type.Boolean()),
    }),
  ),
}

type Members = { readonly [K in keyof typeof sessionMembers]?: Static<(typeof sessionMembers)[K]> }
type Sessions = Pick<LoadBalancer, 'sessionAffinity' | 'sessionTtlSeconds' | 'sessionAttributes'>

/** Seconds of a session, least and most. */
const ttls: { readonly [affinity in SessionAffinity]?: readonly [number, number] } = {
  cookie: [1800, 604_800],
  ip_cookie: [1800, 604_800],
  header: [30, 3600],
}

/**
 * @param pointer of the members' parent
 * @throws ApiError 400
 */
export function sessionsFrom(input: Members, pointer: string): Sessions {
  const sent = given(input)
  const by = sent.session_affinity
  // 0 stands for the default.
  const ttl = sent.session_affinity_ttl || undefined
  const [least, most] = ttls[by ?? ''] ?? [0, Number.POSITIVE_INFINITY]
  const isWithin = ttl === undefined || (ttl >= least && ttl <= most)
  const range = isWithin ? undefined : `sessions by ${by} last from ${least} to ${most} seconds`
  requireValue(range, ttl, `${pointer}/session_affinity_ttl`)
  const wire = sent.session_affinity_attributes
  const sessionAttributes = wire && attributesFrom(wire)
  requireUsable(by, sessionAttributes ?? {}, `${pointer}/session_affinity_attributes`)
  return {
    ...(by === undefined ? {} : { sessionAffinity: by }),
    ...(ttl === undefined ? {} : { sessionTtlSeconds: ttl }),
    ...(sessionAttributes === undefined ? {} : { sessionAttributes }),
  }
}

function attributesFrom(wire: Static<typeof attributes>): SessionAttributes {
  const { samesite, drain_duration, zero_downtime_failover, require_all_headers, ...same } = given(wire)
  return {
    ...same,
    ...given({
      sameSite: samesite,
      drainSeconds: drain_duration,
      failover: zero_downtime_failover,
      requiresAllHeaders: require_all_headers,
    }),
  }
}

function requireUsable(
  by: SessionAffinity | undefined,
  { sameSite, secure, failover, headers = [] }: SessionAttributes,
  pointer: string,
): void {
  const insecure = sameSite === 'None' && secure === 'Never'
  requireValue(insecure ? 'samesite None needs secure cookies' : undefined, secure, `${pointer}/secure`)
  for (const [at, name] of headers.entries()) {
    const isName = /^(?:cookie:[\w.-]+(?:,[\w.-]+)*|[\w-]+)$/i.test(name)
    const fault = isName ? undefined : 'it is neither the name of a header nor cookie: with names of cookies'
    requireValue(fault, name, `${pointer}/headers/${at}`)
  }
  if (by !== 'header') return
  const missing = headers.length === 0 ? 'sessions by header need the name of a header' : undefined
  requireValue(missing, '', `${pointer}/headers`)
  const moves = failover === 'sticky' ? 'sessions by header do not move' : undefined
  requireValue(moves, failover, `${pointer}/zero_downtime_failover`)
}

export function sessionsToWire({ sessionAffinity, sessionTtlSeconds, sessionAttributes }: Sessions) {
  return {
    ...(sessionAffinity === undefined ? {} : { session_affinity: sessionAffinity }),
    ...(sessionTtlSeconds === undefined ? {} : { session_affinity_ttl: sessionTtlSeconds }),
    ...(sessionAttributes === undefined
      ? {}
      : { session_affinity_attributes: attributesToWire(sessionAttributes) }),
  }
}

function attributesToWire({
  sameSite,
  drainSeconds,
  failover,
  requiresAllHeaders,
  headers,
  secure,
}: SessionAttributes) {
  return {
    ...(sameSite === undefined ? {} : { samesite: sameSite }),
    ...(secure === undefined ? {} : { secure }),
    ...(drainSeconds === undefined ? {} : { drain_duration: drainSeconds }),
    ...(failover === undefined ? {} : { zero_downtime_failover: failover }),
    ...(headers === undefined ? {} : { headers: [...headers] }),
    ...(requiresAllHeaders === undefined ? {} : { require_all_headers: requiresAllHeaders }),
  }
}
