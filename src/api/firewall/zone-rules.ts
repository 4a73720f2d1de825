import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { Json, Zone } from '../../model/resource.ts'
import type { Lockdown, UserAgentRule, ZoneFirewall } from '../../model/zone-firewall.ts'
import type { FirewallChange } from '../../store/port/zone-firewall.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import type { KeyedQueue } from '../http/keyed-queue.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

type Rule = UserAgentRule | Lockdown

/** Known about a rule besides its body. */
export type RuleFacts = Pick<Rule, 'id' | 'zoneId' | 'createdOn' | 'modifiedOn'>

/** One of the kinds of firewall rules that belong to a zone. */
export interface ZoneRuleKind<T extends Rule, Input, Query extends PageQuery> {
  readonly kind: FirewallChange['kind']
  /** In messages. */
  readonly words: string
  /** In the names of operations. */
  readonly noun: string
  readonly path: string
  readonly schema: TSchema
  readonly body: TSchema
  readonly query: TSchema
  readonly example: Json
  readonly max: number
  readonly all: (firewall: ZoneFirewall) => readonly T[]
  readonly selects: (query: Query) => (rule: T) => boolean
  /** @throws ApiError 400 */
  readonly from: (input: Input, facts: RuleFacts, zone: Zone, others: readonly T[]) => T
  readonly toWire: (rule: T) => object
  readonly change: (id: string, stored: T | undefined) => FirewallChange
}

export interface PageQuery {
  readonly page?: number
  readonly per_page?: number
}

/** @source Cloudflare API: the page size of these lists */
const perPage = 20

/** The routes to list, create, read, replace and delete the rules of a kind. */
export function zoneRuleRoutes<T extends Rule, Input, Query extends PageQuery>(
  app: Api,
  { store, clock }: ApiDeps,
  kind: ZoneRuleKind<T, Input, Query>,
  writes: KeyedQueue,
): void {
  const described = describedOf(kind)
  const one = `${kind.path}/:${kind.kind}_id`
  const { zoneFirewall } = store

  const list = { config: described.list, schema: { querystring: kind.query } }
  app.get(kind.path, list, async request => {
    const query = request.query as Query
    const rules = kind.all(await zoneFirewall.read(zoneOf(request).id)).filter(kind.selects(query))
    return page(rules, query.page ?? 1, query.per_page ?? perPage, kind.toWire)
  })

  app.post(kind.path, { config: described.create, schema: { body: kind.body } }, async request =>
    success(
      await change(request, rules => {
        if (rules.length >= kind.max)
          throw refusal('tooManyFirewallRules', { limit: String(kind.max), kind: kind.words })
        return { before: undefined, after: made(request, rules, undefined) }
      }),
    ),
  )

  app.get(one, { config: described.get, onRequest: requireIds }, async request =>
    success(kind.toWire(found(request, kind.all(await zoneFirewall.read(zoneOf(request).id))))),
  )

  const replacement = { config: described.replace, onRequest: requireIds, schema: { body: kind.body } }
  app.put(one, replacement, async request =>
    success(
      await change(request, rules => {
        const before = found(request, rules)
        return { before, after: made(request, rules, before) }
      }),
    ),
  )

  app.delete(one, { config: described.delete, onRequest: requireIds }, async request =>
    success(await change(request, rules => ({ before: found(request, rules), after: undefined }))),
  )

  function change(request: FastifyRequest, make: (rules: readonly T[]) => Changed<T>): Promise<object> {
    const { id: zoneId } = zoneOf(request)
    return writes.write(zoneId, async () => {
      const basis = await zoneFirewall.read(zoneId)
      const changed = make(kind.all(basis))
      const { id } = (changed.after ?? changed.before)!
      const audit = auditEntry(request, audited(kind, id, changed))
      await zoneFirewall.change(zoneId, kind.change(id, changed.after), audit, { before: basis })
      return changed.after === undefined ? { id } : kind.toWire(changed.after)
    })
  }

  function made(request: FastifyRequest, rules: readonly T[], former: T | undefined): T {
    const zone = zoneOf(request)
    const modifiedOn = timestampOf(clock.nowMs())
    const { id = newId(), createdOn = modifiedOn } = former ?? {}
    const others = rules.filter(rule => rule !== former)
    return kind.from(request.body as Input, { id, zoneId: zone.id, createdOn, modifiedOn }, zone, others)
  }

  /** @throws ApiError 404 */
  function found(request: FastifyRequest, rules: readonly T[]): T {
    const id = (request.params as Readonly<Record<string, string>>)[`${kind.kind}_id`]!
    const rule = rules.find(known => known.id === id)
    if (rule === undefined) throw refusal('firewallRuleNotFound', { kind: kind.words, id })
    return rule
  }
}

interface Changed<T> {
  readonly before: T | undefined
  readonly after: T | undefined
}

function audited<T extends Rule, Input, Query extends PageQuery>(
  { kind, toWire }: ZoneRuleKind<T, Input, Query>,
  id: string,
  { before, after }: Changed<T>,
): AuditedChange {
  return {
    action: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
    resource: { kind, id },
    before: before === undefined ? null : toWire(before),
    after: after === undefined ? null : toWire(after),
  }
}

function describedOf<T extends Rule, Input, Query extends PageQuery>({
  noun,
  words,
  schema: result,
  example,
}: ZoneRuleKind<T, Input, Query>) {
  const operation = operationsOf('Firewall')
  const area = 'zoneFirewall'
  return {
    list: operation(`list${noun}s`, `List the ${words}s`, [area, 'read'], { result: Type.Array(result) }),
    create: operation(`create${noun}`, `Create a ${words}`, [area, 'write'], { result, example }),
    get: operation(`get${noun}`, `Get a ${words}`, [area, 'read'], { result }),
    replace: operation(`replace${noun}`, `Replace a ${words}`, [area, 'write'], { result, example }),
    delete: operation(`delete${noun}`, `Delete a ${words}`, [area, 'write'], { result: idSchema }),
  }
}
