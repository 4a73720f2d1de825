import type { ExpressionType, Field, Scheme, Value } from '../expressions/index.ts'
import { asciiLower, lowerCode } from '../kit/ascii.ts'
import type { RequestView } from './request-view.ts'

/**
 * The fields that rules may name.
 * @source rules-language reference, "Fields: how values are derived"
 */
export const httpScheme: Scheme<RequestView> = {
  fields: new Map(
    [
      field('http.request.method', 'String', view => view.method),
      field('http.request.version', 'String', view => view.version),
      field('http.request.uri', 'String', view => view.uri),
      field('http.request.uri.path', 'String', view => view.path),
      field('http.request.uri.query', 'String', view => view.query),
      field('http.request.full_uri', 'String', view => `${view.scheme}://${view.host}${view.uri}`),
      field('http.request.headers', 'Map<Array<String>>', headerMap),
      field('http.request.headers.names', 'Array<String>', view => view.headers.map(([name]) => name)),
      field('http.request.headers.values', 'Array<String>', view => view.headers.map(([, value]) => value)),
      field('http.request.timestamp.sec', 'Integer', view => view.timestampSec),
      field('http.host', 'String', view => view.host),
      field('http.user_agent', 'String', view => headerText(view, 'user-agent', ', ')),
      field('http.referer', 'String', view => headerText(view, 'referer', ', ')),
      field('http.cookie', 'String', view => headerText(view, 'cookie', '; ')),
      field('http.x_forwarded_for', 'String', view => headerText(view, 'x-forwarded-for', ', ')),
      field('ip.src', 'IP', view => view.clientIp),
      field('ip.src.country', 'String', view => view.country),
      field('ip.geoip.country', 'String', view => view.country),
      field('ssl', 'Boolean', view => view.scheme === 'https'),
      field('cf.zone.plan', 'String', () => 'ENT'),
    ].map(entry => [entry.name, entry]),
  ),
}

function field(name: string, type: ExpressionType, read: (view: RequestView) => Value): Field<RequestView> {
  return { name, type, read }
}

/** Values of the lines with this name, joined; empty when there is none. @param lowerName in lower case */
function headerText(view: RequestView, lowerName: string, separator: string): string {
  let text: string | undefined
  for (const [name, value] of view.headers) {
    if (isNamed(name, lowerName)) text = text === undefined ? value : text + separator + value
  }
  return text ?? ''
}

function isNamed(name: string, lowerName: string): boolean {
  if (name.length !== lowerName.length) return false
  for (let at = 0; at < name.length; at++) {
    if (lowerCode(name.charCodeAt(at)) !== lowerName.charCodeAt(at)) return false
  }
  return true
}

/** Several rules of a zone ask for the same request's map. */
const headerMaps = new WeakMap<RequestView, ReadonlyMap<string, readonly string[]>>()

/** Lower-case name → values in order. */
function headerMap(view: RequestView): ReadonlyMap<string, readonly string[]> {
  const known = headerMaps.get(view)
  if (known !== undefined) return known
  const map = new Map<string, string[]>()
  for (const [name, value] of view.headers) {
    const key = asciiLower(name)
    const values = map.get(key)
    if (values === undefined) map.set(key, [value])
    else values.push(value)
  }
  headerMaps.set(view, map)
  return map
}
