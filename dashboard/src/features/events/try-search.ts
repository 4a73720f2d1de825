import type { SecurityEvent } from '../../api/types.ts'
import type { AddressState } from '../try/address-state.ts'

/** For the query of `/try`: the request as far as its event has it. */
export function trySearch(event: SecurityEvent): Readonly<Record<string, string>> {
  const { method, scheme, host, path, query, client_ip: ip, client_country: country, user_agent } = event
  const state: AddressState = {
    url: `${scheme === 'https' ? 'https' : 'http'}://${host}${path}${query}`,
    ...(method === 'GET' ? {} : { method }),
    ...(user_agent === '' ? {} : { headers: `User-Agent: ${user_agent}` }),
    ...(ip === '' ? {} : { ip }),
    ...(country === '' || country === 'xx' ? {} : { country }),
  }
  return { ...state }
}
