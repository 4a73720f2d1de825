import { isIP } from 'node:net'
import { type Static, Type } from '@fastify/type-provider-typebox'
import { canonicalIp } from '../../kit/cidr.ts'
import { type Monitor, originSteerings, type Pool, type PoolOrigin } from '../../model/load-balancing.ts'
import { unsupportedInOrigin, unsupportedInPool } from '../../model/load-balancing-support.ts'
import type { JsonObject } from '../../model/resource.ts'
import { asciiName, isHostName } from '../dns/content.ts'
import { id, json, nullable, optional, strict, text, time, type Wire } from '../http/schemas.ts'
import { type OriginBounds, originFault } from '../zones/origin-address.ts'
import { loadBalancingLimits as limits } from './limits.ts'
import { requireSupported, requireValue } from './refusals.ts'
import { description, given, ignored, port, share, some } from './schemas.ts'

const name = Type.String({ maxLength: limits.lbNameCharactersMax })
const percent = Type.Number({ minimum: 0, maximum: 100 })
const hosts = Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 1 })
const filter = Type.Object({ disable: some(Type.Boolean()), healthy: some(Type.Boolean()) }, strict)

const originBody = Type.Object(
  {
    name: some(name),
    address: Type.String({ minLength: 1, maxLength: 255 }),
    enabled: some(Type.Boolean()),
    weight: some(share),
    port: some(port),
    header: some(Type.Object({ Host: some(hosts) }, strict)),
    flatten_cname: some(Type.Boolean()),
    virtual_network_id: some(text),
    disabled_at: Type.Optional(json),
  },
  strict,
)

/** They decide where Cloudflare checks from, whom it tells and how much it sheds; nothing of it exists here. */
const unused = {
  check_regions: some(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 20 })),
  health_sources: some(Type.Array(Type.Enum(['local', 'regional', 'global']), { maxItems: 3 })),
  latitude: some(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: some(Type.Number({ minimum: -180, maximum: 180 })),
  load_shedding: some(
    Type.Object(
      {
        default_percent: some(percent),
        default_policy: some(Type.Enum(['random', 'hash'])),
        session_percent: some(percent),
        session_policy: some(Type.Enum(['hash'])),
      },
      strict,
    ),
  ),
  notification_email: some(Type.String({ maxLength: 1024 })),
  notification_filter: some(Type.Object({ pool: some(filter), origin: some(filter) }, strict)),
}

const members = {
  name: Type.String({
    minLength: 1,
    maxLength: limits.lbNameCharactersMax,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'letters, digits, `-` and `_`',
  }),
  description,
  enabled: some(Type.Boolean()),
  minimum_origins: some(Type.Integer({ minimum: 0, maximum: limits.originsPerPoolMax })),
  monitor: some(Type.String({ maxLength: 32 })),
  monitor_group: some(text),
  origins: Type.Array(originBody, { minItems: 1, maxItems: limits.originsPerPoolMax }),
  origin_steering: some(Type.Object({ policy: some(Type.Enum([...originSteerings])) }, strict)),
  ...unused,
  networks: Type.Optional(json),
  disabled_at: Type.Optional(json),
}

export const poolBody = Type.Object({ ...members, ...ignored }, strict)
export const poolPatch = Type.Object({ ...Type.Partial(Type.Object(members)).properties, ...ignored }, strict)
export type PoolInput = Static<typeof poolBody>

export const poolSchema = Type.Object({
  id,
  name: text,
  description: text,
  enabled: Type.Boolean(),
  disabled_at: optional(time),
  minimum_origins: Type.Integer(),
  monitor: optional(id),
  origins: Type.Array(
    Type.Object({
      name: text,
      address: text,
      enabled: Type.Boolean(),
      disabled_at: optional(time),
      weight: share,
      port: Type.Integer({ description: '0: the port of the scheme' }),
      flatten_cname: Type.Boolean(),
      header: optional(Type.Object({ Host: Type.Array(text) })),
    }),
  ),
  origin_steering: Type.Object({ policy: Type.Enum([...originSteerings]) }),
  load_shedding: Type.Object({
    default_percent: Type.Number(),
    default_policy: text,
    session_percent: Type.Number(),
    session_policy: text,
  }),
  notification_email: text,
  notification_filter: optional(json),
  check_regions: nullable(Type.Array(text)),
  health_sources: optional(Type.Array(text)),
  latitude: optional(Type.Number()),
  longitude: optional(Type.Number()),
  created_on: time,
  modified_on: time,
})

/** The surroundings that a pool is checked against. */
export interface PoolContext {
  /** Of the account. */
  readonly monitors: readonly Monitor[]
  readonly bounds: OriginBounds
  /** The stored pool that this one replaces. */
  readonly former: Pool | undefined
}

