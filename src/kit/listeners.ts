import { networkInterfaces } from 'node:os'
import { canonicalIp } from './cidr.ts'

/** Address that a server listens on. */
export interface Listener {
  /** An address, or a local name of this machine. */
  readonly host: string
  readonly port: number
}

/**
 * Whether a connection to this address reaches the listener.
 * @param host an address, `localhost` or a name below it; other names are not looked up
 */
export function leadsTo(listener: Listener, host: string, port: number): boolean {
  if (port !== listener.port) return false
  const to = plain(host)
  const at = plain(listener.host)
  if (to === at) return true
  if (at === '0.0.0.0' || at === '::') return to === '0.0.0.0' || to === '::' || isLocal(to)
  // The system takes these for its own loopback addresses.
  return isLoopback(at) && (to === 'localhost' || to === '0.0.0.0' || to === '::')
}

function isLocal(address: string): boolean {
  if (isLoopback(address)) return true
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return own.some(one => one.address === address)
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address)
}

/** One spelling: no brackets, IPv4 for a mapped address, `localhost` for the names below it (RFC 6761). */
function plain(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (/^(?:.*\.)?localhost\.?$/.test(bare)) return 'localhost'
  return canonicalIp(bare) ?? bare
}
