import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { type ConnectionPool, NetworkError } from '@platformatic/kafka'
import type { DestinationReach } from '../../../model/settings.ts'
import { refusedAddress } from '../../outgoing-address.ts'
import { addressRefused, connectFailure, guardedLookup } from '../../outgoing-connect.ts'

type Get = (
  broker: { host: string; port: number },
  callback: (error: Error | null, connection?: never) => void,
) => void

/**
 * Lets a client connect only where it may. Brokers name each other, so every one is looked at, not only those that the
 * destination names. Without TLS a name is replaced by its address, so that what was looked at is what is connected to;
 * with TLS the name is needed, and the client's own lookup is the guarded one.
 */
export function guardConnections(pool: ConnectionPool, tls: boolean, reach: DestinationReach): void {
  // A connection that has failed may fail once more when it closes, and an error that nobody hears ends the process.
  pool.on('connecting', ({ connection }) => connection.on('error', () => {}))
  const get = pool.get.bind(pool) as unknown as Get
  const guarded: Get = (broker, callback) => {
    const { host } = broker ?? {}
    if (typeof host !== 'string' || (tls && isIP(host) === 0)) return get(broker, callback)
    if (isIP(host) !== 0) {
      const refused = refusedAddress(host, reach)
      if (refused !== undefined) callback(permanent(addressRefused(host, refused, reach)))
      else get(broker, callback)
      return
    }
    guardedLookup(reach)(host, { all: true }, (error, addresses) => {
      const [address] = (addresses ?? []) as LookupAddress[]
      if (error !== null || address === undefined)
        callback(permanent(connectFailure(broker, 'resolve name', error ?? undefined)))
      else get({ ...broker, host: address.address }, callback)
    })
  }
  pool.get = guarded as unknown as ConnectionPool['get']
}

/** The client looks into its own errors only. */
function permanent(cause: Error): Error {
  return new NetworkError(cause.message, { canRetry: false, cause })
}
