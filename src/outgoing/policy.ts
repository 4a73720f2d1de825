import { type Cidr, CidrSet, type IpAddress, parseCidr, parseIp } from '../kit/cidr.ts'
import type { Reach } from '../model/settings/index.ts'

/** The addresses that connections of one kind may reach. */
export interface AddressPolicy {
  readonly reach: Reach
  /** The setting that decides it, for messages. */
  readonly setting: 'SLUICE_ORIGINS' | 'SLUICE_DESTINATIONS'
}

/** The host has only addresses that the policy does not allow. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'
  readonly code = 'ERR_ADDRESS_REFUSED'
}

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
 * Never connected to: this network, link local with the metadata services of clouds (and other addresses of such
 * services), protocol assignments, multicast, reserved, tunnels to other addresses.
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

const nat64 = blocks('64:ff9b::/96', '64:ff9b:1::/96')
const sixToFour = blocks('2002::/16')

/**
 * Why an address is refused, in a word or two; undefined when it is allowed. IPv4 addresses inside IPv6 ones (mapped,
 * NAT64, 6to4) are judged as IPv4.
 * @source IANA special-purpose address registries
 */
export function refusedAddress(ipText: string, reach: Reach): string | undefined {
  const address = parseIp(ipText)
  if (address === undefined) return 'unreadable'
  const target = carried(address)
  if (loopback.hasAddress(target)) return reach === 'public' ? 'loopback' : undefined
  if (never.hasAddress(target)) return 'link-local or reserved'
  return reach !== 'private' && privateRanges.hasAddress(target) ? 'private' : undefined
}

/** @returns the error for a host at this address; undefined when the address is allowed */
export function addressProblem(
  host: string,
  ip: string,
  { reach, setting }: AddressPolicy,
): AddressRefusedError | undefined {
  const kind = refusedAddress(ip, reach)
  if (kind === undefined) return undefined
  const never = refusedAddress(ip, 'private') !== undefined
  return new AddressRefusedError(
    `${host} has a ${kind} address, ${never ? 'which is never connected to' : `and ${setting}=${reach} does not allow those`}`,
  )
}

function carried(address: IpAddress): IpAddress {
  if (nat64.hasAddress(address)) return { version: 4, bytes: address.bytes.slice(12) }
  if (sixToFour.hasAddress(address)) return { version: 4, bytes: address.bytes.slice(2, 6) }
  return address
}

function blocks(...texts: string[]): CidrSet {
  return new CidrSet(texts.map(text => parseCidr(text) as Cidr))
}
