import type { Stage } from './suite.ts'

type Header = readonly [name: string, value: string]

/** The bytes of a stage, with a marker header that identifies its log record. The order of the steps is go-ftw's. */
export function requestBytes(input: Stage['input'], marker: string): Buffer {
  const encoded = text(input, 'encoded_request')
  if (encoded !== undefined && encoded !== '') return withMarker(Buffer.from(encoded, 'base64'), marker)
  const complete = autocompletes(input)
  const headers = [...headersOf(input)]
  let data = dataOf(input)
  if (data !== undefined && complete) {
    if (!has(headers, 'content-type')) headers.push(['Content-Type', 'application/x-www-form-urlencoded'])
    if (isPlainForm(headers)) data = escapedForm(data)
  }
  if (
    data !== undefined &&
    headers.some(([name, value]) => isNamed(name, 'content-type') && /multipart\/form-data;/i.test(value))
  )
    data = data.replaceAll('\n', '\r\n')
  const body = data === undefined ? Buffer.alloc(0) : Buffer.from(data, 'latin1')
  const method = text(input, 'method') ?? 'GET'
  if (complete) {
    if (!has(headers, 'connection')) headers.push(['Connection', 'close'])
    const lengthWanted = data !== undefined || /^POST|PUT|PATCH|DELETE$/.test(method)
    if (!has(headers, 'content-length') && lengthWanted) headers.push(['Content-Length', String(body.length)])
  }
  headers.push(['X-CRS-Test', marker])
  const line = `${method} ${text(input, 'uri') ?? '/'} ${text(input, 'version') ?? 'HTTP/1.1'}\r\n`
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`${line}${head}\r\n`, 'utf8'), body])
}

function withMarker(request: Buffer, marker: string): Buffer {
  const lineEnd = request.indexOf('\n') + 1
  if (lineEnd === 0) return request
  return Buffer.concat([
    request.subarray(0, lineEnd),
    Buffer.from(`X-CRS-Test: ${marker}\r\n`),
    request.subarray(lineEnd),
  ])
}

function autocompletes(input: Stage['input']): boolean {
  const wanted = text(input, 'autocomplete_headers')
  if (wanted !== undefined) return wanted !== 'false'
  return text(input, 'stop_magic') !== 'true'
}

function headersOf(input: Stage['input']): readonly Header[] {
  const ordered = input['ordered_headers'] as readonly { name: string; value: string }[] | undefined
  if (ordered !== undefined) return ordered.map(({ name, value }) => [name, value])
  const headers = (input['headers'] ?? {}) as { readonly [name: string]: string }
  return Object.entries(headers).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

/** The body as a byte string; undefined without a body. */
function dataOf(input: Stage['input']): string | undefined {
  const data = text(input, 'data')
  if (data !== undefined) {
    const expanded = expandTemplate(data)
    return expanded === undefined ? undefined : Buffer.from(expanded, 'utf8').toString('latin1')
  }
  const encoded = text(input, 'encoded_data')
  return encoded === undefined || encoded === ''
    ? undefined
    : Buffer.from(encoded, 'base64').toString('latin1')
}

/** Go templates: `{{ "1" | repeat 64200 }}`; an unreadable one means no body. */
function expandTemplate(data: string): string | undefined {
  const expanded = data.replaceAll(
    /\{\{\s*"([^"]*)"\s*\|\s*repeat\s+(\d+)\s*\}\}/g,
    (_, piece: string, times: string) => piece.repeat(Number(times)),
  )
  return expanded.includes('{{') ? undefined : expanded
}

function isPlainForm(headers: readonly Header[]): boolean {
  return headers.some(
    ([name, value]) =>
      isNamed(name, 'content-type') && value.toLowerCase() === 'application/x-www-form-urlencoded',
  )
}

function escapedForm(data: string): string {
  if (/[%+]/.test(data)) return data
  const pairs = data.split('&').map(token => {
    const equals = token.indexOf('=')
    return equals < 0
      ? escapeQuery(token)
      : `${escapeQuery(token.slice(0, equals))}=${escapeQuery(token.slice(equals + 1))}`
  })
  return pairs.join('&').replace(/&$/, '')
}

function escapeQuery(bytes: string): string {
  return bytes.replaceAll(/[^A-Za-z0-9\-_.~]/g, byte =>
    byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

function has(headers: readonly Header[], wanted: string): boolean {
  return headers.some(([name]) => isNamed(name, wanted))
}

function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted
}

function text(input: Stage['input'], key: string): string | undefined {
  const value = input[key]
  return typeof value === 'string' ? value : undefined
}
