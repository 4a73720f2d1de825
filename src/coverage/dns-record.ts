import { type Coverage, notEnforced, partly } from './enforcement.ts'

const addressTypes: readonly unknown[] = ['A', 'AAAA', 'CNAME']

/** The members of a DNS record that decide about its effect. */
export interface RecordFacts {
  readonly type: unknown
  readonly proxied: unknown
}

/** The text for all records together. */
export const recordPart = 'proxied records name the servers of host names; Sluice is not a name server'

export function coverDnsRecord({ type, proxied }: RecordFacts): Coverage {
  return proxied === true && addressTypes.includes(type)
    ? partly('it names a server of the host name; your name server has to lead the name to the edge')
    : notEnforced('Sluice is not a name server: only proxied records of type A, AAAA or CNAME act')
}
