import type { FastifyRequest } from 'fastify'
import type { Ruleset, Scope } from '../../model/resource.ts'
import { checkPhase, entryPointNotFound, rulesByTag } from '../../rulesets/index.ts'
import { authorize } from '../access/permissions/check.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, scopeOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refused } from '../http/errors.ts'
import { dryRunQuery, noContent, readHooks, sendRuleset, targetOf, writeHooks } from './answers.ts'
import type { ManagedCatalog } from './managed.ts'
import type { RulesetOperations } from './operations.ts'
import type { PhasePath, PhaseVersionPath, RulesetPath, TagPath, VersionPath } from './paths.ts'
import { rulesetSummaryToWire } from './wire.ts'
import { type RulesetWrites, rulesetNotFound, versionNotFound } from './writes.ts'

const onRequest = readHooks

/** Versions of rulesets. Of a managed one, each imported CRS release is a version; upstream shows the newest only. */
export function rulesetVersionRoutes(
  app: Api,
  deps: ApiDeps,
  writes: RulesetWrites,
  managed: () => Promise<ManagedCatalog>,
  scope: Scope['kind'],
  described: RulesetOperations,
): void {
  const { store } = deps
  const list = { config: described.listVersions, onRequest }
  app.get<RulesetPath>('/rulesets/:ruleset_id/versions', list, async request => {
    const { ruleset_id: id } = request.params
    const own = await store.rulesets.versions(scopeOf(request), id)
    const versions = own.length > 0 ? own : (await managed()).versions(id)
    const [first] = versions
    if (first === undefined) throw rulesetNotFound(id)
    authorize(request, { phase: first.phase, level: 'read' })
    return success(versions.map(rulesetSummaryToWire))
  })

  const get = { config: described.getVersion, onRequest }
  app.get<VersionPath>('/rulesets/:ruleset_id/versions/:version', get, async (request, reply) =>
    sendRuleset(request, reply, await versionOf(request, request.params)),
  )

  const deletion = {
    config: described.deleteVersion,
    onRequest: writeHooks,
    schema: { querystring: dryRunQuery },
  }
  app.delete<VersionPath>('/rulesets/:ruleset_id/versions/:version', deletion, async (request, reply) => {
    const { ruleset_id: id, version } = request.params
    await writes.deleteVersion(targetOf(request, deps), id, Number(version))
    return noContent(reply)
  })

  if (scope === 'account') {
    const getByTag = { config: described.getVersionByTag, onRequest }
    app.get<TagPath>(
      '/rulesets/:ruleset_id/versions/:version/by_tag/:tag',
      getByTag,
      async (request, reply) => {
        const { tag } = request.params
        return sendRuleset(request, reply, rulesByTag(await versionOf(request, request.params), tag))
      },
    )
  }

  const listOfEntryPoint = { config: described.listEntryPointVersions, onRequest }
  app.get<PhasePath>('/rulesets/phases/:phase/entrypoint/versions', listOfEntryPoint, async request => {
    const entryPoint = await entryPointOf(request, request.params.phase)
    if (entryPoint === undefined) return success([])
    authorize(request, { phase: entryPoint.phase, level: 'read' })
    const versions = await store.rulesets.versions(entryPoint.scope, entryPoint.id)
    return success(versions.map(rulesetSummaryToWire))
  })

  app.get<PhaseVersionPath>(
    '/rulesets/phases/:phase/entrypoint/versions/:version',
    { config: described.getEntryPointVersion, onRequest },
    async (request, reply) => {
      const { phase, version } = request.params
      const entryPoint = await entryPointOf(request, phase)
      if (entryPoint === undefined) throw refused(entryPointNotFound(phase.slice(0, 64)))
      const found = await store.rulesets.version(entryPoint.scope, entryPoint.id, Number(version))
      if (found === undefined) throw versionNotFound(entryPoint.id, Number(version))
      return sendRuleset(request, reply, found)
    },
  )

  async function versionOf(
    request: FastifyRequest,
    { ruleset_id: id, version }: VersionPath['Params'],
  ): Promise<Omit<Ruleset, 'scope'>> {
    const own = await store.rulesets.version(scopeOf(request), id, Number(version))
    const found = own ?? (await managed()).find(id, version)
    if (found !== undefined) return found
    const known =
      (await store.rulesets.versions(scopeOf(request), id)).length > 0 ||
      (await managed()).versions(id).length > 0
    throw known ? versionNotFound(id, Number(version)) : rulesetNotFound(id)
  }

  async function entryPointOf(request: FastifyRequest, phase: string): Promise<Ruleset | undefined> {
    const known = checkPhase(phase, '', () => undefined)
    return known.ok ? store.rulesets.entryPoint(scopeOf(request), known.value) : undefined
  }
}
