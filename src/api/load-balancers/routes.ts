import { Type } from '@fastify/type-provider-typebox'
import type { LoadBalancing, Monitor, Pool } from '../../model/load-balancing.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { requireIds } from '../http/path-ids.ts'
import type { Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { crudRoutes } from './crud.ts'
import { poolHealth, poolHealthSchema, referenceSchema } from './health.ts'
import { loadBalancers, monitors, pools } from './kinds.ts'
import type { LoadBalancingWrites } from './writes.ts'

const operation = operationsOf('Load balancing')
const references = { result: Type.Array(referenceSchema) }
const described = {
  health: operation('getPoolHealth', 'Get the health of a pool', ['loadBalancingPools', 'read'], {
    result: poolHealthSchema,
  }),
  ofPool: operation(
    'listPoolReferences',
    'List the resources that a pool uses, or that use it',
    ['loadBalancingPools', 'read'],
    references,
  ),
  ofMonitor: operation(
    'listMonitorReferences',
    'List the pools that use a monitor',
    ['loadBalancingPools', 'read'],
    references,
  ),
}

type Reference = Wire<typeof referenceSchema>

interface PoolPath {
  Params: { readonly pool_id: string }
}
interface MonitorPath {
  Params: { readonly monitor_id: string }
}

/** @source Cloudflare API, load balancer monitors and pools */
export function poolRoutes(app: Api, { store }: ApiDeps, writes: LoadBalancingWrites): void {
  const poolKind = pools(writes)
  const monitorKind = monitors(writes)
  crudRoutes(app, writes, monitorKind)
  crudRoutes(app, writes, poolKind)

  app.get<PoolPath>(
    `${poolKind.path}/:pool_id/health`,
    { config: described.health, onRequest: requireIds },
    async request => {
      const pool = foundIn((await writes.read(request)).pools, request.params.pool_id, 'pool')
      return success(poolHealth(pool, await store.loadBalancing.health(pool.id)))
    },
  )

  app.get<PoolPath>(
    `${poolKind.path}/:pool_id/references`,
    { config: described.ofPool, onRequest: requireIds },
    async request => {
      const state = await writes.read(request)
      const pool = foundIn(state.pools, request.params.pool_id, 'pool')
      return success([
        ...poolKind.users(pool, state).map(user => reference('referrer', 'load_balancer', user)),
        ...monitorsOf(pool, state),
      ])
    },
  )

  app.get<MonitorPath>(
    `${monitorKind.path}/:monitor_id/references`,
    { config: described.ofMonitor, onRequest: requireIds },
    async request => {
      const state = await writes.read(request)
      const monitor = foundIn(state.monitors, request.params.monitor_id, 'monitor')
      return success(monitorKind.users(monitor, state).map(pool => reference('referrer', 'pool', pool)))
    },
  )
}

/** @source Cloudflare API, load balancers */
export function loadBalancerRoutes(app: Api, writes: LoadBalancingWrites): void {
  crudRoutes(app, writes, loadBalancers)
}

function monitorsOf(pool: Pool, state: LoadBalancing): readonly Reference[] {
  return state.monitors
    .filter(({ id }) => id === pool.monitor)
    .map(({ id, description: name }) => reference('referral', 'monitor', { id, name }))
}

function reference(
  reference_type: Reference['reference_type'],
  resource_type: Reference['resource_type'],
  { id, name }: { readonly id: string; readonly name: string },
): Reference {
  return { reference_type, resource_id: id, resource_name: name, resource_type }
}

function foundIn<T extends Monitor | Pool>(all: readonly T[], id: string, kind: string): T {
  const resource = all.find(one => one.id === id)
  if (resource === undefined) throw refusal('lbNotFound', { kind, id })
  return resource
}
