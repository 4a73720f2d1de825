import type { SpanAttributes } from '../../measures/spans.ts'

/** Methods of RFC 9110 and RFC 5789. A client invents others, so they stay out of the names of spans. */
const knownMethods: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
])

export function spanNameOf(method: string): string {
  return knownMethods.has(method) ? method : 'HTTP'
}

export function methodAttributes(method: string): SpanAttributes {
  return knownMethods.has(method)
    ? { 'http.request.method': method }
    : { 'http.request.method': '_OTHER', 'http.request.method_original': method }
}
