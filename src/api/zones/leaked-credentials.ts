import { type Static, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { Json } from '../../model/resource.ts'
import { type CredentialDetection, zoneSettingsOf } from '../../model/zone-settings.ts'
import { checkDetectionLocation } from '../../rulesets/index.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { type Message, success } from '../http/envelope.ts'
import { accepted, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { apiLimits } from '../http/limits.ts'
import { id, strict, text } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

const checks = 'leaked_credential_checks'
const detections = 'leaked_credential_detections'

const location = Type.String({ minLength: 1, maxLength: apiLimits.detectionExpressionCharactersMax })
const statusBody = Type.Object({ enabled: Type.Boolean() }, strict)
const detectionBody = Type.Object(
  { username: Type.Optional(location), password: Type.Optional(location) },
  { ...strict, minProperties: 1 },
)
export const leakedCredentialChecksSchema = Type.Object({ enabled: Type.Boolean() })
export const credentialDetectionSchema = Type.Object({
  id,
  username: Type.Optional(text),
  password: Type.Optional(text),
})

const operation = operationsOf('Firewall')
const read = ['zoneWaf', 'read'] as const
const write = ['zoneWaf', 'write'] as const
const status = { result: leakedCredentialChecksSchema }
const detection = { result: credentialDetectionSchema }
const described = {
  get: operation('getLeakedCredentialChecks', 'Get whether credentials are checked', read, status),
  set: operation('setLeakedCredentialChecks', 'Switch the check of credentials', write, status),
  list: operation('listCredentialDetections', 'List the custom detection locations', read, {
    result: Type.Array(credentialDetectionSchema),
  }),
  create: operation('createCredentialDetection', 'Create a custom detection location', write, detection),
  one: operation('getCredentialDetection', 'Get a custom detection location', read, detection),
  update: operation('updateCredentialDetection', 'Change a custom detection location', write, detection),
  delete: operation('deleteCredentialDetection', 'Delete a custom detection location', write, {
    result: Type.Object({}),
  }),
}

interface DetectionPath {
  Params: { readonly detection_id: string }
}
type Locations = Static<typeof detectionBody>

/** @source Cloudflare API, leaked credential checks */
export function leakedCredentialRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock, knowsLeakedPasswords } = deps
  const writes = new KeyedQueue()
  const settingsOf = async (request: FastifyRequest) =>
    zoneSettingsOf(await store.zoneSettings.list(zoneOf(request).id))

  /** @param change its new value and its audit entry, from the settings as they are */
  const put = (
    request: FastifyRequest,
    setting: string,
    change: (stored: ReturnType<typeof zoneSettingsOf>) => { value: Json } & AuditedChange,
  ) => {
    const { id: zoneId } = zoneOf(request)
    return writes.write(zoneId, async () => {
      const stored = await store.zoneSettings.list(zoneId)
      const { value, ...audited } = change(zoneSettingsOf(stored))
      const row = { id: setting, value, modifiedOn: timestampOf(clock.nowMs()) }
      await store.zoneSettings.put(zoneId, [row], auditEntry(request, audited), { before: stored })
    })
  }

  app.get('/leaked-credential-checks', { config: described.get }, async request => {
    const { leakedCredentialChecks: enabled } = await settingsOf(request)
    return success({ enabled })
  })

  app.post(
    '/leaked-credential-checks',
    { config: described.set, schema: { body: statusBody } },
    async request => {
      const { enabled } = request.body
      await put(request, checks, ({ leakedCredentialChecks: before }) => ({
        value: enabled,
        action: 'update',
        resource: { kind: checks, id: zoneOf(request).id },
        before: { enabled: before },
        after: { enabled },
      }))
      return { ...success({ enabled }), messages: enabled ? messagesOf(knowsLeakedPasswords) : [] }
    },
  )

  app.get('/leaked-credential-checks/detections', { config: described.list }, async request =>
    success((await settingsOf(request)).credentialDetections),
  )

  app.post<{ Body: Locations }>(
    '/leaked-credential-checks/detections',
    { config: described.create, schema: { body: detectionBody } },
    async request => {
      const after = detectionOf(newId(), request.body)
      await put(request, detections, ({ credentialDetections: stored }) => {
        const limit = apiLimits.detectionsMax
        if (stored.length >= limit) throw refusal('tooManyDetections', { limit: String(limit) })
        return { value: wire([...stored, after]), action: 'create', ...audited(undefined, after) }
      })
      return success(after)
    },
  )

  const path = '/leaked-credential-checks/detections/:detection_id'

  app.get<DetectionPath>(path, { config: described.one }, async request =>
    success(detectionIn((await settingsOf(request)).credentialDetections, request.params.detection_id)),
  )

  app.put<DetectionPath & { Body: Locations }>(
    path,
    { config: described.update, schema: { body: detectionBody } },
    async request => {
      const after = detectionOf(request.params.detection_id, request.body)
      await put(request, detections, ({ credentialDetections: stored }) => {
        const before = detectionIn(stored, after.id)
        const value = wire(stored.map(one => (one === before ? after : one)))
        return { value, action: 'update', ...audited(before, after) }
      })
      return success(after)
    },
  )

  app.delete<DetectionPath>(path, { config: described.delete }, async request => {
    await put(request, detections, ({ credentialDetections: stored }) => {
      const before = detectionIn(stored, request.params.detection_id)
      const value = wire(stored.filter(one => one !== before))
      return { value, action: 'delete', ...audited(before, undefined) }
    })
    return success({})
  })
}

/** @throws ApiError 400 at an expression that is wrong */
function detectionOf(detectionId: string, locations: Locations): CredentialDetection {
  for (const [field, expression] of Object.entries(locations))
    accepted(checkDetectionLocation(expression, field))
  return { id: detectionId, ...locations }
}

function detectionIn(stored: readonly CredentialDetection[], detectionId: string): CredentialDetection {
  const found = stored.find(one => one.id === detectionId)
  if (found === undefined) throw refusal('detectionNotFound', { id: detectionId.slice(0, 64) })
  return found
}

function wire(all: readonly CredentialDetection[]): Json {
  return all.map(one => ({ ...one }))
}

function audited(before: CredentialDetection | undefined, after: CredentialDetection | undefined) {
  const resource = { kind: 'leaked_credential_detection', id: (before ?? after)!.id }
  return { resource, before: before ?? null, after: after ?? null }
}

/** Says what a rule can find out here. */
function messagesOf(knowsPasswords: boolean): readonly Message[] {
  const found = knowsPasswords
    ? 'passwords are compared with the list of SLUICE_LEAKED_PASSWORDS; leaked user names and pairs are not known here, and their fields stay false'
    : 'sign-ins are found (cf.waf.auth_detected), but no leaked password is known here: set SLUICE_LEAKED_PASSWORDS; the other fields stay false'
  return [{ code: 10366, message: found, type: null }]
}
