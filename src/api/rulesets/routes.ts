import { Type } from '@fastify/type-provider-typebox'
import type { Scope } from '../../model/resource.ts'
import {
  addRule,
  checkPhase,
  closedProblem,
  closedRuleset,
  closedRulesets,
  deleteRule,
  entryPointNotFound,
  patchRule,
  replaceRuleset,
} from '../../rulesets/index.ts'
import { mayUsePhase } from '../access/permissions/check.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, scopeOf } from '../http/context.ts'
import { cursorPage, notEnforcedMessage } from '../http/envelope.ts'
import { accepted, refused } from '../http/errors.ts'
import { apiLimits } from '../http/limits.ts'
import { pageAfter } from '../http/list-query.ts'
import {
  dryRunQuery,
  noContent,
  readHooks,
  sendRuleset,
  sendWritten,
  targetOf,
  writeHooks,
} from './answers.ts'
import type { ManagedCatalog } from './managed.ts'
import { rulesetOperations } from './operations.ts'
import type { PhasePath, RulePath, RulesetPath } from './paths.ts'
import { rulesetVersionRoutes } from './versions.ts'
import { rulesetSummaryToWire } from './wire.ts'
import { noteOf, type RulesetWrites, rulesetNotFound } from './writes.ts'

/** The rulesets module checks the document; the route requires only an object. */
const body = Type.Object({})
const listQuery = Type.Object({
  cursor: Type.Optional(Type.String({ minLength: 1 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: apiLimits.perPageMax })),
})
const onRequest = writeHooks
/** Rulesets that were kept can be read, also after the setting has changed. */
const ignored = () => undefined
const write = { onRequest, schema: { querystring: dryRunQuery } }
const writeWithBody = { onRequest, schema: { body, querystring: dryRunQuery } }

/** The Rulesets API below an account or a zone; both have the same routes, but for tags, which accounts only have. */
export function rulesetRoutes(
  app: Api,
  deps: ApiDeps,
  writes: RulesetWrites,
  managed: () => Promise<ManagedCatalog>,
  scope: Scope['kind'],
): void {
  const { store } = deps
  const described = rulesetOperations(scope)
  const list = { config: described.list, onRequest: readHooks, schema: { querystring: listQuery } }

  app.get('/rulesets', list, async request => {
    const own = await store.rulesets.list(scopeOf(request))
    const closed = closedRulesets.filter(({ accountOnly }) => !accountOnly || scope === 'account')
    const all = [...(await managed()).latest, ...closed, ...own].filter(({ phase }) =>
      mayUsePhase(request, phase, 'read'),
    )
    const { cursor, per_page: size = apiLimits.perPageMax } = request.query
    const page = pageAfter(all, cursor, size)
    return cursorPage(page.shown.map(rulesetSummaryToWire), page.cursor)
  })

  const get = { config: described.get, onRequest: readHooks }
  app.get<RulesetPath>('/rulesets/:ruleset_id', get, async (request, reply) => {
    const { ruleset_id: id } = request.params
    const ruleset = (await store.rulesets.get(scopeOf(request), id)) ?? (await managed()).find(id)
    if (ruleset !== undefined) return sendRuleset(request, reply, ruleset)
    const closed = closedRuleset(id)
    if (closed === undefined) throw rulesetNotFound(id)
    const answer = sendRuleset(request, reply, { ...closed, rules: [] })
    return { ...answer, messages: [notEnforcedMessage(closedProblem(closed))] }
  })

  app.post('/rulesets', { ...writeWithBody, config: described.create }, async (request, reply) =>
    sendWritten(request, reply, deps, target => writes.create(target, request.body)),
  )

  const update = { ...writeWithBody, config: described.update }
  app.put<RulesetPath>('/rulesets/:ruleset_id', update, async (request, reply) =>
    sendWritten(request, reply, deps, target =>
      writes.change(target, request.params.ruleset_id, (current, context) =>
        replaceRuleset(current, request.body, context),
      ),
    ),
  )

  const deletion = { ...write, config: described.delete }
  app.delete<RulesetPath>('/rulesets/:ruleset_id', deletion, async (request, reply) => {
    await writes.delete(targetOf(request, deps), request.params.ruleset_id)
    return noContent(reply)
  })

  const createRule = { ...writeWithBody, config: described.createRule }
  app.post<RulesetPath>('/rulesets/:ruleset_id/rules', createRule, async (request, reply) =>
    sendWritten(request, reply, deps, target =>
      writes.change(target, request.params.ruleset_id, (current, context) =>
        addRule(current, request.body, context),
      ),
    ),
  )

  const updateRule = { ...writeWithBody, config: described.updateRule }
  app.patch<RulePath>('/rulesets/:ruleset_id/rules/:rule_id', updateRule, async (request, reply) =>
    sendWritten(request, reply, deps, target =>
      writes.change(target, request.params.ruleset_id, (current, context) =>
        patchRule(current, request.params.rule_id, request.body, context),
      ),
    ),
  )

  const ruleDeletion = { ...write, config: described.deleteRule }
  app.delete<RulePath>('/rulesets/:ruleset_id/rules/:rule_id', ruleDeletion, async (request, reply) =>
    sendWritten(request, reply, deps, target =>
      writes.change(target, request.params.ruleset_id, (current, context) =>
        deleteRule(current, request.params.rule_id, context),
      ),
    ),
  )

  const getEntryPoint = { config: described.getEntryPoint, onRequest: readHooks }
  app.get<PhasePath>('/rulesets/phases/:phase/entrypoint', getEntryPoint, async (request, reply) => {
    const { phase } = request.params
    const known = checkPhase(phase, '', ignored)
    const entryPoint = known.ok ? await store.rulesets.entryPoint(scopeOf(request), known.value) : undefined
    if (entryPoint === undefined) throw refused(entryPointNotFound(phase.slice(0, 64)))
    return sendRuleset(request, reply, entryPoint)
  })

  const updateEntryPoint = { ...writeWithBody, config: described.updateEntryPoint }
  app.put<PhasePath>('/rulesets/phases/:phase/entrypoint', updateEntryPoint, async (request, reply) =>
    sendWritten(request, reply, deps, target => {
      const phase = accepted(checkPhase(request.params.phase, '', noteOf(target)))
      return writes.putEntryPoint(target, phase, request.body)
    }),
  )

  rulesetVersionRoutes(app, deps, writes, managed, scope, described)
}
