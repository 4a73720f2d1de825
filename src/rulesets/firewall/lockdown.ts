import { compileWildcard } from '../../expressions/index.ts'
import { asciiLower } from '../../kit/ascii.ts'
import { bytesOfText } from '../../kit/bytes.ts'
import { CidrSet, parseCidr } from '../../kit/cidr.ts'
import { hostNameOf } from '../../kit/host-name.ts'
import type { Lockdown } from '../../model/zone-firewall.ts'
import type { RequestView } from '../fields/request-view.ts'

/** A URL of a request, as lockdowns compare it. */
export interface LockedUrl {
  readonly scheme: string
  /** Host and path, in lower case. */
  readonly text: string
}

/** A lockdown that is not paused. */
export interface PlanLockdown {
  readonly id: string
  readonly description: string
  /** The URL of the request is one of the lockdown's. */
  readonly covers: (url: LockedUrl) => boolean
  readonly allows: (clientIp: string) => boolean
}

/** Lockdowns in the order in which they decide: by priority, those without one last, older ones first. */
export function planLockdowns(lockdowns: readonly Lockdown[]): readonly PlanLockdown[] {
  return lockdowns
    .filter(({ paused }) => !paused)
    .toSorted((a, b) => (a.priority ?? Infinity) - (b.priority ?? Infinity) || 0)
    .map(({ id, description = '', urls, configurations }) => {
      const patterns = urls.map(compileLockdownUrl)
      const addresses = new CidrSet(
        configurations.map(({ value }) => parseCidr(value)).filter(block => block !== undefined),
      )
      return {
        id,
        description,
        covers: url => patterns.some(covers => covers(url)),
        allows: clientIp => addresses.has(clientIp),
      }
    })
}

export function lockedUrl({ host, path, scheme }: Pick<RequestView, 'host' | 'path' | 'scheme'>): LockedUrl {
  return { scheme, text: asciiLower(hostNameOf(host) + path) }
}

/**
 * Compiles a URL of a lockdown. `*` stands for any text, letter case does not matter, a scheme is optional, and a host
 * alone means all its paths. A URL that cannot be compiled covers everything; `lockdownUrlFault` finds it before.
 * @source Cloudflare docs, "Zone Lockdown": its equivalent custom rule compares host and path, with `wildcard`
 */
function compileLockdownUrl(url: string): PlanLockdown['covers'] {
  const { scheme, pattern } = partsOf(url)
  // Both sides are in lower case, so that most URLs fail at their first bytes.
  const compiled = compileWildcard(pattern, true)
  if (!compiled.ok) return () => true
  return url => (scheme === undefined || url.scheme === scheme) && compiled.test(url.text)
}

/** @returns why a URL cannot be one of a lockdown of the zone */
export function lockdownUrlFault(url: string, zoneName: string): string | undefined {
  const { pattern } = partsOf(url)
  const host = pattern.slice(0, pattern.indexOf('/'))
  const before = host.slice(0, -zoneName.length).at(-1)
  const isOwn = host.endsWith(zoneName) && (before === undefined || before === '.' || before === '*')
  if (!isOwn && host !== '*') return `its host does not belong to the zone ${zoneName}`
  if (pattern.includes('?')) return 'it has a query; a lockdown covers a path with every query'
  const compiled = compileWildcard(pattern, true)
  return compiled.ok ? undefined : compiled.message
}

interface UrlParts {
  readonly scheme: string | undefined
  /** For `compileWildcard`; in lower case. */
  readonly pattern: string
}

function partsOf(url: string): UrlParts {
  const [, scheme, rest] = /^(?:(https?):\/\/)?(.*)$/is.exec(url)!
  const text = rest!.replaceAll(/\*+/g, '*').replaceAll('\\', '\\\\')
  const pattern = text.includes('/') ? text : `${text}/*`
  return { scheme: scheme?.toLowerCase(), pattern: asciiLower(bytesOfText(pattern)) }
}
