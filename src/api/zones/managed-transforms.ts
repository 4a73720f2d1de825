import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import {
  conflictingTransform,
  type IdleManagedTransform,
  idleManagedTransforms,
  type ManagedTransform,
  managedRequestTransforms,
  managedResponseTransforms,
  managedTransformsOf,
  otherSpelling,
} from '../../model/managed-transforms.ts'
import type { Json, NotEnforced } from '../../model/resource.ts'
import type { StoredZoneSetting } from '../../model/zone-settings.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { type Message, notEnforcedMessage, success } from '../http/envelope.ts'
import { apiErrors, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { optional, strict, text, type Wire } from '../http/schemas.ts'
import { noContent, operationsOf } from '../openapi/operation.ts'

const requestNames = [
  ...managedRequestTransforms,
  ...(Object.keys(idleManagedTransforms) as readonly IdleManagedTransform[]),
]
const responseNames = [...managedResponseTransforms, otherSpelling.name]

type RequestName = (typeof requestNames)[number]
type ResponseName = (typeof responseNames)[number]

/** Clients echo the whole entry; only `enabled` counts. */
const change = <T extends RequestName | ResponseName>(ids: readonly T[]) =>
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
    managed_request_headers: Type.Optional(change(requestNames)),
    managed_response_headers: Type.Optional(change(responseNames)),
  },
  strict,
)

const transforms = <T extends RequestName | ResponseName>(ids: readonly T[]) =>
  Type.Array(
    Type.Object({
      id: Type.Enum([...ids]),
      enabled: Type.Boolean(),
      has_conflict: Type.Boolean({ description: 'an enabled transform excludes this one' }),
      conflicts_with: optional(Type.Array(text)),
    }),
  )

export const managedHeadersSchema = Type.Object({
  managed_request_headers: transforms(requestNames),
  managed_response_headers: transforms(responseNames),
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
      managed_response_headers: [{ id: 'remove_x-powered-by_header', enabled: true }],
    },
  }),
  delete: operation('deleteManagedHeaders', 'Switch all managed transforms off', ['zoneTransform', 'write'], {
    answers: noContent,
  }),
}

const lists = { request: 'managed_request_headers', response: 'managed_response_headers' } as const

/** Stored values, by name. */
type Values = ReadonlyMap<string, Json>

interface Written {
  readonly id: RequestName | ResponseName
  readonly enabled: boolean
}

/** Changes of headers that a zone switches on by name. @source Cloudflare API, managed transforms */
export function managedTransformRoutes(app: Api, { store, clock, notEnforced }: ApiDeps): void {
  const writes = new KeyedQueue()

  app.get('/managed_headers', { config: described.list }, async request =>
    success(toWire(valuesOf(await store.zoneSettings.list(zoneOf(request).id)))),
  )

  /** Omitted transforms stay as they are. */
  app.patch('/managed_headers', { config: described.edit, schema: { body } }, async request => {
    const { id: zoneId } = zoneOf(request)
    const { managed_request_headers: ofRequest = [], managed_response_headers: ofResponse = [] } =
      request.body
    const notes = ofRequest.flatMap((one, at) => noteOn(one, `/${lists.request}/${at}/enabled`, notEnforced))
    const changed = changedValues([...ofRequest, ...ofResponse])
    const modifiedOn = timestampOf(clock.nowMs())
    return writes.write(zoneId, async () => {
      const stored = await store.zoneSettings.list(zoneId)
      const before = valuesOf(stored)
      const after = new Map([...before, ...changed])
      refuseConflicts(managedTransformsOf(after), ofRequest)
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'managed_headers', id: zoneId },
        before: toWire(before),
        after: { ...toWire(after), ...auditNote(notes) },
      })
      const settings = Array.from(changed, ([id, value]) => ({ id, value, modifiedOn }))
      await store.zoneSettings.put(zoneId, settings, audit, { before: stored })
      return success(toWire(after), notes)
    })
  })

  app.delete('/managed_headers', { config: described.delete }, async (request, reply) => {
    const { id: zoneId } = zoneOf(request)
    await writes.write(zoneId, async () => {
      const stored = await store.zoneSettings.list(zoneId)
      const audit = auditEntry(request, {
        action: 'delete',
        resource: { kind: 'managed_headers', id: zoneId },
        before: toWire(valuesOf(stored)),
        after: null,
      })
      await store.zoneSettings.delete(zoneId, [...requestNames, ...responseNames], audit, { before: stored })
    })
    return reply.code(204).send()
  })
}

function valuesOf(stored: readonly StoredZoneSetting[]): Values {
  return new Map(stored.map(({ id, value }) => [id, value]))
}

/** One spelling of a name replaces the other. Terraform switches the old one off in the request that has the new one on. */
function changedValues(written: readonly Written[]): Values {
  const changed = new Map<string, Json>()
  const onLast = written.toSorted((one, next) => Number(one.enabled) - Number(next.enabled))
  for (const { id, enabled } of onLast) {
    changed.set(id, enabled)
    if (id === otherSpelling.name) changed.set(otherSpelling.of, null)
    if (id === otherSpelling.of) changed.set(otherSpelling.name, null)
  }
  return changed
}

/**
 * A transform without effect may be switched off.
 * @throws ApiError 400 when it is switched on and the installation refuses what it does not enforce
 */
function noteOn({ id, enabled }: Written, pointer: string, notEnforced: NotEnforced): readonly Message[] {
  if (!enabled || !isIdle(id)) return []
  const why = idleManagedTransforms[id]
  if (notEnforced === 'refuse') throw refusal('managedTransformNotEnforced', { id, why }, pointer)
  const { code } = apiErrors.managedTransformNotEnforced
  return [notEnforcedMessage({ code, message: `managed transform ${id}: ${why}` })]
}

function isIdle(id: string): id is IdleManagedTransform {
  return Object.hasOwn(idleManagedTransforms, id)
}

/** The audit trail says what does not act. */
function auditNote(notes: readonly Message[]): object {
  return notes.length === 0 ? {} : { not_enforced: notes.map(({ message }) => message) }
}

function refuseConflicts(after: ReadonlySet<ManagedTransform>, given: readonly Written[]): void {
  for (const id of after) {
    const other = conflictingTransform[id]
    if (other === undefined || !after.has(other)) continue
    const at = given.findIndex(one => one.id === id)
    throw refusal('managedTransformConflict', { id, other }, `/${lists.request}/${Math.max(0, at)}/enabled`)
  }
}

/** Responses spell a transform's id as the last write did, by default as Cloudflare's API does. */
function toWire(values: Values): Wire<typeof managedHeadersSchema> {
  const on = managedTransformsOf(values)
  const entryOf = <T extends ManagedTransform>(id: T) => {
    const other = conflictingTransform[id]
    return {
      id,
      enabled: on.has(id),
      has_conflict: other !== undefined && on.has(other),
      ...(other === undefined ? {} : { conflicts_with: [other] }),
    }
  }
  const isRespelled = typeof values.get(otherSpelling.name) === 'boolean'
  const respelled = (id: ResponseName) => (isRespelled && id === otherSpelling.of ? otherSpelling.name : id)
  return {
    [lists.request]: requestNames.map(id =>
      isIdle(id) ? { id, enabled: values.get(id) === true, has_conflict: false } : entryOf(id),
    ),
    [lists.response]: managedResponseTransforms.map(entryOf).map(one => ({ ...one, id: respelled(one.id) })),
  }
}
