import type { OutgoingHttpHeaders } from 'node:http2'
import { connectionFields } from '../../message/connection-fields.ts'
import type { HeaderLines } from '../../message/headers.ts'

/** Fields that node sends only once. It throws for a second line, and its option against that is of newer versions only. */
const singleFields: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
])

/** Lists that node sends in one line only. */
const joinedFields: ReadonlySet<string> = new Set(['content-encoding', 'content-language'])

/** A head, or trailers, as HTTP/2 has them. Of a field with a single value, the first line is kept. */
export function responseFields(headers: HeaderLines, status?: number): OutgoingHttpHeaders {
  const fields: Record<string, string | string[] | number> = Object.create(null)
  if (status !== undefined) fields[':status'] = status
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (connectionFields.has(lower)) continue
    const before = fields[lower]
    if (before === undefined) fields[lower] = value
    else if (singleFields.has(lower)) continue
    else if (joinedFields.has(lower)) fields[lower] = `${before}, ${value}`
    else if (Array.isArray(before)) before.push(value)
    else fields[lower] = [String(before), value]
  }
  return fields
}
