import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import type { Shadow } from '../../model/resource.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { describedText, strict, time, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

/** Every member is required: a PUT replaces the whole shadow. */
const shadowBody = Type.Object(
  {
    enabled: Type.Boolean(),
    version: Type.String({ minLength: 1, maxLength: 10 }),
    paranoia_level: Type.Integer({ minimum: 1, maximum: 4 }),
    score_threshold: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
    sample_rate: Type.Number({ minimum: 0, maximum: 1 }),
  },
  strict,
)

export const shadowSchema = Type.Object({
  enabled: Type.Boolean(),
  version: describedText('`latest` or a version of the managed ruleset'),
  paranoia_level: Type.Integer({ minimum: 1, maximum: 4 }),
  score_threshold: Type.Integer({ minimum: 1 }),
  sample_rate: Type.Number({ minimum: 0, maximum: 1 }),
  modified_on: time,
})

const operation = operationsOf('Shadow')
const described = {
  get: operation('getShadow', 'Get the zone’s shadow', ['zoneWaf', 'read'], { result: shadowSchema }),
  put: operation('putShadow', 'Set the zone’s shadow', ['zoneWaf', 'write'], {
    result: shadowSchema,
    example: {
      enabled: true,
      version: 'latest',
      paranoia_level: 2,
      score_threshold: 25,
      sample_rate: 0.1,
    },
  }),
  delete: operation('deleteShadow', 'Delete the zone’s shadow', ['zoneWaf', 'write'], {
    result: shadowSchema,
  }),
}

/**
 * A zone's shadow: a second configuration of the OWASP ruleset, evaluated beside the zone's own but never acted on.
 * Sluice's own resource; at most one per zone.
 */
export function shadowRoutes(app: Api, { store, clock }: ApiDeps): void {
  const writes = new KeyedQueue()

  app.get('/waf/shadow', { config: described.get }, async request => {
    const shadow = await store.shadows.get(zoneOf(request).id)
    if (shadow === undefined) throw refusal('shadowNotFound')
    return success(shadowToWire(shadow))
  })

  app.put('/waf/shadow', { config: described.put, schema: { body: shadowBody } }, async request => {
    const { id: zoneId } = zoneOf(request)
    const { body } = request
    await requireVersion(store, body.version)
    const shadow: Shadow = {
      zoneId,
      enabled: body.enabled,
      version: body.version,
      paranoiaLevel: body.paranoia_level,
      scoreThreshold: body.score_threshold,
      sampleRate: body.sample_rate,
      modifiedOn: timestampOf(clock.nowMs()),
    }
    return writes.write(zoneId, async () => {
      const before = await store.shadows.get(zoneId)
      await store.shadows.put(shadow, auditEntry(request, changeOf(zoneId, before, shadow)), { before })
      return success(shadowToWire(shadow))
    })
  })

  app.delete('/waf/shadow', { config: described.delete }, async request => {
    const { id: zoneId } = zoneOf(request)
    return writes.write(zoneId, async () => {
      const before = await store.shadows.get(zoneId)
      if (before === undefined) throw refusal('shadowNotFound')
      const entry = auditEntry(request, changeOf(zoneId, before, undefined))
      await store.shadows.delete(zoneId, entry, { before })
      return success(shadowToWire(before))
    })
  })
}

/** @throws ApiError 400 unless it is `latest` or a version of the managed ruleset that is here */
async function requireVersion({ crs }: ApiDeps['store'], version: string): Promise<void> {
  if (version === 'latest') return
  if (/^[1-9]\d{0,8}$/.test(version) && (await crs.byVersion(Number(version))) !== undefined) return
  const reason = 'it is neither latest nor a version of the managed ruleset'
  throw refusal('badValue', { value: version, field: 'version', reason }, '/version')
}

function changeOf(zoneId: string, before: Shadow | undefined, after: Shadow | undefined): AuditedChange {
  return {
    action: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
    resource: { kind: 'shadow', id: zoneId },
    before: before === undefined ? null : shadowToWire(before),
    after: after === undefined ? null : shadowToWire(after),
  }
}

function shadowToWire(shadow: Shadow): Wire<typeof shadowSchema> {
  return {
    enabled: shadow.enabled,
    version: shadow.version,
    paranoia_level: shadow.paranoiaLevel,
    score_threshold: shadow.scoreThreshold,
    sample_rate: shadow.sampleRate,
    modified_on: shadow.modifiedOn,
  }
}
