import { asciiLower } from '../../kit/ascii.ts'
import { hostNameOf } from '../../kit/host-name.ts'
import { derived } from './derived.ts'
import { fieldsOf } from './http-field.ts'
import { mapOf, readArguments } from './parsing/arguments.ts'
import type { RequestView } from './request-view.ts'

const hostName = derived(view => view.host, hostNameOf)
const queryArguments = derived(view => view.query, readArguments)
const queryArgumentMap = derived(queryArguments, mapOf)
const rawQueryArguments = derived(view => view.rawQuery, readArguments)
const rawQueryArgumentMap = derived(rawQueryArguments, mapOf)

/** The request line, and the address of its connection. */
export const requestFields = fieldsOf([
  [
    'http.host',
    'String',
    'The name in the Host header: in lower case, without port and final dot, so that each name has one spelling. Rules do not change it.',
    hostName,
  ],
  ['http.request.method', 'String', 'The method as sent.', view => view.method],
  ['http.request.version', 'String', '`HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.', view => view.version],
  [
    'http.request.full_uri',
    'String',
    'Scheme, `://`, `http.host` and the URI, after rewrites.',
    view => fullUri(view, hostName(view), view.uri),
  ],
  [
    'http.request.uri',
    'String',
    'Path, and with a query `?` and the query; after rewrites.',
    view => view.uri,
  ],
  ['http.request.uri.path', 'String', 'The path, after rewrites.', view => view.path],
  [
    'http.request.uri.path.extension',
    'String',
    'The part after the last dot of the last path segment, in lower case. Empty without a dot, or if the only dot is its first or last character.',
    view => extension(view.path),
  ],
  [
    'http.request.uri.query',
    'String',
    'The part after the first `?`, after rewrites; empty without a query.',
    view => view.query,
  ],
  [
    'http.request.uri.args',
    'Map<Array<String>>',
    'Arguments of the query: name → values in order. Nothing is decoded.',
    queryArgumentMap,
  ],
  [
    'http.request.uri.args.names',
    'Array<String>',
    'Names of the arguments, one for each occurrence. Nothing is decoded.',
    view => queryArguments(view).names,
  ],
  [
    'http.request.uri.args.values',
    'Array<String>',
    'Values of the arguments, in the order of their names. Nothing is decoded.',
    view => queryArguments(view).values,
  ],
  [
    'http.request.timestamp.sec',
    'Integer',
    'When the request arrived, seconds since 1970.',
    view => Math.floor(view.receivedMs / 1000),
  ],
  [
    'http.request.timestamp.msec',
    'Integer',
    'The milliseconds of that second, 0–999.',
    view => Math.floor(view.receivedMs) % 1000,
  ],
  [
    'ssl',
    'Boolean',
    'Whether the client used TLS, with the edge or, by `X-Forwarded-Proto`, with a proxy in `SLUICE_TRUSTED_PROXIES`.',
    view => view.scheme === 'https',
  ],
])

/** The same parts as received. */
export const rawRequestFields = fieldsOf([
  [
    'raw.http.request.full_uri',
    'String',
    'Scheme, `://`, the Host header and the URI as received.',
    view => fullUri(view, view.host, view.rawUri),
  ],
  ['raw.http.request.uri', 'String', 'Path and query as received.', view => view.rawUri],
  ['raw.http.request.uri.path', 'String', 'The path as received.', view => view.rawPath],
  [
    'raw.http.request.uri.path.extension',
    'String',
    'The extension of the path as received.',
    view => extension(view.rawPath),
  ],
  ['raw.http.request.uri.query', 'String', 'The query as received, without `?`.', view => view.rawQuery],
  [
    'raw.http.request.uri.args',
    'Map<Array<String>>',
    'Arguments of the query as received: name → values in order.',
    rawQueryArgumentMap,
  ],
  [
    'raw.http.request.uri.args.names',
    'Array<String>',
    'Names of the arguments as received.',
    view => rawQueryArguments(view).names,
  ],
  [
    'raw.http.request.uri.args.values',
    'Array<String>',
    'Values of the arguments as received.',
    view => rawQueryArguments(view).values,
  ],
])

function fullUri({ scheme }: RequestView, host: string, uri: string): string {
  return `${scheme}://${host}${uri}`
}

function extension(path: string): string {
  const segment = path.slice(path.lastIndexOf('/') + 1)
  const dot = segment.lastIndexOf('.')
  return dot <= 0 ? '' : asciiLower(segment.slice(dot + 1))
}
