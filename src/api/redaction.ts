import { Type } from '@fastify/type-provider-typebox'
import { redactionLimits } from '../kit/limits.ts'
import { defaultRedaction } from '../model/redaction.ts'
import type { Redaction } from '../model/resource.ts'
import { auditEntry } from './audit.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { Turns } from './turns.ts'

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
  { additionalProperties: false },
)

/** Sluice's own: what is taken out of a zone's records before they are written. */
export function redactionRoutes(app: Api, { store }: ApiDeps): void {
  const turns = new Turns()
  const current = async (zoneId: string) => (await store.redaction.get(zoneId)) ?? defaultRedaction

  app.get('/logs/control/redaction', async request =>
    success(redactionToWire(await current(zoneOf(request).id))),
  )

  app.put('/logs/control/redaction', { schema: { body } }, async request => {
    const { id } = zoneOf(request)
    const { body: change } = request
    return turns.run(id, async () => {
      const before = await current(id)
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
      await store.redaction.put(id, after, entry)
      return success(redactionToWire(after))
    })
  })
}

function namesOf(given: readonly string[]): readonly string[] {
  return [...new Set(given.map(name => name.toLowerCase()))]
}

function redactionToWire(redaction: Redaction): object {
  return {
    authorization: redaction.authorization,
    cookies: redaction.cookies,
    query_credentials: redaction.queryCredentials,
    card_numbers: redaction.cardNumbers,
    query_parameters: redaction.queryParameters,
  }
}
