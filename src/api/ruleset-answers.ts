import { Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ruleset } from '../model/resource.ts'
import { auditEntry } from './audit.ts'
import { scopeOf, zoneOf } from './context.ts'
import { type Envelope, success } from './envelope.ts'
import { authorize, authorizeSomePhase } from './permissions-check.ts'
import { expectedOf } from './ruleset-if-match.ts'
import { requireIds } from './ruleset-paths.ts'
import { rulesetToWire } from './ruleset-wire.ts'
import type { Target } from './ruleset-writes.ts'

export const dryRunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'true: checked in full, nothing is stored, and the result is null',
    }),
  ),
})

/** Of every route: ids that can be ids, and credentials that may read or write some phase here. */
export const readHooks = [requireIds, async (request: FastifyRequest) => authorizeSomePhase(request, 'read')]
export const writeHooks = [
  requireIds,
  async (request: FastifyRequest) => authorizeSomePhase(request, 'write'),
]

export function isDryRun(request: FastifyRequest): boolean {
  return (request.query as { dry_run?: string }).dry_run === 'true'
}

/** @throws ApiError 400 when `If-Match` cannot be read */
export function targetOf(request: FastifyRequest): Target {
  const scope = scopeOf(request)
  return {
    scope,
    accountId: scope.kind === 'account' ? scope.id : zoneOf(request).accountId,
    dryRun: isDryRun(request),
    expected: expectedOf(request),
    audit: change => auditEntry(request, change),
    authorize: phase => authorize(request, { phase, level: 'write' }),
  }
}

/**
 * With the version as entity tag: a write that sends it back as `If-Match` is refused when it is not the newest.
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

/** A dry run has nothing to show. */
export function sendWritten(request: FastifyRequest, reply: FastifyReply, ruleset: Ruleset): Envelope {
  return isDryRun(request) ? success(null) : sendRuleset(request, reply, ruleset)
}

export function noContent(reply: FastifyReply): FastifyReply {
  return reply.code(204).send()
}
