import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Account, Scope, Zone } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { notRouted } from './errors.ts'

/** Fastify with handlers typed by their TypeBox schemas. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

export function declareRequestParts(app: Api): void {
  for (const name of ['actor', 'credentials', 'account', 'zone', 'scope']) app.decorateRequest(name, null)
}

/** For routes below `/accounts/:account_id`: 404 unless the account exists. */
export function requireAccount(store: Store): onRequestAsyncHookHandler {
  return async request => {
    const { account_id: id } = request.params as { account_id: string }
    const account = await store.accounts.get(id)
    if (account === undefined) throw notRouted(request.url)
    request.setDecorator('account', account)
    request.setDecorator<Scope>('scope', { kind: 'account', id })
  }
}

/** For routes below `/zones/:zone_id`: 404 unless the zone exists. */
export function requireZone(store: Store): onRequestAsyncHookHandler {
  return async request => {
    const { zone_id: id } = request.params as { zone_id: string }
    const zone = await store.zones.get(id)
    if (zone === undefined) throw notRouted(request.url)
    request.setDecorator('zone', zone)
    request.setDecorator<Scope>('scope', { kind: 'zone', id })
  }
}

export function accountOf(request: FastifyRequest): Account {
  return request.getDecorator<Account>('account')
}

export function zoneOf(request: FastifyRequest): Zone {
  return request.getDecorator<Zone>('zone')
}

/** Of the account or the zone of the path. */
export function accountIdOf(request: FastifyRequest): string {
  const account = request.getDecorator<Account | null>('account')
  return account?.id ?? request.getDecorator<Zone>('zone').accountId
}

export function scopeOf(request: FastifyRequest): Scope {
  return request.getDecorator<Scope>('scope')
}
