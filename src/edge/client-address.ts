import type { Socket } from 'node:net'
import { type CidrSet, parseIp } from '../kit/cidr.ts'
import type { Connection } from './client-request.ts'
import { firstHeader, type HeaderLines, joinedHeader } from './headers.ts'

export interface ClientAddress {
  /** Text form. */
  readonly clientIp: string
  readonly peerIp: string
  readonly peerTrusted: boolean
  readonly scheme: 'http' | 'https'
}

/**
 * Who asks. X-Forwarded-For is read from its end while its entries are trusted proxies themselves: the first that
 * is not is the client. Everything before it could be made up.
 */
export function clientAddress(peer: string, headers: HeaderLines, trusted: CidrSet): ClientAddress {
  const peerIp = withoutMapping(peer)
  if (!trusted.has(peerIp)) return { clientIp: peerIp, peerIp, peerTrusted: false, scheme: 'http' }
  const scheme = firstHeader(headers, 'x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http'
  const chain = joinedHeader(headers, 'x-forwarded-for')?.split(',') ?? []
  let clientIp = peerIp
  for (let at = chain.length - 1; at >= 0; at--) {
    const address = withoutPort(chain[at]!.trim())
    if (parseIp(address) === undefined) break
    clientIp = address
    if (!trusted.has(address)) break
  }
  return { clientIp, peerIp, peerTrusted: true, scheme }
}

/** Both ends of a connection; one that is gone has lost its addresses. */
export function connectionOf(socket: Socket, address: ClientAddress): Connection {
  return {
    address,
    clientPort: socket.remotePort ?? 0,
    serverIp: withoutMapping(socket.localAddress ?? ''),
    serverPort: socket.localPort ?? 0,
  }
}

/** An IPv4 address as a socket of both families names it. */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

/** `192.0.2.1:80` and `[2001:db8::1]:80` are written by some proxies. */
function withoutPort(entry: string): string {
  if (entry.startsWith('[')) return entry.slice(1, Math.max(1, entry.indexOf(']')))
  const colon = entry.indexOf(':')
  return colon >= 0 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry
}
