/** IP addresses and CIDR blocks as numbers. An IPv4-mapped IPv6 address is IPv6, as in the rules language. */

export interface IpAddress {
  readonly family: 4 | 6
  /** 32 or 128 bits. */
  readonly bits: bigint
}

export interface Cidr {
  readonly family: 4 | 6
  /** First address of the block; host bits are zero. */
  readonly first: bigint
  readonly last: bigint
  readonly prefix: number
  /** False when the text had host bits set (`10.0.0.1/8`). */
  readonly aligned: boolean
}

/** Four decimal octets without leading zeros, or any legal spelling of IPv6 (RFC 4291; no zone index). */
export function parseIp(text: string): IpAddress | undefined {
  if (text.length > 45) return undefined
  if (text.includes(':')) {
    const bits = parseIpv6(text)
    return bits === undefined ? undefined : { family: 6, bits }
  }
  const bits = parseIpv4(text)
  return bits === undefined ? undefined : { family: 4, bits: BigInt(bits) }
}

/** An address, or `address/prefix`. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/')
  const address = parseIp(slash < 0 ? text : text.slice(0, slash))
  if (address === undefined) return undefined
  const width = address.family === 4 ? 32 : 128
  const prefixText = slash < 0 ? String(width) : text.slice(slash + 1)
  if (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > width) return undefined
  const prefix = Number(prefixText)
  const hostMask = (1n << BigInt(width - prefix)) - 1n
  const first = address.bits & ~hostMask
  return { family: address.family, first, last: first | hostMask, prefix, aligned: first === address.bits }
}

export function cidrContains(block: Cidr, address: IpAddress): boolean {
  return block.family === address.family && address.bits >= block.first && address.bits <= block.last
}

/** A set of blocks and ranges. `has` is O(log n). */
export class CidrSet {
  readonly #v4: readonly Range[]
  readonly #v6: readonly Range[]

  constructor(blocks: Iterable<{ readonly family: 4 | 6; readonly first: bigint; readonly last: bigint }>) {
    const all = [...blocks]
    this.#v4 = merged(all.filter(block => block.family === 4))
    this.#v6 = merged(all.filter(block => block.family === 6))
  }

  /** @param address text form, or parsed; false when the text is no address */
  has(address: string | IpAddress): boolean {
    const ip = typeof address === 'string' ? parseIp(address) : address
    if (ip === undefined) return false
    const ranges = ip.family === 4 ? this.#v4 : this.#v6
    let low = 0
    let high = ranges.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ranges[middle]!.last < ip.bits) low = middle + 1
      else high = middle
    }
    return low < ranges.length && ranges[low]!.first <= ip.bits
  }
}

interface Range {
  readonly first: bigint
  readonly last: bigint
}

/** Sorted and disjoint. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const sorted = [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))
  const result: { first: bigint; last: bigint }[] = []
  for (const { first, last } of sorted) {
    const previous = result.at(-1)
    if (previous !== undefined && first <= previous.last + 1n) {
      if (last > previous.last) previous.last = last
    } else result.push({ first, last })
  }
  return result
}

function parseIpv4(text: string): number | undefined {
  const octets = text.split('.')
  if (octets.length !== 4) return undefined
  let bits = 0
  for (const octet of octets) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(octet) || Number(octet) > 255) return undefined
    bits = bits * 256 + Number(octet)
  }
  return bits
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = groups(halves[0]!)
  const tail = halves.length === 2 ? groups(halves[1]!) : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const all = [...head, ...new Array<number>(missing).fill(0), ...tail]
  return all.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n)
}

/** 16-bit groups of `1:2:3` or `1:2:127.0.0.1`; none for the empty text. */
function groups(text: string): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const result: number[] = []
  for (const [index, part] of parts.entries()) {
    if (part.includes('.') && index === parts.length - 1) {
      const v4 = parseIpv4(part)
      if (v4 === undefined) return undefined
      result.push(Math.floor(v4 / 65536), v4 % 65536)
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) result.push(Number.parseInt(part, 16))
    else return undefined
  }
  return result
}
