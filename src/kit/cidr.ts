/**
 * IP addresses and CIDR blocks as text and as comparable bytes. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`)
 * always counts as the IPv4 address that it carries: it lies in `192.0.2.0/24` and not in `::/0`. A mapped block
 * `::ffff:192.0.2.0/120` is `192.0.2.0/24`.
 */

import { hexValue } from './ascii.ts'

export interface IpAddress {
  readonly version: 4 | 6
  /** Network order, one code unit a byte: 4 or 16 of them. Compares with `<` and `===` like the address. */
  readonly bytes: string
}

export interface Cidr extends IpAddress {
  /** Leading bits that count: 0–32 or 0–128. The remaining bits are zero in `bytes`. */
  readonly prefix: number
}

const MAPPED_PREFIX = '\0\0\0\0\0\0\0\0\0\0\xff\xff'
/** Longest text of an address: eight groups, the last two dotted; zone identifiers are refused. */
const LONGEST_ADDRESS = 45

/**
 * Dotted decimal without leading zeros (they would read as octal elsewhere), or IPv6 as RFC 4291 section 2.2 writes it.
 * No brackets, no port, no zone.
 */
export function parseIp(text: string): IpAddress | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined
  if (!text.includes(':')) {
    const bytes = parseV4(text)
    return bytes === undefined ? undefined : { version: 4, bytes }
  }
  const bytes = parseV6(text)
  if (bytes === undefined) return undefined
  return bytes.startsWith(MAPPED_PREFIX) ? { version: 4, bytes: bytes.slice(12) } : { version: 6, bytes }
}

/** `address` or `address/bits`; bits behind the prefix are dropped: `10.1.2.3/8` is `10.0.0.0/8`. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/')
  const address = parseIp(slash < 0 ? text : text.slice(0, slash))
  if (address === undefined) return undefined
  const bitsMax = address.bytes.length * 8
  let prefix = slash < 0 ? bitsMax : parseDecimal(text, slash + 1, text.length, 128)
  if (slash >= 0 && address.version === 4 && text.includes(':')) prefix -= 96
  if (prefix < 0 || prefix > bitsMax) return undefined
  return { version: address.version, prefix, bytes: withTail(address.bytes, prefix, 0) }
}

/** Whether the address lies in the block. Never across IP versions. */
export function cidrContains(block: Cidr, address: IpAddress): boolean {
  return block.version === address.version && withTail(address.bytes, block.prefix, 0) === block.bytes
}

/** A fixed set of blocks. `has` parses and searches: O(log blocks), for any prefixes. */
export class CidrSet {
  /** Disjoint ranges in order, first and last address; one list for each version, because lengths differ. */
  readonly #v4: Ranges
  readonly #v6: Ranges

  constructor(blocks: readonly Cidr[]) {
    this.#v4 = mergeRanges(blocks.filter(block => block.version === 4))
    this.#v6 = mergeRanges(blocks.filter(block => block.version === 6))
  }

  /** False for a text that is not an address. */
  has(ipText: string): boolean {
    const address = parseIp(ipText)
    return address !== undefined && this.hasAddress(address)
  }

  hasAddress(address: IpAddress): boolean {
    const { first, last } = address.version === 4 ? this.#v4 : this.#v6
    let low = 0
    let high = first.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (last[middle]! < address.bytes) low = middle + 1
      else high = middle
    }
    return low < first.length && first[low]! <= address.bytes
  }
}

interface Ranges {
  readonly first: readonly string[]
  readonly last: readonly string[]
}

function mergeRanges(blocks: readonly Cidr[]): Ranges {
  const first: string[] = []
  const last: string[] = []
  const sorted = blocks.toSorted((a, b) =>
    a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : a.prefix - b.prefix,
  )
  for (const block of sorted) {
    // Blocks are nested or disjoint; in this order an inner block follows its outer one.
    if (last.length > 0 && block.bytes <= last[last.length - 1]!) continue
    first.push(block.bytes)
    last.push(withTail(block.bytes, block.prefix, 0xff))
  }
  return { first, last }
}

/** The bytes with every bit behind `prefix` taken from `fill` (0 or 0xff). */
export function withTail(bytes: string, prefix: number, fill: 0 | 0xff): string {
  const whole = prefix >> 3
  if (whole >= bytes.length) return bytes
  const mask = 0xff >> (prefix & 7)
  const edge = (bytes.charCodeAt(whole) & ~mask) | (fill & mask)
  return (
    bytes.slice(0, whole) +
    String.fromCharCode(edge) +
    String.fromCharCode(fill).repeat(bytes.length - whole - 1)
  )
}

