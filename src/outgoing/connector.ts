import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { guardedLookup } from './lookup.ts'
import { type AddressPolicy, addressProblem } from './policy.ts'

/**
 * Opens the connections of an undici client that the policy allows. The check applies to the address that is
 * connected to, so a name that changes its address between two lookups gains nothing.
 */
export function guardedConnector(
  policy: AddressPolicy,
  options: buildConnector.BuildOptions = {},
): buildConnector.connector {
  const lookup = guardedLookup(policy)
  const connect = buildConnector({ ...options, lookup } as buildConnector.BuildOptions)
  return (wanted, callback) => {
    const host = wanted.hostname.replace(/^\[(.*)\]$/, '$1')
    const refused = isIP(host) === 0 ? undefined : addressProblem(host, host, policy)
    if (refused !== undefined) {
      setImmediate(callback, refused, null)
      return
    }
    connect(wanted, (...connected) => {
      const [error, socket] = connected
      if (error !== null) return callback(error, null)
      const { remoteAddress } = socket
      const reached = remoteAddress === undefined ? undefined : addressProblem(host, remoteAddress, policy)
      if (reached === undefined) return callback(null, socket)
      socket.destroy()
      callback(reached, null)
    })
  }
}
