import { Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ruleset } from '../model/resource.ts'
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
import { type Envelope, success } from './envelope.ts'
import { accepted, refused } from './errors.ts'
import type { ManagedCatalog } from './managed.ts'
import { rulesetSummaryToWire, rulesetToWire } from './ruleset-wire.ts'
import { type RulesetWrites, rulesetNotFound, type Target } from './ruleset-writes.ts'

/** What is in a document is checked by the rulesets room; here it only has to be an object. */
const body = Type.Object({})
const querystring = Type.Object({ dry_run: Type.Optional(Type.Enum(['true', 'false'])) })
const write = { schema: { querystring } }
const writeWithBody = { schema: { body, querystring } }

interface RulesetPath {
  Params: { readonly ruleset_id: string }
}
interface RulePath {
  Params: { readonly ruleset_id: string; readonly rule_id: string }
}
interface PhasePath {
  Params: { readonly phase: string }
}

/** The Rulesets API below an account or a zone; both have the same routes. */
export function rulesetRoutes(
  app: Api,
  { store }: ApiDeps,
  writes: RulesetWrites,
  managed: () => Promise<ManagedCatalog>,
): void {
  app.get('/rulesets', async request => {
    const own = await store.rulesets.list(scopeOf(request))
    return success([...(await managed()).latest, ...own].map(rulesetSummaryToWire))
  })

  app.get<RulesetPath>('/rulesets/:ruleset_id', async request => {
    const { ruleset_id: id } = request.params
    const ruleset = (await store.rulesets.get(scopeOf(request), id)) ?? (await managed()).find(id)
    if (ruleset === undefined) throw rulesetNotFound(id)
    return success(rulesetToWire(ruleset))
  })

  app.post('/rulesets', writeWithBody, async request =>
    written(request, await writes.create(targetOf(request), request.body)),
  )

  app.put<RulesetPath>('/rulesets/:ruleset_id', writeWithBody, async request =>
    written(
      request,
      await writes.change(targetOf(request), request.params.ruleset_id, (current, context) =>
        replaceRuleset(current, request.body, context),
      ),
    ),
  )

  app.delete<RulesetPath>('/rulesets/:ruleset_id', write, async (request, reply) => {
    await writes.delete(targetOf(request), request.params.ruleset_id)
    return noContent(reply)
  })

  app.post<RulesetPath>('/rulesets/:ruleset_id/rules', writeWithBody, async request =>
    written(
      request,
      await writes.change(targetOf(request), request.params.ruleset_id, (current, context) =>
        addRule(current, request.body, context),
      ),
    ),
  )

  app.patch<RulePath>('/rulesets/:ruleset_id/rules/:rule_id', writeWithBody, async request =>
    written(
      request,
      await writes.change(targetOf(request), request.params.ruleset_id, (current, context) =>
        patchRule(current, request.params.rule_id, request.body, context),
      ),
    ),
  )

  app.delete<RulePath>('/rulesets/:ruleset_id/rules/:rule_id', write, async request =>
    written(
      request,
      await writes.change(targetOf(request), request.params.ruleset_id, (current, context) =>
        deleteRule(current, request.params.rule_id, context),
      ),
    ),
  )

  app.get<PhasePath>('/rulesets/phases/:phase/entrypoint', async request => {
    const { phase } = request.params
    const known = checkPhase(phase)
    const entryPoint = known.ok ? await store.rulesets.entryPoint(scopeOf(request), known.value) : undefined
    if (entryPoint === undefined) throw refused(entryPointNotFound(phase.slice(0, 64)))
    return success(rulesetToWire(entryPoint))
  })

  app.put<PhasePath>('/rulesets/phases/:phase/entrypoint', writeWithBody, async request => {
    const phase = accepted(checkPhase(request.params.phase))
    return written(request, await writes.putEntryPoint(targetOf(request), phase, request.body))
  })
}

function targetOf(request: FastifyRequest): Target {
  return { scope: scopeOf(request), dryRun: isDryRun(request) }
}

function isDryRun(request: FastifyRequest): boolean {
  return (request.query as { dry_run?: string }).dry_run === 'true'
}

function written(request: FastifyRequest, ruleset: Ruleset): Envelope {
  return success(isDryRun(request) ? null : rulesetToWire(ruleset))
}

function noContent(reply: FastifyReply): FastifyReply {
  return reply.code(204).send()
}
