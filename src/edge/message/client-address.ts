import { type CidrSet, canonicalIp, clientNetwork } from '../../kit/cidr.ts'
import type { TlsView } from '../../rulesets/fields/request-view.ts'
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

/** The TLS of a client's connection. */
export interface TlsLink extends TlsView {
  /** The name that the client asked for (SNI), in lower case. */
  readonly serverName: string | undefined
  /** The certificate that was presented covers the host. @param host lower case, without port */
  covers(host: string): boolean
}

/** Both ends of a client's connection. */
export interface Connection {
  readonly address: ClientAddress
  /** Undefined on plain connections. */
  readonly tls: TlsLink | undefined
  readonly clientPort: number
  /** Text form of the address that the client reached; empty when the connection was already closed. */
  readonly serverIp: string
  readonly serverPort: number
}

/** The peer of a connection, before forwarding headers are read. */
export interface Peer {
  /** In canonical form. */
  readonly peerIp: string
  readonly tls: TlsLink | undefined
  /** Such a peer is a trusted proxy. */
  readonly viaUnixSocket: boolean
}

/**
 * Finds the client's address. X-Forwarded-For is read from its end. Trusted proxies are passed over, and the first
 * other address is the client's. A client can forge every entry before it.
 */
export function clientAddress(
  { peerIp, tls, viaUnixSocket }: Peer,
  headers: HeaderLines,
  trusted: CidrSet,
): ClientAddress {
  const ownScheme = tls === undefined ? 'http' : 'https'
  if (!viaUnixSocket && !trusted.has(peerIp))
    return { clientIp: peerIp, peerIp, peerTrusted: false, scheme: ownScheme, forwardedFor: [] }
  const proto = firstHeader(headers, 'x-forwarded-proto')?.toLowerCase()
  const scheme = proto === 'https' || proto === 'http' ? proto : ownScheme
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

/**
 * The client that work and requests are counted for; an IPv6 client counts by its /64 network.
 * @returns empty for a trusted proxy that names no client: it has many
 */
export function countedClient({ clientIp, peerIp, peerTrusted }: ClientAddress): string {
  return peerTrusted && clientIp === peerIp ? '' : clientNetwork(clientIp)
}

/** Some proxies write `192.0.2.1:80` and `[2001:db8::1]:80`. */
function withoutPort(entry: string): string {
  if (entry.startsWith('[')) return entry.slice(1, Math.max(1, entry.indexOf(']')))
  const colon = entry.indexOf(':')
  return colon >= 0 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry
}