/** The pool that an input describes. @throws ApiError 400 */
export function poolFrom(
  input: PoolInput,
  owned: Pick<Pool, 'id' | 'accountId' | 'createdOn' | 'modifiedOn'>,
  context: PoolContext,
): Pool {
  const { monitor, ...sent } = given(input)
  requireSupported(unsupportedInPool(sent))
  if (monitor !== undefined && monitor !== '') {
    const isKnown = context.monitors.some(known => known.id === monitor)
    requireValue(isKnown ? undefined : 'the account has no such monitor', monitor, '/monitor')
  }
  const unusedSent = Object.keys(unused).map(member => [member, sent[member as keyof typeof unused]] as const)
  return {
    ...owned,
    name: input.name,
    description: sent.description ?? '',
    ...stateFrom(sent.enabled, owned.modifiedOn, context.former),
    minimumOrigins: sent.minimum_origins ?? 1,
    ...(monitor === undefined || monitor === '' ? {} : { monitor }),
    origins: originsFrom(input.origins, owned.modifiedOn, context),
    steering: sent.origin_steering?.policy ?? 'random',
    unused: given(Object.fromEntries(unusedSent)) as JsonObject,
  }
}

/** @param former the state before this change, which may have been disabled already */
function stateFrom(
  enabled: boolean | undefined,
  now: string,
  former: Pick<Pool, 'disabledAt'> | undefined,
): Pick<Pool, 'enabled' | 'disabledAt'> {
  return enabled === false ? { enabled, disabledAt: former?.disabledAt ?? now } : { enabled: true }
}

function originsFrom(inputs: PoolInput['origins'], now: string, context: PoolContext): readonly PoolOrigin[] {
  const seen = new Set<string>()
  return inputs.map((input, at) => {
    const origin = originFrom(input, `/origins/${at}`, now, context)
    const key = `${origin.address} ${origin.port}`
    const twice = seen.has(key) ? 'the pool has this address and port twice' : undefined
    requireValue(twice, origin.address, `/origins/${at}/address`)
    seen.add(key)
    return origin
  })
}

function originFrom(
  input: PoolInput['origins'][number],
  pointer: string,
  now: string,
  { bounds, former }: PoolContext,
): PoolOrigin {
  const { header, port = 0, ...sent } = given(input)
  requireSupported(unsupportedInOrigin(sent), pointer)
  const address = addressFrom(input.address, `${pointer}/address`)
  const ports = port === 0 ? [80, 443] : [port]
  requireValue(originFault(address, ports, bounds), address, `${pointer}/address`)
  const hostHeader = header?.Host?.[0]
  if (hostHeader !== undefined) {
    const isHost = /^[\x21-\x7e]+$/.test(hostHeader) && isHostName(hostHeader.replace(/:\d{1,5}$/, ''))
    requireValue(isHost ? undefined : 'it is not a host name', hostHeader, `${pointer}/header/Host/0`)
  }
  return {
    name: sent.name ?? '',
    address,
    ...stateFrom(
      sent.enabled,
      now,
      former?.origins.find(one => one.address === address && one.port === port),
    ),
    weight: sent.weight ?? 1,
    port,
    ...(hostHeader === undefined ? {} : { hostHeader }),
    unused: { flatten_cname: sent.flatten_cname ?? true },
  }
}

function addressFrom(typed: string, pointer: string): string {
  if (isIP(typed) !== 0) return canonicalIp(typed) ?? typed
  const name = asciiName(typed.replace(/\.$/, ''))
  // Names such as 1.2 are addresses to URL parsers.
  const isName =
    isHostName(name) && URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name
  requireValue(isName ? undefined : 'it is neither an IP address nor a host name', typed, pointer)
  return name
}

const nothingShed = {
  default_percent: 0,
  default_policy: 'random',
  session_percent: 0,
  session_policy: 'hash',
}

export function poolToWire(pool: Pool): Wire<typeof poolSchema> {
  const { load_shedding: shed, ...rest } = pool.unused
  return {
    id: pool.id,
    name: pool.name,
    description: pool.description,
    enabled: pool.enabled,
    ...(pool.disabledAt === undefined ? {} : { disabled_at: pool.disabledAt }),
    minimum_origins: pool.minimumOrigins,
    ...(pool.monitor === undefined ? {} : { monitor: pool.monitor }),
    origins: pool.origins.map(({ hostHeader, unused, ...origin }) => ({
      name: origin.name,
      address: origin.address,
      enabled: origin.enabled,
      ...(origin.disabledAt === undefined ? {} : { disabled_at: origin.disabledAt }),
      weight: origin.weight,
      port: origin.port,
      flatten_cname: unused['flatten_cname'] === true,
      ...(hostHeader === undefined ? {} : { header: { Host: [hostHeader] } }),
    })),
    origin_steering: { policy: pool.steering },
    load_shedding: { ...nothingShed, ...given((shed ?? {}) as JsonObject) },
    notification_email: '',
    check_regions: null,
    ...rest,
    created_on: pool.createdOn,
    modified_on: pool.modifiedOn,
  }
}
