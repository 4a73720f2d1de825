import { Type } from '@fastify/type-provider-typebox'
import type { Account } from '../../model/resource.ts'
import { id, text, time, type Wire } from '../http/schemas.ts'

export const accountSchema = Type.Object({
  id,
  name: text,
  type: text,
  created_on: time,
  settings: Type.Object({}),
})

export function accountToWire(account: Account): Wire<typeof accountSchema> {
  return {
    id: account.id,
    name: account.name,
    type: 'enterprise',
    created_on: account.createdOn,
    settings: { enforce_twofactor: false, abuse_contact_email: null },
  }
}
