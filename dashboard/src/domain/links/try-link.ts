import type { SecurityEvent } from '../../api/types.ts'

/**
 * A request in the query of the address, for links to the Try screen. `headers` has one header a line.
 */
export interface AddressState {
  readonly method?: string
  readonly url?: string
  readonly headers?: string
  readonly body?: string
  /** Replaces `body` when the body is binary. */
  readonly body64?: string
  readonly ip?: string
  readonly country?: string
  readonly cleared?: string
  readonly http?: string
}

export const addressNames = [
  'method',
  'url',
  'headers',
  'body',
  'body64',
  'ip',
  'country',
  'cleared',
  'http',
] as const satisfies readonly (keyof AddressState)[]

/** Query of `/try` with the parts of the request that its event has. */
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
