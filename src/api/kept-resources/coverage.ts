import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import {
  type CoverageStatus,
  coverAccount,
  coverageStatuses,
  coverZone,
  reasonOf,
  type StoredItem,
} from '../../coverage/index.ts'
import type { Scope } from '../../model/resource.ts'
import { mayRead, mayUsePhase } from '../access/permissions/check.ts'
import type { Area } from '../access/permissions/groups.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountIdOf, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { count, describedCount, describedText, nullable, text, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { itemAreas } from './areas.ts'

export const coverageItemSchema = Type.Object({
  type: describedText('type of the Terraform resource'),
  id: nullable(text),
  name: text,
  count: describedCount('the resources of this type that the item stands for'),
  status: Type.Enum([...coverageStatuses]),
  reason: nullable(describedText('the parts that act, or why nothing does; null for what is enforced')),
})

export const coverageSchema = Type.Object({
  counts: Type.Object({ enforced: count, partly: count, not_enforced: count, unknown: count }),
  items: Type.Array(coverageItemSchema),
})

const operation = operationsOf('Not enforced')
const described = {
  zone: operation(
    'getZoneCoverage',
    'List the stored items of a zone as enforced, partly enforced or not enforced',
    ['zoneSettings', 'read'],
    { result: coverageSchema },
  ),
  account: operation(
    'getAccountCoverage',
    'List the stored items of an account as enforced, partly enforced or not enforced',
    ['account', 'read'],
    { result: coverageSchema },
  ),
}

/** `GET …/coverage`: Sluice's own. */
export function coverageRoutes(app: Api, deps: ApiDeps, scope: Scope['kind']): void {
  const { store } = deps
  const areas = itemAreas[scope]
  app.get('/coverage', { config: described[scope] }, async request => {
    const items =
      scope === 'zone'
        ? await coverZone(store, zoneOf(request), deps)
        : await coverAccount(store, accountIdOf(request), deps)
    return success(toWire(items.filter(item => mayReadItem(request, item, areas))))
  })
}

/** The items show names and parts of rules, so each needs the permission to read the resource. */
function mayReadItem(
  request: FastifyRequest,
  { type, phase }: StoredItem,
  areas: ReadonlyMap<string, Area>,
): boolean {
  if (phase !== undefined) return mayUsePhase(request, phase, 'read')
  const area = areas.get(type)
  return area !== undefined && mayRead(request, area)
}

/** The items that need attention come first. */
function toWire(items: readonly StoredItem[]): Wire<typeof coverageSchema> {
  const of = (status: CoverageStatus) => items.filter(({ coverage }) => coverage.status === status)
  const total = (status: CoverageStatus) => of(status).reduce((sum, item) => sum + item.count, 0)
  return {
    counts: {
      enforced: total('enforced'),
      partly: total('partly'),
      not_enforced: total('not_enforced'),
      unknown: total('unknown'),
    },
    items: coverageStatuses.flatMap(of).map(({ type, id = null, name, count: shown, coverage }) => ({
      type,
      id,
      name,
      count: shown,
      status: coverage.status,
      reason: coverage.status === 'enforced' ? null : reasonOf(coverage),
    })),
  }
}