function parseV4(text: string): string | undefined {
  let bytes = ''
  let start = 0
  for (let part = 0; part < 4; part++) {
    const dot = part < 3 ? text.indexOf('.', start) : text.length
    const value = parseDecimal(text, start, dot, 255)
    if (value < 0) return undefined
    bytes += String.fromCharCode(value)
    start = dot + 1
  }
  return bytes
}

/** -1 when the text is not a number, has a leading zero or exceeds `max` (below 1000). */
function parseDecimal(text: string, start: number, end: number, max: number): number {
  const length = end - start
  if (length < 1 || length > 3 || (length > 1 && text.charCodeAt(start) === 0x30)) return -1
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value <= max ? value : -1
}

function parseV6(text: string): string | undefined {
  const gap = text.indexOf('::')
  if (gap < 0) {
    const bytes = parseGroups(text)
    return bytes?.length === 16 ? bytes : undefined
  }
  const head = parseGroups(text.slice(0, gap))
  const tail = parseGroups(text.slice(gap + 2))
  // A dotted ending belongs behind the gap, and the gap stands for at least one group (RFC 5952 says two).
  if (head === undefined || tail === undefined || text.slice(0, gap).includes('.')) return undefined
  const missing = 16 - head.length - tail.length
  return missing < 2 ? undefined : head + '\0'.repeat(missing) + tail
}

/** Groups between colons; the last may be dotted decimal. '' gives ''. */
function parseGroups(text: string): string | undefined {
  if (text === '') return ''
  const groups = text.split(':')
  let bytes = ''
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i]!
    if (i === groups.length - 1 && group.includes('.')) {
      const dotted = parseV4(group)
      if (dotted === undefined) return undefined
      bytes += dotted
    } else {
      const value = parseHexGroup(group)
      if (value < 0) return undefined
      bytes += String.fromCharCode(value >> 8, value & 0xff)
    }
  }
  return bytes
}

/** One to four hex digits; -1 otherwise. */
function parseHexGroup(group: string): number {
  if (group.length < 1 || group.length > 4) return -1
  let value = 0
  for (let i = 0; i < group.length; i++) {
    const digit = hexValue(group.charCodeAt(i))
    if (digit < 0) return -1
    value = (value << 4) | digit
  }
  return value
}

/**
 * The canonical spelling of an address: dotted decimal, or IPv6 in lower case with its longest run of zero groups
 * left out.
 * @source RFC 5952 section 4
 */
export function ipText({ version, bytes }: IpAddress): string {
  if (version === 4) return Array.from(bytes, byte => byte.charCodeAt(0)).join('.')
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((bytes.charCodeAt(2 * at) << 8) | bytes.charCodeAt(2 * at + 1)).toString(16),
  )
  const gap = longestZeros(groups)
  if (gap === undefined) return groups.join(':')
  return `${groups.slice(0, gap.start).join(':')}::${groups.slice(gap.start + gap.length).join(':')}`
}

/**
 * The canonical spelling of an address in any form; `::ffff:192.0.2.1` becomes `192.0.2.1`. A zone (`fe80::1%eth0`)
 * is removed. Undefined for a text that is not an address.
 */
export function canonicalIp(text: string): string | undefined {
  // Most addresses are IPv4 in canonical form.
  if (!text.includes(':')) return parseIp(text) === undefined ? undefined : text
  const percent = text.indexOf('%')
  const address = parseIp(percent < 0 ? text : text.slice(0, percent))
  return address && ipText(address)
}

/**
 * The client that an address is counted as. An IPv6 client has a whole /64 and may send each request from another
 * address in it (RFC 6177). IPv4 addresses and other texts are returned unchanged.
 */
export function clientNetwork(text: string): string {
  if (!text.includes(':')) return text
  const address = parseIp(text)
  if (address === undefined) return text
  return ipText(address.version === 4 ? address : { ...address, bytes: withTail(address.bytes, 64, 0) })
}

/** The first of the longest runs of zero groups; undefined when none has two. */
function longestZeros(groups: readonly string[]): { start: number; length: number } | undefined {
  let best: { start: number; length: number } | undefined
  for (let start = 0; start < groups.length; start++) {
    let length = 0
    while (groups[start + length] === '0') length++
    if (length > (best?.length ?? 1)) best = { start, length }
    start += length
  }
  return best
}

/**
 * The block of an IP list's item. A single IPv6 address covers its /64, because its owner has the whole /64.
 * @source Cloudflare's documentation of custom lists
 */
export function listedBlock(item: string): Cidr | undefined {
  const block = parseCidr(item)
  if (block === undefined || block.version === 4 || block.prefix <= listedV6Bits) return block
  return { ...block, prefix: listedV6Bits, bytes: withTail(block.bytes, listedV6Bits, 0) }
}

const listedV6Bits = 64
