import { type Cidr, CidrSet, type IpAddress, parseCidr, parseIp } from '../kit/cidr.ts'
import type { DestinationReach } from '../model/settings.ts'

const loopback = blocks('127.0.0.0/8', '::1')

/** RFC 1918, shared address space (RFC 6598), benchmarking, unique local, site local, local NAT64. */
const privateRanges = blocks(
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '198.18.0.0/15',
  'fc00::/7',
  'fec0::/10',
  '64:ff9b:1::/48',
)

/**
 * Never connected to: this network, link local with the metadata services of clouds (and those that clouds put
 * elsewhere), protocol assignments, multicast, reserved, tunnels that carry addresses of others.
 */
const never = blocks(
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '100.100.100.200',
  '168.63.129.16',
  '::/96',
  'fe80::/10',
  'ff00::/8',
  '2001::/32',
  'fd00:ec2::254',
  'fd20:ce::254',
)

const nat64 = blocks('64:ff9b::/96')
const sixToFour = blocks('2002::/16')

/**
 * Why an address may not be connected to, in a word or two; undefined when it may. IPv4 addresses inside IPv6 ones
 * (mapped, NAT64, 6to4) count as what they carry.
 * @source IANA special-purpose address registries
 */
export function refusedAddress(ipText: string, reach: DestinationReach): string | undefined {
  const address = parseIp(ipText)
  if (address === undefined) return 'unreadable'
  const target = carried(address)
  if (loopback.hasAddress(target)) return reach === 'public' ? 'loopback' : undefined
  if (never.hasAddress(target)) return 'link-local or reserved'
  return reach !== 'private' && privateRanges.hasAddress(target) ? 'private' : undefined
}

function carried(address: IpAddress): IpAddress {
  if (nat64.hasAddress(address)) return { version: 4, bytes: address.bytes.slice(12) }
  if (sixToFour.hasAddress(address)) return { version: 4, bytes: address.bytes.slice(2, 6) }
  return address
}

function blocks(...texts: string[]): CidrSet {
  return new CidrSet(texts.map(text => parseCidr(text) as Cidr))
}
