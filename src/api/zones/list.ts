import { type Static, Type } from '@fastify/type-provider-typebox'
import type { Account, Zone } from '../../model/resource.ts'
import { nameTest, pageQuery } from '../http/list-query.ts'

export const zoneListQuery = Type.Object({
  ...pageQuery,
  name: Type.Optional(Type.String()),
  status: Type.Optional(Type.Enum(['initializing', 'pending', 'active', 'moved'])),
  match: Type.Optional(Type.Enum(['any', 'all'])),
  order: Type.Optional(Type.Enum(['name', 'status', 'account.id', 'account.name', 'plan.id'])),
  'account.id': Type.Optional(Type.String()),
  'account.name': Type.Optional(Type.String()),
})

type Query = Static<typeof zoneListQuery>
type Accounts = ReadonlyMap<string, Pick<Account, 'id' | 'name'>>

/** The zones that the query asks for, in its order; by name when it names none. */
export function selectZones(zones: readonly Zone[], accounts: Accounts, query: Query): Zone[] {
  const tests = zoneTests(accounts, query)
  const selected = zones.filter(zone =>
    query.match === 'any' && tests.length > 0
      ? tests.some(test => test(zone))
      : tests.every(test => test(zone)),
  )
  const sign = query.direction === 'desc' ? -1 : 1
  const order = sortKey(accounts, query.order)
  return selected.sort((a, b) => sign * (compare(order(a), order(b)) || compare(a.name, b.name)))
}

function zoneTests(accounts: Accounts, query: Query): ((zone: Zone) => boolean)[] {
  const tests: ((zone: Zone) => boolean)[] = []
  if (query.name !== undefined) {
    const named = nameTest(query.name)
    tests.push(zone => named(zone.name))
  }
  if (query.status !== undefined) tests.push(() => query.status === 'active')
  if (query['account.id'] !== undefined) tests.push(zone => zone.accountId === query['account.id'])
  if (query['account.name'] !== undefined) {
    const named = nameTest(query['account.name'])
    tests.push(zone => named(accounts.get(zone.accountId)?.name ?? ''))
  }
  return tests
}

/** Status and plan are the same for every zone here, so that the name decides. */
function sortKey(accounts: Accounts, order: Query['order']): (zone: Zone) => string {
  if (order === 'account.id') return zone => zone.accountId
  if (order === 'account.name') return zone => accounts.get(zone.accountId)?.name ?? ''
  return zone => zone.name
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
