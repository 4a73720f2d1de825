import { hostNameOf } from '../../kit/host-name.ts'
import { unixPathOf } from '../../kit/unix-url.ts'
import type { DnsRecord, DnsRecordType } from '../../model/dns-record.ts'
import type { LoadBalancer } from '../../model/load-balancing.ts'
import { defaultZoneSettings, type SslMode } from '../../model/zone-settings.ts'
import { recordLimits } from '../limits.ts'
import { ruledOrigins } from './balancer-rules.ts'
import { ZonePools } from './origin-pools.ts'
import type { HostOrigins, OriginGroup, PlanInput, RuledOrigins, ZoneOrigins } from './plan.ts'

type Input = Pick<PlanInput, 'zone' | 'settings' | 'dnsRecords' | 'loadBalancers' | 'pools'>

/**
 * Load balancers and proxied A, AAAA and CNAME records name the servers of a host: those of the name itself, else of the
 * nearest wildcard; a load balancer goes before records. Other names have the zone's origin. Its scheme, unless the
 * zone's `ssl` decides, applies to all servers, and its port to those of records.
 */
export function zoneOrigins({
  zone,
  settings = defaultZoneSettings,
  dnsRecords = [],
  loadBalancers = [],
  pools = [],
}: Input): ZoneOrigins {
  const { name } = zone
  const { ssl } = settings
  const ownUrl = zone.originUrl ?? schemeAlone
  const originUrl = ssl === undefined ? ownUrl : withScheme(ownUrl, ssl)
  const own = { url: originUrl, weight: 1 }
  const fallback: OriginGroup =
    zone.originUrl === undefined ? { servers: [], routed: own } : { servers: [own] }
  const byName = Map.groupBy(dnsRecords, record => record.name)
  const groups = new Map<string, HostOrigins | RuledOrigins>()
  for (const [host, ofHost] of byName) {
    if (!ofHost.some(record => record.proxied)) continue
    const urls = new Set(serverHosts(host, name, byName).map(server => serverUrl(originUrl, server)))
    const servers = [...urls].map(url => ({ url, weight: 1 }))
    groups.set(host, servers.length === 0 ? fallback : { servers })
  }
  const deciding = loadBalancers.filter(({ enabled, proxied }) => enabled && proxied)
  const ofZone = new ZonePools(deciding.length === 0 ? [] : pools, new URL(originUrl).protocol, settings)
  for (const balancer of deciding) {
    const originsOf = (one: LoadBalancer) => ofZone.of(one, fallback)
    const { rules = [] } = balancer
    const isRuled = rules.some(({ disabled }) => disabled !== true)
    groups.set(balancer.name, isRuled ? ruledOrigins(balancer, rules, originsOf) : originsOf(balancer))
  }
  if (groups.size === 0) return { of: () => fallback }
  return { of: host => entryFor(groups, hostNameOf(host)) ?? fallback }
}

/** Gives the servers of a zone without an origin their scheme and port. */
const schemeAlone = 'http://0.0.0.0'

/** The entry of the name itself, else of the wildcard with the most labels. */
function entryFor<T>(byName: ReadonlyMap<string, T>, name: string): T | undefined {
  const exact = byName.get(name)
  if (exact !== undefined) return exact
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const wildcard = byName.get(`*${name.slice(dot)}`)
    if (wildcard !== undefined) return wildcard
  }
  return undefined
}

/**
 * Addresses and names outside of the zone. A CNAME for a name of the zone leads to the records of that name, proxied or
 * not. None when it has no records or the chain does not end: public DNS would lead such names back to the edge.
 */
function serverHosts(
  host: string,
  zoneName: string,
  byName: ReadonlyMap<string, readonly DnsRecord[]>,
): readonly string[] {
  let records = byName.get(host)
  for (let links = 0; records !== undefined && links < recordLimits.cnameLinksMax; links++) {
    const target = records.find(record => record.type === 'CNAME')?.content
    if (target === undefined) return records.map(({ type, content }) => urlHost(type, content))
    const name = hostNameOf(target)
    if (name !== zoneName && !name.endsWith(`.${zoneName}`)) return [name]
    records = entryFor(byName, name)
  }
  return []
}

function urlHost(type: DnsRecordType, content: string): string {
  return type === 'AAAA' ? `[${content}]` : content
}

/** A port that the URL names stays. A unix socket speaks plain HTTP. */
function withScheme(originUrl: string, ssl: SslMode): string {
  if (unixPathOf(originUrl) !== undefined) return originUrl
  const url = new URL(originUrl)
  url.protocol = ssl === 'full' || ssl === 'strict' ? 'https:' : 'http:'
  return url.origin
}

function serverUrl(originUrl: string, host: string): string {
  const url = new URL(originUrl)
  url.hostname = host
  return url.origin
}
