import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import {
  type LoadBalancer,
  type LoadBalancing,
  type Monitor,
  type Pool,
  poolsOf,
} from '../../model/load-balancing.ts'
import type { LoadBalancingChange } from '../../store/port/load-balancing.ts'
import { accountIdOf, zoneOf } from '../http/context.ts'
import { loadBalancingLimits } from './limits.ts'
import {
  type LoadBalancerInput,
  loadBalancerBody,
  loadBalancerFrom,
  loadBalancerPatch,
  loadBalancerSchema,
  loadBalancerToWire,
} from './load-balancer.ts'
import { type MonitorInput, monitorBody, monitorFrom, monitorSchema, monitorToWire } from './monitor.ts'
import { type PoolInput, poolBody, poolFrom, poolPatch, poolSchema, poolToWire } from './pool.ts'
import type { LoadBalancingWrites } from './writes.ts'

type Resource = Monitor | Pool | LoadBalancer
type Dates = Pick<Resource, 'id' | 'createdOn' | 'modifiedOn'>

/** One kind of resource, for routes that all kinds have. */
export interface Kind<T extends Resource, Input> {
  readonly kind: LoadBalancingChange['kind']
  /** In messages. */
  readonly words: string
  /** In the names of operations. */
  readonly noun: string
  readonly path: string
  readonly area: 'loadBalancers' | 'loadBalancingPools'
  readonly schema: TSchema
  readonly body: TSchema
  readonly patch: TSchema
  readonly example: Input
  /** For one account. */
  readonly max: number
  /** Of this kind, in the account. */
  readonly all: (state: LoadBalancing) => readonly T[]
  /** Whether the path of the request covers it. */
  readonly covers: (resource: T, request: FastifyRequest) => boolean
  /** @throws ApiError 400 */
  readonly from: (input: Input, dates: Dates, state: LoadBalancing, request: FastifyRequest) => T | Promise<T>
  readonly toWire: (resource: T, request: FastifyRequest) => object
  readonly change: (resource: T, stored: T | undefined) => LoadBalancingChange
  /** Undefined: names may be equal. */
  readonly nameOf: (resource: T) => string | undefined
  readonly users: (resource: T, state: LoadBalancing) => readonly (Pool | LoadBalancer)[]
}

export function monitors(writes: LoadBalancingWrites): Kind<Monitor, MonitorInput> {
  return {
    kind: 'monitor',
    words: 'monitor',
    noun: 'Monitor',
    path: '/load_balancers/monitors',
    area: 'loadBalancingPools',
    schema: monitorSchema,
    body: monitorBody,
    patch: monitorBody,
    example: { type: 'http', path: '/health', expected_codes: '2xx', interval: 15, timeout: 5 },
    max: loadBalancingLimits.monitorsPerAccountMax,
    all: state => state.monitors,
    covers: () => true,
    from: async (input, dates, state, request) => {
      const accountId = accountIdOf(request)
      const monitor = monitorFrom(input, { ...dates, accountId })
      const former = state.monitors.find(({ id }) => id === dates.id)
      // A zone that was deleted since does not hinder other changes.
      if (monitor.probeZone !== undefined && monitor.probeZone !== former?.probeZone)
        await writes.requireZone(monitor.probeZone, accountId, '/probe_zone')
      return monitor
    },
    toWire: monitorToWire,
    change: ({ id }, stored) => ({ kind: 'monitor', id, stored }),
    nameOf: () => undefined,
    users: ({ id }, { pools }) => pools.filter(pool => pool.monitor === id),
  }
}

export function pools(writes: LoadBalancingWrites): Kind<Pool, PoolInput> {
  return {
    kind: 'pool',
    words: 'pool',
    noun: 'Pool',
    path: '/load_balancers/pools',
    area: 'loadBalancingPools',
    schema: poolSchema,
    body: poolBody,
    patch: poolPatch,
    example: { name: 'main', origins: [{ name: 'a', address: '192.0.2.10', port: 8080 }] },
    max: loadBalancingLimits.poolsPerAccountMax,
    all: state => state.pools,
    covers: () => true,
    from: (input, dates, state, request) =>
      poolFrom(
        input,
        { ...dates, accountId: accountIdOf(request) },
        {
          monitors: state.monitors,
          bounds: writes.bounds,
          former: state.pools.find(({ id }) => id === dates.id),
        },
      ),
    toWire: poolToWire,
    change: ({ id }, stored) => ({ kind: 'pool', id, stored }),
    nameOf: ({ name }) => name,
    users: ({ id }, { loadBalancers }) => loadBalancers.filter(one => poolsOf(one).has(id)),
  }
}

export const loadBalancers: Kind<LoadBalancer, LoadBalancerInput> = {
  kind: 'load_balancer',
  words: 'load balancer',
  noun: 'LoadBalancer',
  path: '/load_balancers',
  area: 'loadBalancers',
  schema: loadBalancerSchema,
  body: loadBalancerBody,
  patch: loadBalancerPatch,
  example: {
    name: 'www.shop.example',
    proxied: true,
    default_pools: ['17b5962d775c646f3f9725cbc7a53df4'],
    fallback_pool: '9290f38c5d07c2e2f4df57b1f61d4196',
  },
  max: loadBalancingLimits.loadBalancersPerAccountMax,
  all: state => state.loadBalancers,
  covers: ({ zoneId }, request) => zoneId === zoneOf(request).id,
  from: (input, dates, state, request) => {
    const zone = zoneOf(request)
    return loadBalancerFrom(input, { ...dates, zoneId: zone.id }, zone, state.pools)
  },
  toWire: (balancer, request) => loadBalancerToWire(balancer, zoneOf(request)),
  change: ({ id, zoneId }, stored) => ({ kind: 'load_balancer', id, zoneId, stored }),
  nameOf: ({ name }) => name,
  users: () => [],
}
