import { ipText, parseCidr } from '../../kit/cidr.ts'
import { listItemLimits } from '../../model/limits.ts'
import { redirectSourceText } from '../../model/redirect-source.ts'
import type { Json, JsonObject, ListKind } from '../../model/resource.ts'
import { listRequestLimits } from './limits.ts'

/** The stored value of an item, or its error. */
export type ItemValue =
  | {
      readonly ok: true
      readonly value: Json /** Unique within the list. */
      readonly identity: string
    }
  | {
      readonly ok: false
      readonly reason: string /** Below the value, as JSON pointer. */
      readonly pointer?: string
    }

export const readItemValue: Readonly<Record<ListKind, (value: unknown) => ItemValue>> = {
  ip: readIp,
  asn: readAsn,
  hostname: readHostname,
  redirect: readRedirect,
}

const v4Bits = { min: 8, max: 32 }
const v6Bits = { min: 4, max: 64, single: 128 }

/**
 * Stored in canonical form, which Terraform's provider expects: no `/32`, no bits after the prefix, IPv6 as RFC 5952.
 * @source Cloudflare's documentation of custom lists
 */
function readIp(value: unknown): ItemValue {
  if (typeof value !== 'string') return wrong('it must be a string')
  const block = parseCidr(value.trim())
  if (block === undefined)
    return wrong(`${JSON.stringify(value.slice(0, 64))} is neither an IP address nor a CIDR range`)
  const { version, prefix } = block
  const address = ipText(block)
  const single = prefix === (version === 4 ? v4Bits.max : v6Bits.single)
  const bits = version === 4 ? v4Bits : v6Bits
  if (!single && (prefix < bits.min || prefix > bits.max))
    return wrong(`IPv${version} ranges go from /${bits.min} to /${bits.max}`)
  const text = single ? address : `${address}/${prefix}`
  return { ok: true, value: text, identity: text }
}

/** @source RFC 6793: AS numbers have 32 bits */
function readAsn(value: unknown): ItemValue {
  const valid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffffff
  return valid
    ? { ok: true, value, identity: String(value) }
    : wrong('it must be a whole number up to 4294967295')
}

const hostnameNames: ReadonlySet<string> = new Set(['url_hostname', 'exclude_exact_hostname'])
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

function readHostname(value: unknown): ItemValue {
  if (!isObject(value)) return wrong('it must be an object with url_hostname')
  const unknown = Object.keys(value).find(name => !hostnameNames.has(name))
  if (unknown !== undefined) return wrong(`unknown field "${unknown.slice(0, 100)}"`, unknown)
  const name = value['url_hostname']
  if (typeof name !== 'string') return wrong('it must be a string', 'url_hostname')
  const host = name.startsWith('*.') ? name.slice(2) : name
  const labels = host.split('.')
  if (
    host.length > listItemLimits.hostNameCharactersMax ||
    labels.length < 2 ||
    !labels.every(label => hostLabel.test(label))
  )
    return wrong('it is not a full host name, with or without a leading *.', 'url_hostname')
  const exact = value['exclude_exact_hostname']
  if (exact !== undefined && exact !== null && typeof exact !== 'boolean')
    return wrong('it must be true or false', 'exclude_exact_hostname')
  return { ok: true, value: withoutNulls(value), identity: name.toLowerCase() }
}

const redirectFlags = [
  'include_subdomains',
  'preserve_path_suffix',
  'preserve_query_string',
  'subpath_matching',
] as const
const redirectNames: ReadonlySet<string> = new Set([
  'source_url',
  'target_url',
  'status_code',
  ...redirectFlags,
])
const redirectStatuses: ReadonlySet<unknown> = new Set([301, 302, 307, 308])

/** @source Cloudflare's documentation of bulk redirects, "URL redirect parameters" */
function readRedirect(value: unknown): ItemValue {
  if (!isObject(value)) return wrong('it must be an object with source_url and target_url')
  const unknown = Object.keys(value).find(name => !redirectNames.has(name))
  if (unknown !== undefined) return wrong(`unknown field "${unknown.slice(0, 100)}"`, unknown)
  const { source_url: source, target_url: target, status_code: status } = value
  if (!isSource(source)) return wrong(sourceForm, 'source_url')
  if (!isTarget(target)) return wrong('it is not a complete URL', 'target_url')
  if (value['subpath_matching'] === true && slashesInPath(source) > listRequestLimits.sourceSlashesMax)
    return wrong(
      `with subpath_matching, its path has at most ${listRequestLimits.sourceSlashesMax} slashes`,
      'source_url',
    )
  if (value['preserve_query_string'] === true && new URL(target).search !== '')
    return wrong('it has a query, so preserve_query_string must be false', 'target_url')
  if (status !== undefined && status !== null && !redirectStatuses.has(status))
    return wrong('it must be 301, 302, 307 or 308', 'status_code')
  const flag = redirectFlags.find(
    name => !['boolean', 'undefined'].includes(typeof (value[name] ?? undefined)),
  )
  if (flag !== undefined) return wrong('it must be true or false', flag)
  return { ok: true, value: withoutNulls(value), identity: redirectSourceText(source) }
}

const sourceForm = 'it is not an http or https URL of host and path, with or without its scheme'

/** It may leave out the scheme. @source Cloudflare docs, Supported URL components in Bulk Redirects */
function isSource(text: unknown): text is string {
  if (!isUrlText(text)) return false
  const rest = text.replace(/^https?:\/\//i, '')
  // A port, a user or another scheme; the colons of an IPv6 address are in brackets.
  if (rest.startsWith('/') || /^(?!\[[^\]/]*\](?:\/|$))[^/]*[:@]/.test(rest) || /[?#\\]/.test(rest))
    return false
  return URL.canParse(`https://${rest}`)
}

function slashesInPath(source: string): number {
  return source.replace(/^https?:\/\//i, '').split('/').length - 1
}

/** A complete URL of any scheme but those of scripts. */
function isTarget(text: unknown): text is string {
  return isUrlText(text) && URL.canParse(text) && !/^(?:javascript|vbscript|data):/i.test(text)
}

function isUrlText(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > listRequestLimits.urlCharactersMax) return false
  return text !== '' && !/[\u0000-\u0020\u007f]/.test(text)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Clients send null for unset members. */
function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

function wrong(reason: string, below?: string): ItemValue {
  return { ok: false, reason, ...(below === undefined ? {} : { pointer: `/${below}` }) }
}
