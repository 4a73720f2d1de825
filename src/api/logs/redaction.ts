import { Type } from '@fastify/type-provider-typebox'
import { redactionLimits } from '../../model/limits.ts'
import { defaultRedaction } from '../../model/redaction.ts'
import type { Redaction } from '../../model/resource.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { strict, text, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

const flag = Type.Optional(Type.Boolean())
const parameterName = Type.String({ minLength: 1, maxLength: redactionLimits.parameterCharactersMax })

const body = Type.Object(
  {
    authorization: flag,
    cookies: flag,
    query_credentials: flag,
    card_numbers: flag,
    query_parameters: Type.Optional(Type.Array(parameterName, { maxItems: redactionLimits.parametersMax })),
  },
  strict,
)

export const redactionSchema = Type.Object({
  authorization: Type.Boolean(),
  cookies: Type.Boolean(),
  query_credentials: Type.Boolean(),
  card_numbers: Type.Boolean(),
  query_parameters: Type.Array(text, { maxItems: redactionLimits.parametersMax }),
})

const operation = operationsOf('Logpull')
const described = {
  get: operation('getRedaction', 'Get the redaction settings', ['zoneLogs', 'read'], {
    result: redactionSchema,
  }),
  update: operation('updateRedaction', 'Change the redaction settings', ['zoneLogs', 'write'], {
    result: redactionSchema,
    example: { cookies: true, query_parameters: ['session', 'email'] },
  }),
}

/** Sluice's own: the values that redaction removes from a zone's records before they are written. */
export function redactionRoutes(app: Api, { store }: ApiDeps): void {
  const writes = new KeyedQueue()

  app.get('/logs/control/redaction', { config: described.get }, async request =>
    success(redactionToWire((await store.redaction.get(zoneOf(request).id)) ?? defaultRedaction)),
  )

  app.put('/logs/control/redaction', { config: described.update, schema: { body } }, async request => {
    const { id } = zoneOf(request)
    const { body: change } = request
    return writes.write(id, async () => {
      const stored = await store.redaction.get(id)
      const before = stored ?? defaultRedaction
      const after: Redaction = {
        authorization: change.authorization ?? before.authorization,
        cookies: change.cookies ?? before.cookies,
        queryCredentials: change.query_credentials ?? before.queryCredentials,
        cardNumbers: change.card_numbers ?? before.cardNumbers,
        queryParameters:
          change.query_parameters === undefined ? before.queryParameters : namesOf(change.query_parameters),
      }
      const entry = auditEntry(request, {
        action: 'update',
        resource: { kind: 'log_redaction', id },
        before: redactionToWire(before),
        after: redactionToWire(after),
      })
      await store.redaction.put(id, after, entry, { before: stored })
      return success(redactionToWire(after))
    })
  })
}

function namesOf(given: readonly string[]): readonly string[] {
  return [...new Set(given.map(name => name.toLowerCase()))]
}

function redactionToWire(redaction: Redaction): Wire<typeof redactionSchema> {
  return {
    authorization: redaction.authorization,
    cookies: redaction.cookies,
    query_credentials: redaction.queryCredentials,
    card_numbers: redaction.cardNumbers,
    query_parameters: redaction.queryParameters,
  }
}
