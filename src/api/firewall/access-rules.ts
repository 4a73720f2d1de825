import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { neverMatches } from '../../coverage/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { AccessRule, AccessTarget } from '../../model/access-rule.ts'
import type { Scope } from '../../model/resource.ts'
import { accessRuleKey, accessRuleValue, anyAccessRuleKey } from '../../rulesets/index.ts'
import { accessRuleLimits } from '../../store/limits.ts'
import type { AccessRuleQuery } from '../../store/port/access-rules.ts'
import { StoreError } from '../../store/port/error.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, scopeOf } from '../http/context.ts'
import { type Message, pageOf, success } from '../http/envelope.ts'
import { apiErrors, entry, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import {
  type AccessRuleInput,
  type AccessRuleListQuery,
  type AccessRulePatch,
  accessRuleBody,
  accessRuleListQuery,
  accessRulePatch,
  accessRuleSchema,
  accessRuleToWire,
} from './access-rule-wire.ts'

const operation = operationsOf('Firewall')
const path = '/firewall/access_rules/rules'

/** Accounts and zones have the same routes; each has its own operation ids and permissions. */
function describedFor(scope: Scope['kind']) {
  const [at, whose, area] =
    scope === 'zone'
      ? (['Zone', 'of a zone', 'zoneFirewall'] as const)
      : (['Account', 'of an account', 'accountFirewall'] as const)
  const result = accessRuleSchema
  const example = { mode: 'block', configuration: { target: 'ip', value: '198.51.100.4' }, notes: 'scraper' }
  return {
    list: operation(`listAccessRules${at}`, `List the IP access rules ${whose}`, [area, 'read'], {
      result: Type.Array(result),
    }),
    create: operation(`createAccessRule${at}`, `Create an IP access rule ${whose}`, [area, 'write'], {
      result,
      example,
    }),
    get: operation(`getAccessRule${at}`, `Get an IP access rule ${whose}`, [area, 'read'], { result }),
    edit: operation(
      `editAccessRule${at}`,
      `Change mode or notes of an IP access rule ${whose}`,
      [area, 'write'],
      { result, example: { mode: 'challenge' } },
    ),
    delete: operation(`deleteAccessRule${at}`, `Delete an IP access rule ${whose}`, [area, 'write'], {
      result: idSchema,
    }),
  }
}

interface RulePath {
  Params: { readonly access_rule_id: string }
}

/** @source Cloudflare API, IP access rules */
export function accessRuleRoutes(app: Api, deps: ApiDeps, scopeKind: Scope['kind']): void {
  const described = describedFor(scopeKind)
  const { accessRules } = deps.store
  const writes = new KeyedQueue()
  const now = () => timestampOf(deps.clock.nowMs())
  const one = `${path}/:access_rule_id`

  const list = { config: described.list, schema: { querystring: accessRuleListQuery } }
  app.get(path, list, async request => {
    const { page: number = 1, per_page: size = perPage } = request.query
    const query = queryOf(request.query, { offset: (number - 1) * size, limit: size })
    const { rules, total } = await accessRules.list(scopeOf(request), query)
    return pageOf(
      rules.map(rule => accessRuleToWire(rule, request)),
      number,
      size,
      total,
    )
  })

  app.post(path, { config: described.create, schema: { body: accessRuleBody } }, async request => {
    const rule = newRule(request.body, scopeOf(request), now())
    const kept = unenforced(rule, deps)
    const shown = accessRuleToWire(rule, request)
    const audit = auditEntry(request, changed('create', rule, null, { ...shown, ...auditNote(kept) }))
    await accessRules.insert(rule, audit).catch(error => {
      throw error instanceof StoreError ? refusalOfNew(rule, error) : error
    })
    return success(shown, kept)
  })

  app.get<RulePath>(one, { config: described.get, onRequest: requireIds }, async request =>
    success(accessRuleToWire(await found(request), request)),
  )

  const edit = { config: described.edit, onRequest: requireIds, schema: { body: accessRulePatch } }
  app.patch<RulePath & { Body: AccessRulePatch }>(one, edit, async request =>
    writes.write(request.params.access_rule_id, async () => {
      const before = await found(request)
      const { mode = before.mode, notes = before.notes, configuration } = request.body
      requireSameTarget(before, configuration)
      const rule = { ...before, mode, notes: notes ?? '', modifiedOn: now() }
      const kept = unenforced(rule, deps)
      const shown = accessRuleToWire(rule, request)
      const audit = changed('update', rule, accessRuleToWire(before, request), {
        ...shown,
        ...auditNote(kept),
      })
      await accessRules.update(rule, auditEntry(request, audit), { before })
      return success(shown, kept)
    }),
  )

  const deletion = { config: described.delete, onRequest: requireIds }
  app.delete<RulePath>(one, deletion, async request =>
    writes.write(request.params.access_rule_id, async () => {
      const before = await found(request)
      const audit = changed('delete', before, accessRuleToWire(before, request), null)
      await accessRules.delete(auditEntry(request, audit), { before })
      return success({ id: before.id })
    }),
  )

  async function found(request: FastifyRequest): Promise<AccessRule> {
    const { access_rule_id: id } = request.params as RulePath['Params']
    const rule = await accessRules.get(scopeOf(request), id)
    if (rule === undefined) throw refusal('accessRuleNotFound', { id })
    return rule
  }
}

/** @source Cloudflare API */
const perPage = 20

function queryOf(
  query: AccessRuleListQuery,
  page: Pick<AccessRuleQuery, 'offset' | 'limit'>,
): AccessRuleQuery {
  const { mode, notes, match = 'all', order, direction = order === undefined ? 'desc' : 'asc' } = query
  const { 'configuration.target': target, 'configuration.value': value } = query
  return {
    filter: {
      ...(mode !== undefined && { mode }),
      ...(target !== undefined && { target }),
      ...(value !== undefined && { key: askedKey(value, target) }),
      ...(notes !== undefined && { notes }),
    },
    match,
    order: order === undefined ? 'created_on' : orders[order],
    direction,
    ...page,
  }
}

/** @returns a key that no rule has, when no rule can have the value */
function askedKey(value: string, target: AccessTarget | undefined): string {
  return (target === undefined ? anyAccessRuleKey(value) : accessRuleKey(target, value)) ?? ''
}

const orders = {
  'configuration.target': 'target',
  'configuration.value': 'value',
  mode: 'mode',
} as const

/** @throws ApiError 400 for a value that the target cannot have */
function newRule({ mode, configuration, notes }: AccessRuleInput, scope: Scope, now: string): AccessRule {
  const { target } = configuration
  const key = accessRuleKey(target, configuration.value)
  if (key === undefined) throw badValue(configuration.value, forms[target])
  const value = accessRuleValue(target, configuration.value, key)
  return { id: newId(), scope, target, value, key, mode, notes: notes ?? '', createdOn: now, modifiedOn: now }
}

/** @source Cloudflare docs, "IP Access rule parameters" */
const forms: { readonly [T in AccessTarget]: string } = {
  ip: 'target ip needs an IP address such as 192.0.2.3; use ip_range for ranges',
  ip6: 'target ip6 needs an IPv6 address such as 2001:db8::1',
  ip_range: 'target ip_range needs an IPv4 range of /16 or /24, or an IPv6 range of /32, /48 or /64',
  asn: 'target asn needs the number of an autonomous system such as AS64496',
  country: 'target country needs a code of two letters (ISO 3166-1) such as DE',
}

/** @throws ApiError 400 when the body names another target or value than the rule has */
function requireSameTarget(rule: AccessRule, configuration: AccessRulePatch['configuration']): void {
  if (configuration === undefined) return
  const { target, value } = configuration
  if (target === rule.target && accessRuleKey(target, value) === rule.key) return
  throw badValue(value, 'the target of a rule cannot be changed; create another rule and delete this one')
}

function badValue(value: string, reason: string): Error {
  const field = 'configuration.value'
  return refusal('badValue', { value: value.slice(0, 100), field, reason }, '/configuration/value')
}

/**
 * Targets that the installation cannot recognise.
 * @returns messages when it keeps such rules
 * @throws ApiError 400 when it refuses them
 */
function unenforced(rule: AccessRule, deps: ApiDeps): readonly Message[] {
  const reason = neverMatches(rule, deps)
  if (reason === undefined) return []
  const values = { value: rule.value, reason }
  if (deps.notEnforced === 'refuse') throw refusal('accessRuleUnenforced', values, '/configuration/value')
  const { code } = apiErrors.accessRuleUnenforced
  const { message } = entry('accessRuleUnenforced', values)
  return [{ code, message: `not enforced here: ${message}`, type: null }]
}

function auditNote(kept: readonly Message[]): object {
  return kept.length === 0 ? {} : { not_enforced: kept.map(({ message }) => message) }
}

function refusalOfNew({ target, value }: AccessRule, error: StoreError): Error {
  if (error.code === 'conflict') return refusal('accessRuleExists', { target, value }, '/configuration/value')
  if (error.code !== 'full') return error
  return refusal('tooManyAccessRules', { limit: String(accessRuleLimits.accessRulesMax) })
}

function changed(
  action: AuditedChange['action'],
  { id }: AccessRule,
  before: unknown,
  after: unknown,
): AuditedChange {
  return { action, resource: { kind: 'access_rule', id }, before, after }
}
