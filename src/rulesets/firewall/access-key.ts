import { asciiUpper } from '../../kit/ascii.ts'
import { type Cidr, parseCidr, parseIp } from '../../kit/cidr.ts'
import { type AccessTarget, accessTargets } from '../../model/access-rule.ts'

/** Bits of the prefixes that ranges may have. @source Cloudflare docs, "IP Access rule parameters" */
const prefixes = { 4: [24, 16], 6: [64, 48, 32] } as const

/**
 * The key of an access rule: equal for all spellings of the same target.
 * @returns undefined for a text that is no value of the target
 */
export function accessRuleKey(target: AccessTarget, value: string): string | undefined {
  switch (target) {
    case 'ip':
    case 'ip6': {
      const address = parseIp(value)
      if (address === undefined || (target === 'ip6' && address.version === 4)) return undefined
      return addressKey(address)
    }
    case 'ip_range': {
      const block = value.includes('/') ? parseCidr(value) : undefined
      return block !== undefined && isRange(block) ? rangeKey(addressKey(block), block.prefix) : undefined
    }
    case 'asn': {
      const digits = /^(?:as)?([1-9]\d{0,9})$/i.exec(value)?.[1]
      return digits !== undefined && Number(digits) <= lastAsn ? asnKey(Number(digits)) : undefined
    }
    case 'country':
      return /^[a-z][a-z0-9]$/i.test(value) ? countryKey(asciiUpper(value)) : undefined
  }
}

/**
 * The value as the API answers it: IPv6 addresses in long form (`2001:0db8:0000:…`), the only one that the Terraform
 * provider accepts, and other values as they are.
 * @param key of target and value
 */
export function accessRuleValue(target: AccessTarget, value: string, key: string): string {
  const digits = target === 'ip' || target === 'ip6' ? /^6 (.*)/.exec(key)?.[1] : undefined
  return digits === undefined ? value : digits.match(/..../g)!.join(':')
}

/** The key of a value whose target is not known. */
export function anyAccessRuleKey(value: string): string | undefined {
  return accessTargets.map(target => accessRuleKey(target, value)).find(key => key !== undefined)
}

/** 32 bits, RFC 6793. */
const lastAsn = 2 ** 32 - 1

/** Keys of an address and of the ranges around it, the narrowest first. Empty for a text that is not an address. */
export function addressKeys(ip: string): readonly string[] {
  const address = parseIp(ip)
  if (address === undefined) return []
  const key = addressKey(address)
  return [key, ...prefixes[address.version].map(prefix => rangeKey(key, prefix))]
}

export function asnKey(asnum: number): string {
  return `asn ${asnum}`
}

/** @param country in upper case; empty when it is unknown, which is Cloudflare's `XX` */
export function countryKey(country: string): string {
  return `country ${country === '' ? 'XX' : country}`
}

function addressKey({ version, bytes }: Pick<Cidr, 'version' | 'bytes'>): string {
  let key = version === 4 ? '4 ' : '6 '
  for (let at = 0; at < bytes.length; at++) key += hexBytes[bytes.charCodeAt(at)]!
  return key
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** All prefixes are whole bytes, with two digits each. */
function rangeKey(address: string, prefix: number): string {
  return `${address.slice(0, 2 + prefix / 4)}/`
}

function isRange({ version, prefix }: Cidr): boolean {
  return (prefixes[version] as readonly number[]).includes(prefix)
}
