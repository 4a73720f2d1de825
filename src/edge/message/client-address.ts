import type { Socket } from 'node:net'
import { type CidrSet, canonicalIp } from '../../kit/cidr.ts'
import { firstHeader, type HeaderLines, joinedHeader } from './headers.ts'

export interface ClientAddress {
  /** Canonical text form; an IPv6 address that carries an IPv4 address has the IPv4 form. */
  readonly clientIp: string
  readonly peerIp: string
  readonly peerTrusted: boolean
  readonly scheme: 'http' | 'https'
  /** The client and the trusted proxies between it and the peer, as X-Forwarded-For of a trusted peer names them. */
  readonly forwardedFor: readonly string[]
}

/** Both ends of a client's connection. */
export interface Connection {
  readonly address: ClientAddress
  readonly clientPort: number
  /** Text form of the address that the client reached; empty when the connection was already closed. */
  readonly serverIp: string
  readonly serverPort: number
}

/**
 * Finds the client's address. X-Forwarded-For is read from its end. Trusted proxies are passed over, and the first
 * other address is the client's. A client can forge every entry before it.
 */
export function clientAddress(peer: string, headers: HeaderLines, trusted: CidrSet): ClientAddress {
  const peerIp = canonicalIp(peer) ?? peer
  if (!trusted.has(peerIp))
    return { clientIp: peerIp, peerIp, peerTrusted: false, scheme: 'http', forwardedFor: [] }
  const scheme = firstHeader(headers, 'x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http'
  const chain = joinedHeader(headers, 'x-forwarded-for')?.split(',') ?? []
  const forwardedFor: string[] = []
  for (let at = chain.length - 1; at >= 0; at--) {
    const address = canonicalIp(withoutPort(chain[at]!.trim()))
    if (address === undefined) break
    forwardedFor.unshift(address)
    if (!trusted.has(address)) break
  }
  return { clientIp: forwardedFor[0] ?? peerIp, peerIp, peerTrusted: true, scheme, forwardedFor }
}

/** A closed connection has lost its addresses. */
export function connectionOf(socket: Socket, address: ClientAddress): Connection {
  return {
    address,
    clientPort: socket.remotePort ?? 0,
    serverIp: canonicalIp(socket.localAddress ?? '') ?? '',
    serverPort: socket.localPort ?? 0,
  }
}

/** Some proxies write `192.0.2.1:80` and `[2001:db8::1]:80`. */
function withoutPort(entry: string): string {
  if (entry.startsWith('[')) return entry.slice(1, Math.max(1, entry.indexOf(']')))
  const colon = entry.indexOf(':')
  return colon >= 0 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry
}
