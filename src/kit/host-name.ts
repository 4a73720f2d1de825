import { asciiLower } from './ascii.ts'

/** The name in a Host header: lower case, without port and final dot; brackets of IPv6 are kept. */
export function hostNameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  const name = asciiLower(end > 0 ? host.slice(0, end) : host)
  return name.endsWith('.') ? name.slice(0, -1) : name
}

/** The name itself if it is one of the domains, else its nearest parent domain that is. O(labels). */
export function nearestDomain(name: string, domains: { has(domain: string): boolean }): string | undefined {
  for (let suffix = name; suffix !== ''; ) {
    if (domains.has(suffix)) return suffix
    const dot = suffix.indexOf('.')
    suffix = dot < 0 ? '' : suffix.slice(dot + 1)
  }
  return undefined
}
