import type { Socket } from 'node:net'
import { canonicalIp } from '../../kit/cidr.ts'
import type { TlsLink } from '../message/client-address.ts'

/** Both ends of a connection, as the client sees them. */
export interface ClientLink {
  readonly peerIp: string
  readonly peerPort: number
  /** Empty when the connection was already closed. */
  readonly serverIp: string
  readonly serverPort: number
  readonly tls: TlsLink | undefined
  /** The peer connected over a unix socket: a proxy on this machine, which the permissions of the socket admit. */
  readonly viaUnixSocket: boolean
}

/** Of each connection that was asked about. Over TLS, or behind the PROXY protocol, its socket does not tell these facts. */
const known = new WeakMap<Socket, ClientLink>()

export function setLink(socket: Socket, link: ClientLink): void {
  known.set(socket, link)
}

/** Read from the socket once: its later requests, and a closed connection, have it too. */
export function linkOf(socket: Socket): ClientLink {
  let link = known.get(socket)
  if (link === undefined) {
    link = socketLink(socket)
    known.set(socket, link)
  }
  return link
}

/** A unix socket has no addresses. A proxy behind it names its clients; for its own requests, it counts as loopback. */
export const unixSocketLink: ClientLink = {
  peerIp: '127.0.0.1',
  peerPort: 0,
  serverIp: '127.0.0.1',
  serverPort: 0,
  tls: undefined,
  viaUnixSocket: true,
}

/** A closed connection has lost its addresses. */
function socketLink(socket: Socket): ClientLink {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket
  return {
    peerIp: canonicalIp(remoteAddress) ?? remoteAddress,
    peerPort: remotePort,
    serverIp: canonicalIp(localAddress) ?? '',
    serverPort: localPort,
    tls: undefined,
    viaUnixSocket: false,
  }
}
