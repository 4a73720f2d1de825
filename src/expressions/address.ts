import { type IpAddress, parseIp, withTail } from '../kit/cidr.ts'

/**
 * An address of the rules language: a text with a colon is IPv6, also when it carries an IPv4 address (elsewhere in
 * this program `::ffff:192.0.2.1` is the IPv4 address).
 * @source rules-language types
 */
export interface Address extends IpAddress {
  /** The address as a number; 0 for IPv6. */
  readonly v4: number
}

const mappedPrefix = '\0\0\0\0\0\0\0\0\0\0\xff\xff'

/** Undefined if the text is no address. */
export function parseAddress(text: string): Address | undefined {
  const address = parseIp(text)
  if (address === undefined) return undefined
  if (address.version === 6) return { version: 6, bytes: address.bytes, v4: 0 }
  if (text.includes(':')) return { version: 6, bytes: mappedPrefix + address.bytes, v4: 0 }
  return { version: 4, bytes: address.bytes, v4: numberOf(address.bytes) }
}

function numberOf(bytes: string): number {
  let number = 0
  for (let at = 0; at < 4; at++) number = number * 256 + bytes.charCodeAt(at)
  return number
}

/** First and last address of the block of an address. */
export function blockOf({ version, bytes }: Address, prefix: number): { first: Address; last: Address } {
  const ends = [withTail(bytes, prefix, 0), withTail(bytes, prefix, 0xff)] as const
  const [first, last] = ends.map(end => ({ version, bytes: end, v4: version === 4 ? numberOf(end) : 0 }))
  return { first: first!, last: last! }
}

let lastText = ''
let lastAddress: Address | undefined
let earlierText = ''
let earlierAddress: Address | undefined

/** Rules of one request test the same addresses in sequence, so the last two are remembered. */
export function addressOf(text: string): Address | undefined {
  if (text === lastText) return lastAddress
  if (text === earlierText) return earlierAddress
  earlierText = lastText
  earlierAddress = lastAddress
  lastText = text
  lastAddress = parseAddress(text)
  return lastAddress
}

/**
 * Canonical text: dotted decimal, or IPv6 in lower case with its longest run of zero groups shortened.
 * @source RFC 5952
 */
export function addressText({ version, bytes }: IpAddress): string {
  if (version === 4) return Array.from(bytes, byte => byte.charCodeAt(0)).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => groupAt(bytes, at))
  const { start, length } = longestZeros(groups)
  const shown = groups.map(group => group.toString(16))
  if (length < 2) return shown.join(':')
  return `${shown.slice(0, start).join(':')}::${shown.slice(start + length).join(':')}`
}

function groupAt(bytes: string, at: number): number {
  return bytes.charCodeAt(2 * at) * 256 + bytes.charCodeAt(2 * at + 1)
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (let at = 0; at < groups.length; at++) {
    if (groups[at] !== 0) start = at + 1
    else if (at + 1 - start > best.length) best = { start, length: at + 1 - start }
  }
  return best
}
