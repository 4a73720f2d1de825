import { Type } from '@fastify/type-provider-typebox'
import { apiLimits } from '../kit/limits.ts'
import type { Scope } from '../model/resource.ts'
import {
  addRule,
  checkPhase,
  deleteRule,
  entryPointNotFound,
  patchRule,
  replaceRuleset,
} from '../rulesets/index.ts'
import { type Api, scopeOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { cursorPage } from './envelope.ts'
import { accepted, refused } from './errors.ts'
import { pageAfter } from './list-query.ts'
import type { ManagedCatalog } from './managed.ts'
import { mayUsePhase } from './permissions-check.ts'
import {
  dryRunQuery,
  noContent,
  readHooks,
  sendRuleset,
  sendWritten,
  targetOf,
  writeHooks,
} from './ruleset-answers.ts'
import type { PhasePath, RulePath, RulesetPath } from './ruleset-paths.ts'
import { rulesetVersionRoutes } from './ruleset-versions.ts'
import { rulesetSummaryToWire } from './ruleset-wire.ts'
import { type RulesetWrites, rulesetNotFound } from './ruleset-writes.ts'

/** What is in a document is checked by the rulesets room; here it only has to be an object. */
const body = Type.Object({})
const listQuery = Type.Object({
  cursor: Type.Optional(Type.String({ minLength: 1 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: apiLimits.perPageMax })),
})
const read = { onRequest: readHooks }
const write = { onRequest: writeHooks, schema: { querystring: dryRunQuery } }
const writeWithBody = { onRequest: writeHooks, schema: { body, querystring: dryRunQuery } }

/** The Rulesets API below an account or a zone; both have the same routes, but for tags, which accounts only have. */
export function rulesetRoutes(
  app: Api,
  deps: ApiDeps,
  writes: RulesetWrites,
  managed: () => Promise<ManagedCatalog>,
  scope: Scope['kind'],
): void {
  const { store } = deps

  app.get('/rulesets', { ...read, schema: { querystring: listQuery } }, async request => {
    const own = await store.rulesets.list(scopeOf(request))
    const all = [...(await managed()).latest, ...own].filter(({ phase }) =>
      mayUsePhase(request, phase, 'read'),
    )
    const { cursor, per_page: size = apiLimits.perPageMax } = request.query
    const page = pageAfter(all, cursor, size)
    return cursorPage(page.shown.map(rulesetSummaryToWire), page.cursor)
  })

  app.get<RulesetPath>('/rulesets/:ruleset_id', read, async (request, reply) => {
    const { ruleset_id: id } = request.params
    const ruleset = (await store.rulesets.get(scopeOf(request), id)) ?? (await managed()).find(id)
    if (ruleset === undefined) throw rulesetNotFound(id)
    return sendRuleset(request, reply, ruleset)
  })

  app.post('/rulesets', writeWithBody, async (request, reply) =>
    sendWritten(request, reply, await writes.create(targetOf(request), request.body)),
  )

  app.put<RulesetPath>('/rulesets/:ruleset_id', writeWithBody, async (request, reply) =>
    sendWritten(
      request,
      reply,
      await writes.change(targetOf(request), request.params.ruleset_id, (current, context) =>
        replaceRuleset(current, request.body, context),
      ),
    ),
  )

  app.delete<RulesetPath>('/rulesets/:ruleset_id', write, async (request, reply) => {
    await writes.delete(targetOf(request), request.params.ruleset_id)
    return noContent(reply)
  })

  app.post<RulesetPath>('/rulesets/:ruleset_id/rules', writeWithBody, async (request, reply) =>
    sendWritten(
      request,
      reply,
      await writes.change(targetOf(request), request.params.ruleset_id, (current, context) =>
        addRule(current, request.body, context),
      ),
    ),
  )

  app.patch<RulePath>('/rulesets/:ruleset_id/rules/:rule_id', writeWithBody, async (request, reply) =>
    sendWritten(
      request,
      reply,
      await writes.change(targetOf(request), request.params.ruleset_id, (current, context) =>
        patchRule(current, request.params.rule_id, request.body, context),
      ),
    ),
  )

  app.delete<RulePath>('/rulesets/:ruleset_id/rules/:rule_id', write, async (request, reply) =>
    sendWritten(
      request,
      reply,
      await writes.change(targetOf(request), request.params.ruleset_id, (current, context) =>
        deleteRule(current, request.params.rule_id, context),
      ),
    ),
  )

  app.get<PhasePath>('/rulesets/phases/:phase/entrypoint', read, async (request, reply) => {
    const { phase } = request.params
    const known = checkPhase(phase)
    const entryPoint = known.ok ? await store.rulesets.entryPoint(scopeOf(request), known.value) : undefined
    if (entryPoint === undefined) throw refused(entryPointNotFound(phase.slice(0, 64)))
    return sendRuleset(request, reply, entryPoint)
  })

  app.put<PhasePath>('/rulesets/phases/:phase/entrypoint', writeWithBody, async (request, reply) => {
    const phase = accepted(checkPhase(request.params.phase))
    return sendWritten(request, reply, await writes.putEntryPoint(targetOf(request), phase, request.body))
  })

  rulesetVersionRoutes(app, deps, writes, managed, scope)
}
