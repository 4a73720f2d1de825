import { createHash } from 'node:crypto'
import { parseIp } from '../../kit/cidr.ts'

/**
 * An IPv4 address of class E (240.0.0.0/4) in place of an IPv6 address, for origins that know IPv4 only. All addresses of
 * a /64, which one client has, get the same one.
 * @returns undefined for an IPv4 address
 * @source Cloudflare docs, Pseudo IPv4; the hash is Sluice's own
 */
export function pseudoIpv4(clientIp: string): string | undefined {
  const address = parseIp(clientIp)
  if (address === undefined || address.version === 4) return undefined
  const hash = createHash('sha256').update(address.bytes.slice(0, 8), 'latin1').digest()
  return [0xf0 | (hash[0]! & 0x0f), hash[1], hash[2], hash[3]].join('.')
}
