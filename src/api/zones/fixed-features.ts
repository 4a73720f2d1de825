import { Type } from '@fastify/type-provider-typebox'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { id, nullable, text, time, type Wire } from '../http/schemas.ts'
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

/** Features that are in one state here. Clients read them, and they cannot be changed. */
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
  app.get('/dnssec', { config: described.dnssec }, async () => success(dnssecOff))
}
