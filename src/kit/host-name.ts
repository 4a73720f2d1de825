import { asciiLower } from './ascii.ts'

/** The name in a Host header: lower case, without port and final dot; brackets of IPv6 are kept. */
export function hostNameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  return asciiLower(end > 0 ? host.slice(0, end) : host).replace(/\.$/, '')
}
