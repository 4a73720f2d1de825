import { Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ruleset } from '../../model/resource.ts'
import { auditEntry } from '../access/audit/entry.ts'
import { authorize, authorizeSomePhase } from '../access/permissions/check.ts'
import type { ApiDeps } from '../deps.ts'
import { scopeOf, zoneOf } from '../http/context.ts'
import { type Envelope, inPartMessage, notEnforcedMessage, success } from '../http/envelope.ts'
import { requireIds } from '../http/path-ids.ts'
import { expectedOf } from './if-match.ts'
import { rulesetToWire } from './wire.ts'
import type { Target } from './writes.ts'

export const dryRunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'true: all checks run, nothing is stored, and the result is null',
    }),
  ),
})

/** Hooks of every route: well-formed ids, and credentials that may use some phase here. */
export const readHooks = [requireIds, async (request: FastifyRequest) => authorizeSomePhase(request, 'read')]
export const writeHooks = [
  requireIds,
  async (request: FastifyRequest) => authorizeSomePhase(request, 'write'),
]

export function isDryRun(request: FastifyRequest): boolean {
  return (request.query as { dry_run?: string }).dry_run === 'true'
}

/** @throws ApiError 400 when `If-Match` cannot be read */
export function targetOf(request: FastifyRequest, { notEnforced }: Pick<ApiDeps, 'notEnforced'>): Target {
  const scope = scopeOf(request)
  return {
    scope,
    accountId: scope.kind === 'account' ? scope.id : zoneOf(request).accountId,
    dryRun: isDryRun(request),
    expected: expectedOf(request),
    audit: change => auditEntry(request, change),
    authorize: phase => authorize(request, { phase, level: 'write' }),
    kept: notEnforced === 'keep' ? new Map() : undefined,
    inPart: new Map(),
  }
}

/**
 * Sends the version as entity tag. A write with `If-Match` is refused if that version is not the newest.
 * @throws ApiError 403 when the credentials may not read its phase
 */
export function sendRuleset(
  request: FastifyRequest,
  reply: FastifyReply,
  ruleset: Omit<Ruleset, 'scope'>,
): Envelope {
  authorize(request, { phase: ruleset.phase, level: 'read' })
  reply.header('etag', `"${ruleset.version}"`)
  return success(rulesetToWire(ruleset))
}

/** The answer to a write. The result of a dry run is null. */
export async function sendWritten(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Pick<ApiDeps, 'notEnforced'>,
  write: (target: Target) => Promise<Ruleset>,
): Promise<Envelope> {
  const target = targetOf(request, deps)
  const ruleset = await write(target)
  const answer = isDryRun(request) ? success(null) : sendRuleset(request, reply, ruleset)
  const kept = [...(target.kept?.values() ?? [])].map(notEnforcedMessage)
  return { ...answer, messages: [...kept, ...[...target.inPart.values()].map(inPartMessage)] }
}

export function noContent(reply: FastifyReply): FastifyReply {
  return reply.code(204).send()
}
