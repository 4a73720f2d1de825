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

const operation = operationsOf('Zone settings')
const described = {
  subscription: operation('getSubscription', 'Get the plan of a zone: Enterprise', ['zone', 'read'], {
    result: subscriptionSchema,
  }),
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
}
