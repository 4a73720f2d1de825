import { bytesOfText } from '../../kit/bytes.ts'
import { hostNameOf } from '../../kit/host-name.ts'
import { withUniformEscapes } from '../../kit/url-escapes.ts'
import { listItemLimits } from '../../model/limits.ts'
import { redirectSourceOf } from '../../model/redirect-source.ts'
import type { JsonObject } from '../../model/resource.ts'
import type { ListedRedirect, RedirectList } from './plan.ts'

/** A `redirect` item of a list. @source Cloudflare docs, URL redirect parameters */
interface RedirectItem {
  readonly source_url: string
  readonly target_url: string
  readonly status_code?: ListedRedirect['status']
  readonly include_subdomains?: boolean
  readonly subpath_matching?: boolean
  readonly preserve_query_string?: boolean
  readonly preserve_path_suffix?: boolean
}

/** A redirect in the table. Redirects of the same host and path are chained; those with a scheme come first. */
interface Entry {
  /** Undefined: both schemes. */
  readonly scheme: string | undefined
  readonly target: string
  readonly status: ListedRedirect['status']
  readonly flags: number
  next: Entry | undefined
}

const flag = { subdomains: 1, subpaths: 2, keepsQuery: 4, keepsSuffix: 8 } as const

/**
 * The redirects of a list by host and path. A lookup takes a probe for each label of the host, and for each segment
 * of the path as far as some source path goes. The segments are probed again for each domain above the host whose
 * redirects include subdomains.
 */
export class RedirectTable implements RedirectList {
  /** By host and path of the source URL: `example.com/a`. */
  readonly #entries = new Map<string, Entry>()
  /** Hosts of redirects that include subdomains. */
  readonly #domains = new Set<string>()
  /** Slashes of the longest source path with subpaths. */
  #slashesMax = 0

  /** @param content of a stored item, which the API has checked */
  add(content: JsonObject): void {
    const item = content['redirect'] as unknown as RedirectItem
    const { source_url: source, target_url: target, status_code: status = 301 } = item
    const { scheme, host, path } = redirectSourceOf(source)
    if (item.include_subdomains) this.#domains.add(host)
    if (item.subpath_matching) this.#slashesMax = Math.max(this.#slashesMax, path.split('/').length - 1)
    this.#insert(host + path, {
      scheme,
      target: bytesOfText(target),
      status,
      flags: flagsOf(item),
      next: undefined,
    })
  }

  /**
   * The most specific path wins, then the host itself, then the most specific domain, then a scheme.
   * @source Cloudflare docs, How Bulk Redirects work, "Determining the URL redirect to apply"
   */
  find(url: string): ListedRedirect | undefined {
    const parts = partsOf(url)
    if (parts === undefined || this.#entries.size === 0) return undefined
    const hosts = this.#hostsFor(parts.host)
    if (hosts.length === 0) return undefined
    const { scheme, path } = parts
    const exact = this.#at(hosts, scheme, path, '')
    if (exact !== undefined || this.#slashesMax === 0) return exact
    const slashes = slashesOf(path, this.#slashesMax + 1)
    for (let at = slashes.length - 1; at >= 0; at--) {
      const slash = slashes[at]!
      const found =
        (at < this.#slashesMax && this.#at(hosts, scheme, path.slice(0, slash + 1), path.slice(slash + 1))) ||
        (at > 0 && this.#at(hosts, scheme, path.slice(0, slash), path.slice(slash)))
      if (found) return found
    }
    return undefined
  }

  /** An entry that an earlier one always hides is left out, so a chain has at most twelve. */
  #insert(key: string, entry: Entry): void {
    let before: Entry | undefined
    let next = this.#entries.get(key)
    while (next !== undefined && (entry.scheme === undefined || next.scheme !== undefined)) {
      if (hides(next, entry)) return
      before = next
      next = next.next
    }
    entry.next = next
    if (before === undefined) this.#entries.set(key, entry)
    else before.next = entry
  }

  /** The host, and the domains above it whose redirects include it; the nearest first. */
  #hostsFor(host: string): readonly string[] {
    const hosts = [host]
    if (this.#domains.size === 0) return hosts
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
      const domain = host.slice(dot + 1)
      if (this.#domains.has(domain)) hosts.push(domain)
    }
    return hosts
  }

  /** @param suffix the rest of the path; empty: the path is complete */
  #at(hosts: readonly string[], scheme: string, path: string, suffix: string): ListedRedirect | undefined {
    for (let at = 0; at < hosts.length; at++) {
      const needed = (at === 0 ? 0 : flag.subdomains) | (suffix === '' ? 0 : flag.subpaths)
      let entry = this.#entries.get(hosts[at]! + path)
      for (; entry !== undefined; entry = entry.next)
        if ((entry.flags & needed) === needed && (entry.scheme ?? scheme) === scheme)
          return resolved(entry, suffix)
    }
    return undefined
  }
}

/** The earlier entry matches every URL that the later one does. */
function hides(earlier: Entry, later: Entry): boolean {
  const matching = later.flags & (flag.subdomains | flag.subpaths)
  return earlier.scheme === later.scheme && (earlier.flags & matching) === matching
}

function flagsOf(item: RedirectItem): number {
  return (
    (item.include_subdomains ? flag.subdomains : 0) |
    (item.subpath_matching ? flag.subpaths : 0) |
    (item.preserve_query_string ? flag.keepsQuery : 0) |
    ((item.preserve_path_suffix ?? true) ? flag.keepsSuffix : 0)
  )
}

/** Undefined for a text that is not a URL with a host. */
function partsOf(
  url: string,
): { readonly scheme: string; readonly host: string; readonly path: string } | undefined {
  const colon = url.indexOf('://')
  if (colon < 0) return undefined
  const query = url.indexOf('?', colon + 3)
  const end = query < 0 ? url.length : query
  const slash = url.indexOf('/', colon + 3)
  const hostEnd = slash < 0 || slash > end ? end : slash
  const host = hostNameOf(url.slice(colon + 3, hostEnd))
  if (host === '' || host.length > listItemLimits.hostNameCharactersMax) return undefined
  return { scheme: url.slice(0, colon), host, path: withUniformEscapes(url.slice(hostEnd, end)) || '/' }
}

/** Positions of the first slashes. */
function slashesOf(path: string, countMax: number): readonly number[] {
  const positions: number[] = []
  for (let at = path.indexOf('/'); at >= 0 && positions.length < countMax; at = path.indexOf('/', at + 1))
    positions.push(at)
  return positions
}

function resolved({ target, status, flags }: Entry, suffix: string): ListedRedirect {
  const preserveQuery = (flags & flag.keepsQuery) !== 0
  const keepsSuffix = suffix !== '' && (flags & flag.keepsSuffix) !== 0
  return { status, target: keepsSuffix ? withSuffix(target, suffix) : target, preserveQuery }
}

/** Appends to the path with one slash between. A target without a host (`magnet:`) has no path to append to. */
function withSuffix(target: string, suffix: string): string {
  if (!target.includes('://')) return target
  const end = target.search(/[?#]/)
  const base = end < 0 ? target : target.slice(0, end)
  const rest = end < 0 ? '' : target.slice(end)
  return `${base.replace(/\/$/, '')}/${suffix.replace(/^\//, '')}${rest}`
}
