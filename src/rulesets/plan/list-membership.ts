import { asciiLower } from '../../kit/ascii.ts'
import { CidrSet, listedBlock } from '../../kit/cidr.ts'
import type { JsonObject, ListKind } from '../../model/resource.ts'
import type { ListTest } from './plan.ts'
import { RedirectTable } from './redirect-table.ts'

/** The type of the values in a list of this kind: URLs, for lists of redirects. */
export function listType(kind: ListKind): 'Ip' | 'Bytes' | 'Int' {
  return types[kind]
}

const types: Readonly<Record<ListKind, 'Ip' | 'Bytes' | 'Int'>> = {
  ip: 'Ip',
  hostname: 'Bytes',
  asn: 'Int',
  redirect: 'Bytes',
}

/** Whether a value is in a list with these items. */
export function listTest(kind: ListKind, contents: readonly JsonObject[]): ListTest {
  if (kind === 'ip') {
    const blocks = contents.map(({ ip }) => listedBlock(String(ip))).filter(block => block !== undefined)
    const set = new CidrSet(blocks)
    return value => typeof value === 'string' && set.has(value)
  }
  if (kind === 'asn') {
    const numbers = new Set(contents.map(({ asn }) => asn as unknown))
    return value => numbers.has(value)
  }
  return kind === 'hostname' ? hostnameTest(contents) : redirectTest(contents)
}

function redirectTest(contents: readonly JsonObject[]): ListTest {
  const table = new RedirectTable()
  for (const content of contents) table.add(content)
  return value => table.find(String(value)) !== undefined
}

interface HostnameItem {
  readonly hostname?: { readonly url_hostname: string; readonly exclude_exact_hostname?: boolean }
}

/**
 * `*.example.com` contains the names below that one; with `exclude_exact_hostname: false` also the name itself.
 * @source Cloudflare API, list items
 */
function hostnameTest(contents: readonly JsonObject[]): ListTest {
  const exact = new Set<string>()
  const below = new Set<string>()
  for (const { hostname } of contents as readonly HostnameItem[]) {
    if (hostname === undefined) continue
    const name = asciiLower(hostname.url_hostname)
    if (!name.startsWith('*.')) exact.add(name)
    else {
      below.add(name.slice(2))
      if (hostname.exclude_exact_hostname === false) exact.add(name.slice(2))
    }
  }
  return value => {
    const name = asciiLower(String(value))
    if (exact.has(name)) return true
    if (below.size === 0) return false
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      if (below.has(name.slice(dot + 1))) return true
    }
    return false
  }
}
