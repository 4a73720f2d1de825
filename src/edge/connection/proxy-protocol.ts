import { canonicalIp } from '../../kit/cidr.ts'
import type { Opening } from '../tls/opening.ts'

/** The connection that a proxy passes on. */
export interface ProxiedAddresses {
  readonly peerIp: string
  readonly peerPort: number
  readonly serverIp: string
  readonly serverPort: number
}

/** `none`: the proxy speaks for itself, for example in a health check. */
export type ProxyHeader = ProxiedAddresses | 'none'

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const v1Start = Buffer.from('PROXY ', 'latin1')
const longestV1Bytes = 107
const v2HeadBytes = 16

/**
 * Reads the header of the PROXY protocol, version 1 or 2.
 * @source HAProxy, doc/proxy-protocol.txt
 */
export function readProxyHeader(bytes: Buffer): Opening<ProxyHeader> {
  if (startsLike(bytes, signature)) return readV2(bytes)
  if (startsLike(bytes, v1Start)) return readV1(bytes)
  return { kind: 'malformed' }
}

/** The bytes are the beginning of `start`, or begin with it. */
function startsLike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length)
  return bytes.compare(start, 0, length, 0, length) === 0
}

function readV1(bytes: Buffer): Opening<ProxyHeader> {
  const end = bytes.subarray(0, longestV1Bytes).indexOf('\r\n')
  if (end < 0) return { kind: bytes.length < longestV1Bytes ? 'partial' : 'malformed' }
  const rest = bytes.subarray(end + 2)
  const [, family, source, destination, sourcePort, destinationPort, more] = bytes
    .toString('latin1', 0, end)
    .split(' ')
  if (family === 'UNKNOWN') return { kind: 'read', result: 'none', rest }
  const peerIp = ipOf(family, source)
  const serverIp = ipOf(family, destination)
  const peerPort = portOf(sourcePort)
  const serverPort = portOf(destinationPort)
  if (
    peerIp === undefined ||
    serverIp === undefined ||
    peerPort === undefined ||
    serverPort === undefined ||
    more !== undefined
  )
    return { kind: 'malformed' }
  return { kind: 'read', result: { peerIp, peerPort, serverIp, serverPort }, rest }
}

function ipOf(family: string | undefined, text: string | undefined): string | undefined {
  const matches = family === 'TCP4' ? text?.includes('.') : family === 'TCP6' && text?.includes(':')
  return matches === true ? canonicalIp(text!) : undefined
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:0|[1-9]\d{0,4})$/.test(text)) return undefined
  const port = Number(text)
  return port <= 65_535 ? port : undefined
}

function readV2(bytes: Buffer): Opening<ProxyHeader> {
  if (bytes.length < v2HeadBytes) return { kind: 'partial' }
  const command = bytes[12]!
  const transport = bytes[13]!
  const length = bytes.readUInt16BE(14)
  if (command !== 0x20 && command !== 0x21) return { kind: 'malformed' }
  if (bytes.length < v2HeadBytes + length) return { kind: 'partial' }
  const rest = bytes.subarray(v2HeadBytes + length)
  const addresses = bytes.subarray(v2HeadBytes, v2HeadBytes + length)
  // LOCAL, or a transport without addresses.
  if (command === 0x20 || transport === 0x00) return { kind: 'read', result: 'none', rest }
  const ipBytes = transport === 0x11 ? 4 : transport === 0x21 ? 16 : 0
  if (ipBytes === 0 || addresses.length < 2 * ipBytes + 4) return { kind: 'malformed' }
  return {
    kind: 'read',
    result: {
      peerIp: ipText(addresses.subarray(0, ipBytes)),
      serverIp: ipText(addresses.subarray(ipBytes, 2 * ipBytes)),
      peerPort: addresses.readUInt16BE(2 * ipBytes),
      serverPort: addresses.readUInt16BE(2 * ipBytes + 2),
    },
    rest,
  }
}

function ipText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16))
  return canonicalIp(groups.join(':'))!
}
