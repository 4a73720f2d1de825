import { Type } from '@fastify/type-provider-typebox'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { id, nullable, strict, text, time, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

export const subscriptionSchema = Type.Object({
  id,
  state: Type.Literal('Paid'),
  price: Type.Integer(),
  currency: text,
  frequency: text,
  rate_plan: Type.Object({}),
  current_period_start: time,
  current_period_end: nullable(time),
})

export const universalSslSchema = Type.Object({ enabled: Type.Boolean() })
const universalSslBody = Type.Object({ enabled: Type.Boolean() }, strict)

const nothing = nullable(text)
export const dnssecSchema = Type.Object({
  status: Type.Literal('disabled'),
  flags: nullable(Type.Integer()),
  algorithm: nothing,
  key_type: nothing,
  digest_type: nothing,
  digest_algorithm: nothing,
  digest: nothing,
  ds: nothing,
  key_tag: nullable(Type.Integer()),
  public_key: nothing,
  modified_on: nullable(time),
})

const operation = operationsOf('Zone settings')
const described = {
  subscription: operation('getSubscription', 'Get the plan of a zone: Enterprise', ['zone', 'read'], {
    result: subscriptionSchema,
  }),
  universalSsl: operation(
    'getUniversalSsl',
    'Get universal SSL, which is off: certificates are uploaded, or come by ACME',
    ['zoneCertificates', 'read'],
    { result: universalSslSchema },
  ),
  editUniversalSsl: operation(
    'editUniversalSsl',
    'Set universal SSL; it can only be off',
    ['zoneCertificates', 'write'],
    { result: universalSslSchema },
  ),
  dnssec: operation('getDnssec', 'Get DNSSEC, which is off: Sluice is not a name server', ['dns', 'read'], {
    result: dnssecSchema,
  }),
}

const dnssecOff: Wire<typeof dnssecSchema> = {
  status: 'disabled',
  flags: null,
  algorithm: null,
  key_type: null,
  digest_type: null,
  digest_algorithm: null,
  digest: null,
  ds: null,
  key_tag: null,
  public_key: null,
  modified_on: null,
}

/** Features that are in one state here. Clients read them, and may set them to that state. */
export function fixedFeatureRoutes(app: Api): void {
  app.get('/subscription', { config: described.subscription }, async request => {
    const zone = zoneOf(request)
    const subscription: Wire<typeof subscriptionSchema> = {
      id: zone.id,
      state: 'Paid',
      price: 0,
      currency: 'USD',
      frequency: 'not-applicable',
      rate_plan: {
        id: 'enterprise',
        public_name: 'Enterprise Website',
        currency: 'USD',
        scope: 'zone',
        sets: [],
        is_contract: true,
        externally_managed: true,
      },
      current_period_start: zone.createdOn,
      current_period_end: null,
    }
    return success(subscription)
  })
  app.get('/ssl/universal/settings', { config: described.universalSsl }, async () =>
    success({ enabled: false }),
  )
  const edit = { config: described.editUniversalSsl, schema: { body: universalSslBody } }
  app.patch('/ssl/universal/settings', edit, async request => {
    const reason = 'certificates are uploaded, or come by ACME; make it false, or remove the resource'
    if (request.body.enabled)
      throw refusal('badValue', { value: 'true', field: 'enabled', reason }, '/enabled')
    return success({ enabled: false })
  })
  app.get('/dnssec', { config: described.dnssec }, async () => success(dnssecOff))
}
