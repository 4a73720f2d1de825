import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import {
  conflictingTransform,
  type ManagedTransform,
  managedRequestTransforms,
  managedResponseTransforms,
  type StoredZoneSetting,
  zoneSettingsOf,
} from '../../model/zone-settings.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { optional, strict, text, type Wire } from '../http/schemas.ts'
import { noContent, operationsOf } from '../openapi/operation.ts'

/** Clients echo the whole entry; only `enabled` counts. */
const change = <T extends ManagedTransform>(ids: readonly T[]) =>
  Type.Array(
    Type.Object(
      {
        id: Type.Enum([...ids]),
        enabled: Type.Boolean(),
        has_conflict: Type.Optional(Type.Boolean()),
        conflicts_with: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
      },
      strict,
    ),
    { maxItems: 20 },
  )
const body = Type.Object(
  {
    managed_request_headers: Type.Optional(change(managedRequestTransforms)),
    managed_response_headers: Type.Optional(change(managedResponseTransforms)),
  },
  strict,
)

const transforms = <T extends ManagedTransform>(ids: readonly T[]) =>
  Type.Array(
    Type.Object({
      id: Type.Enum([...ids]),
      enabled: Type.Boolean(),
      has_conflict: Type.Boolean({ description: 'an enabled transform excludes this one' }),
      conflicts_with: optional(Type.Array(text)),
    }),
  )

export const managedHeadersSchema = Type.Object({
  managed_request_headers: transforms(managedRequestTransforms),
  managed_response_headers: transforms(managedResponseTransforms),
})

const operation = operationsOf('Zone settings')
const described = {
  list: operation('listManagedHeaders', 'List the managed transforms', ['zoneTransform', 'read'], {
    result: managedHeadersSchema,
  }),
  edit: operation('editManagedHeaders', 'Switch managed transforms on or off', ['zoneTransform', 'write'], {
    result: managedHeadersSchema,
    example: {
      managed_request_headers: [{ id: 'add_true_client_ip_headers', enabled: true }],
      managed_response_headers: [{ id: 'remove_x_powered_by_headers', enabled: true }],
    },
  }),
  delete: operation('deleteManagedHeaders', 'Switch all managed transforms off', ['zoneTransform', 'write'], {
    answers: noContent,
  }),
}

const lists = { request: 'managed_request_headers', response: 'managed_response_headers' } as const
const all: readonly ManagedTransform[] = [...managedRequestTransforms, ...managedResponseTransforms]

/** Changes of headers that a zone switches on by name. @source Cloudflare API, managed transforms */
export function managedTransformRoutes(app: Api, { store, clock }: ApiDeps): void {
  const writes = new KeyedQueue()

  app.get('/managed_headers', { config: described.list }, async request =>
    success(toWire(enabledIn(await store.zoneSettings.list(zoneOf(request).id)))),
  )

  /** Omitted transforms stay as they are. */
  app.patch('/managed_headers', { config: described.edit, schema: { body } }, async request => {
    const { id: zoneId } = zoneOf(request)
    const { managed_request_headers: ofRequest = [], managed_response_headers: ofResponse = [] } =
      request.body
    const modifiedOn = timestampOf(clock.nowMs())
    const settings = [...ofRequest, ...ofResponse].map(({ id, enabled: value }) => ({
      id,
      value,
      modifiedOn,
    }))
    return writes.write(zoneId, async () => {
      const stored = await store.zoneSettings.list(zoneId)
      const before = enabledIn(stored)
      const after = new Set(before)
      for (const { id, value } of settings) {
        if (value) after.add(id)
        else after.delete(id)
      }
      refuseConflicts(after, ofRequest)
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'managed_headers', id: zoneId },
        before: toWire(before),
        after: toWire(after),
      })
      await store.zoneSettings.put(zoneId, settings, audit, { before: stored })
      return success(toWire(after))
    })
  })

  app.delete('/managed_headers', { config: described.delete }, async (request, reply) => {
    const { id: zoneId } = zoneOf(request)
    await writes.write(zoneId, async () => {
      const stored = await store.zoneSettings.list(zoneId)
      const audit = auditEntry(request, {
        action: 'delete',
        resource: { kind: 'managed_headers', id: zoneId },
        before: toWire(enabledIn(stored)),
        after: null,
      })
      await store.zoneSettings.delete(zoneId, all, audit, { before: stored })
    })
    return reply.code(204).send()
  })
}

function enabledIn(stored: readonly StoredZoneSetting[]): ReadonlySet<ManagedTransform> {
  return zoneSettingsOf(stored).managedTransforms
}

function refuseConflicts(
  after: ReadonlySet<ManagedTransform>,
  given: readonly { readonly id: ManagedTransform }[],
): void {
  for (const id of after) {
    const other = conflictingTransform[id]
    if (other === undefined || !after.has(other)) continue
    const at = given.findIndex(one => one.id === id)
    throw refusal('managedTransformConflict', { id, other }, `/${lists.request}/${Math.max(0, at)}/enabled`)
  }
}

function toWire(enabled: ReadonlySet<ManagedTransform>): Wire<typeof managedHeadersSchema> {
  const entryOf = <T extends ManagedTransform>(id: T) => {
    const other = conflictingTransform[id]
    return {
      id,
      enabled: enabled.has(id),
      has_conflict: other !== undefined && enabled.has(other),
      ...(other === undefined ? {} : { conflicts_with: [other] }),
    }
  }
  return {
    [lists.request]: managedRequestTransforms.map(entryOf),
    [lists.response]: managedResponseTransforms.map(entryOf),
  }
}
