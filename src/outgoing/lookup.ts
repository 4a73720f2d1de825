import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { type AddressPolicy, addressProblem } from './policy.ts'

/**
 * Resolves a name to those of its addresses that the policy allows. Names below `localhost` are loopback (RFC 6761).
 * The callback gets an AddressRefusedError when no address is allowed.
 */
export function guardedLookup(policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[] | undefined) => {
      if (error !== null || addresses === undefined) return callback(error, [])
      const problems = addresses.map(({ address }) => addressProblem(hostname, address, policy))
      const allowed = addresses.filter((_, n) => problems[n] === undefined)
      const [first] = allowed
      if (first === undefined) callback(problems[0] ?? noAddress(hostname), [])
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    }
    if (/^(?:.*\.)?localhost\.?$/i.test(hostname))
      // Not before the caller has attached its listeners to the socket.
      return process.nextTick(answer, null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ])
    lookup(hostname, { ...options, all: true }, answer)
  }
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
}
