import type { Account } from '../model/resource.ts'

export function accountToWire(account: Account): object {
  return {
    id: account.id,
    name: account.name,
    type: 'enterprise',
    created_on: account.createdOn,
    settings: { enforce_twofactor: false, abuse_contact_email: null },
  }
}
