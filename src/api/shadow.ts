import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../kit/clock.ts'
import type { Shadow } from '../model/resource.ts'
import { type AuditedChange, auditEntry } from './audit.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'

/** Every key is needed: a shadow is replaced whole. */
const shadowBody = Type.Object(
  {
    enabled: Type.Boolean(),
    version: Type.String({ minLength: 1, maxLength: 10 }),
    paranoia_level: Type.Integer({ minimum: 1, maximum: 4 }),
    score_threshold: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
    sample_rate: Type.Number({ minimum: 0, maximum: 1 }),
  },
  { additionalProperties: false },
)

/**
 * A zone's shadow: a second configuration of the OWASP ruleset that is evaluated beside the zone's own and does
 * nothing. Sluice's own resource; at most one a zone.
 */
export function shadowRoutes(app: Api, { store, clock }: ApiDeps): void {
  app.get('/waf/shadow', async request => {
    const shadow = await store.shadows.get(zoneOf(request).id)
    if (shadow === undefined) throw refusal('shadowNotFound')
    return success(shadowToWire(shadow))
  })

  app.put('/waf/shadow', { schema: { body: shadowBody } }, async request => {
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
    const before = await store.shadows.get(zoneId)
    await store.shadows.put(shadow, auditEntry(request, changeOf(zoneId, before, shadow)))
    return success(shadowToWire(shadow))
  })

  app.delete('/waf/shadow', async request => {
    const { id: zoneId } = zoneOf(request)
    const before = await store.shadows.get(zoneId)
    const entry = auditEntry(request, changeOf(zoneId, before, undefined))
    if (before === undefined || !(await store.shadows.delete(zoneId, entry))) throw refusal('shadowNotFound')
    return success(shadowToWire(before))
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

function shadowToWire(shadow: Shadow): object {
  return {
    enabled: shadow.enabled,
    version: shadow.version,
    paranoia_level: shadow.paranoiaLevel,
    score_threshold: shadow.scoreThreshold,
    sample_rate: shadow.sampleRate,
    modified_on: shadow.modifiedOn,
  }
}
