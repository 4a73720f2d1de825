import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import { type StoredZoneSetting, type UrlNormalization, zoneSettingsOf } from '../../model/zone-settings.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { strict, type Wire } from '../http/schemas.ts'
import { noContent, operationsOf } from '../openapi/operation.ts'

const settingId = 'url_normalization'

const members = {
  type: Type.Enum(['cloudflare', 'rfc3986']),
  scope: Type.Enum(['incoming', 'both', 'none']),
}
const body = Type.Object(members, strict)
export const urlNormalizationSchema = Type.Object(members)

const operation = operationsOf('Zone settings')
const described = {
  get: operation('getUrlNormalization', 'Get URL normalization', ['zoneSanitize', 'read'], {
    result: urlNormalizationSchema,
  }),
  update: operation('updateUrlNormalization', 'Set URL normalization', ['zoneSanitize', 'write'], {
    result: urlNormalizationSchema,
    example: { type: 'cloudflare', scope: 'both' },
  }),
  delete: operation(
    'deleteUrlNormalization',
    'Reset URL normalization to its default',
    ['zoneSanitize', 'write'],
    {
      answers: noContent,
    },
  ),
}

/** @source Cloudflare API, URL normalization */
export function urlNormalizationRoutes(app: Api, { store, clock }: ApiDeps): void {
  const writes = new KeyedQueue()

  app.get('/url_normalization', { config: described.get }, async request =>
    success(valueIn(await store.zoneSettings.list(zoneOf(request).id))),
  )

  app.put('/url_normalization', { config: described.update, schema: { body } }, async request => {
    const { id: zoneId } = zoneOf(request)
    const after = toWire(request.body)
    const resource = { kind: settingId, id: zoneId }
    const setting = { id: settingId, value: after, modifiedOn: timestampOf(clock.nowMs()) }
    return writes.write(zoneId, async () => {
      const stored = await store.zoneSettings.list(zoneId)
      const audit = auditEntry(request, { action: 'update', resource, before: valueIn(stored), after })
      await store.zoneSettings.put(zoneId, [setting], audit, { before: stored })
      return success(after)
    })
  })

  /** Resets to the default. */
  app.delete('/url_normalization', { config: described.delete }, async (request, reply) => {
    const { id: zoneId } = zoneOf(request)
    const resource = { kind: settingId, id: zoneId }
    await writes.write(zoneId, async () => {
      const stored = await store.zoneSettings.list(zoneId)
      const audit = auditEntry(request, { action: 'delete', resource, before: valueIn(stored), after: null })
      await store.zoneSettings.delete(zoneId, [settingId], audit, { before: stored })
    })
    return reply.code(204).send()
  })
}

type Shown = Wire<typeof urlNormalizationSchema>

function valueIn(stored: readonly StoredZoneSetting[]): Shown {
  return toWire(zoneSettingsOf(stored).urlNormalization)
}

/** Without other members of the value. */
function toWire({ type, scope }: UrlNormalization): Shown {
  return { type, scope }
}
