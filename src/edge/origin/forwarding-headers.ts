import type { ManagedTransform } from '../../model/managed-transforms.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import { continentOf } from '../../rulesets/fields/continents.ts'
import type { GeoView } from '../../rulesets/fields/request-view.ts'
import type { ClientAddress } from '../message/client-address.ts'
import { firstHeader } from '../message/headers.ts'
import { pseudoIpv4 } from './pseudo-ipv4.ts'

/*
 * Headers that tell origins the client's identity, location and protocol. The edge owns them: it sets the headers that
 * it knows and removes the others, unless a trusted proxy sent them or a rule set them.
 */

const owned: ReadonlySet<string> = new Set([
  'forwarded',
  'front-end-https',
  'ray-id',
  'x-azure-socketip',
  'x-envoy-external-address',
  'x-original-host',
  'x-scheme',
  'x-url-scheme',
])

/** `cf-connecting-ip`, `cf-access-authenticated-user-email`, `x-forwarded-prefix`, `cloudfront-viewer-address` … */
const ownedBeginnings = /^(?:cf-|x-forwarded(?:-|$)|cloudfront-|x-appengine-|x-vercel-)/

/** The client's end of the connection, as proxies and CDNs name it: `fastly-client-ip`, `wl-proxy-client-ip` … */
const ownedEndings =
  /(?:^|-)(?:client(?:-connection)?|connecting|originating|proxy-?user|real|remote|src)-?(?:ip|addr|address|port|proto|scheme|host)$|forward(?:ed|er)?-?for(?:-ip)?$/

/** The owner of a header line. */
export type HeaderOwner =
  /** The client, as for any other header. */
  | 'client'
  /** The edge. */
  | 'edge'
  /**
   * The edge, for a spelling that some servers read as the same name: CGI, WSGI and PHP do not distinguish `X_Real_IP`
   * from `X-Real-IP` (RFC 3875 4.1.18). Proxies do not send such names.
   */
  | 'look-alike'

/** @param lowerName in lower case */
export function ownerOf(lowerName: string): HeaderOwner {
  const plain = /[^a-z0-9-]/.test(lowerName) ? lowerName.replace(/[^a-z0-9-]/g, '-') : lowerName
  if (!owned.has(plain) && !ownedBeginnings.test(plain) && !ownedEndings.test(plain)) return 'client'
  return plain === lowerName ? 'edge' : 'look-alike'
}

/** Facts for the headers of a forwarded request. */
export interface ForwardingFacts {
  readonly address: ClientAddress
  /** Host of the client's request. */
  readonly host: string
  readonly rayId: string
  /** Looked up on first use. */
  readonly geo: () => GeoView
  readonly settings: ZoneSettings
}

/** Lines with names in lower case. They are few: searching them costs less than a map. */
export type OwnLines = [name: string, value: string][]

/**
 * The edge's own lines. They replace lines of the same name from a trusted proxy.
 * @source Cloudflare docs, HTTP headers that origins get, and managed transforms
 */
export function forwardingHeaders(facts: ForwardingFacts): OwnLines {
  const { address, settings, rayId } = facts
  const transforms = settings.managedTransforms
  const lines: OwnLines = [
    ['x-forwarded-proto', address.scheme],
    ['x-forwarded-host', facts.host],
    ['cf-visitor', `{"scheme":"${address.scheme}"}`],
    ['cf-ray', rayId],
    ['ray-id', rayId],
  ]
  if (!transforms.has('remove_visitor_ip_headers')) {
    const pseudo = settings.pseudoIpv4 === 'off' ? undefined : pseudoIpv4(address.clientIp)
    const overwrites = pseudo !== undefined && settings.pseudoIpv4 === 'overwrite_header'
    const clientIp = overwrites ? pseudo : address.clientIp
    const chain = overwrites ? [pseudo] : [...address.forwardedFor, address.peerIp]
    lines.push(['x-forwarded-for', chain.join(', ')])
    lines.push(['cf-connecting-ip', clientIp])
    lines.push(['x-real-ip', clientIp])
    if (overwrites) lines.push(['cf-connecting-ipv6', address.clientIp])
    else if (pseudo !== undefined) lines.push(['cf-pseudo-ipv4', pseudo])
    if (transforms.has('add_true_client_ip_headers')) lines.push(['true-client-ip', clientIp])
  } else if (address.forwardedFor.length > 0) lines.push(['x-forwarded-for', address.peerIp])
  addGeoHeaders(lines, facts, transforms)
  return lines
}

/** Unknown values are left out, except the country, which is then `XX`. */
function addGeoHeaders(
  lines: OwnLines,
  { settings, geo }: ForwardingFacts,
  transforms: ReadonlySet<ManagedTransform>,
): void {
  const all = transforms.has('add_visitor_location_headers')
  if (!all && !settings.ipGeolocation) return
  const found = geo()
  lines.push(['cf-ipcountry', found.country === '' ? 'XX' : found.country])
  if (!all) return
  const known = {
    'cf-ipcity': found.city,
    'cf-ipcontinent': continentOf(found.country),
    'cf-iplongitude': found.longitude,
    'cf-iplatitude': found.latitude,
    'cf-region': found.region,
    'cf-region-code': found.regionCode,
    'cf-metro-code': found.metroCode,
    'cf-postal-code': found.postalCode,
    'cf-timezone': found.timezone,
  }
  for (const [name, value] of Object.entries(known)) if (value !== '') lines.push([name, value])
}

/** A header of a rule replaces the edge's own. */
export function removeOwn(own: OwnLines, lowerName: string): void {
  const at = own.findIndex(([name]) => name === lowerName)
  if (at >= 0) own.splice(at, 1)
}

/**
 * @returns whether the line comes from a trusted proxy and is forwarded. A header that the edge sets itself is not sent
 *   twice, except for the original host of the proxy
 */
export function isFromProxy(
  lowerName: string,
  owner: HeaderOwner,
  own: OwnLines,
  { address, settings }: ForwardingFacts,
): boolean {
  if (!address.peerTrusted || owner === 'look-alike') return false
  if (lowerName === 'x-forwarded-host') return true
  if (lowerName === 'x-forwarded-for' || firstHeader(own, lowerName) !== undefined) return false
  // Most other headers contain an address.
  return !settings.managedTransforms.has('remove_visitor_ip_headers') || lowerName.startsWith('x-forwarded-')
}
