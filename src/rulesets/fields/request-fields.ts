import { asciiLower } from '../../kit/ascii.ts'
import { hostNameOf } from '../../kit/host-name.ts'
import type { RequestView } from '../request-view.ts'
import { mapOf, readArguments } from './arguments.ts'
import { derived } from './derived.ts'
import { fieldsOf } from './http-field.ts'

const hostName = derived(view => view.host, hostNameOf)
const queryArguments = derived(view => view.query, readArguments)
const queryArgumentMap = derived(queryArguments, mapOf)
const rawQueryArguments = derived(view => view.rawQuery, readArguments)
const rawQueryArgumentMap = derived(rawQueryArguments, mapOf)

/** The request line, and the address of the connection that it came over. */
export const requestFields = fieldsOf([
  [
    'http.host',
    'String',
    'The name in the Host header: in lower case, without port and closing dot, so that a client has one way to write it. Rules do not change it.',
    hostName,
  ],
  ['http.request.method', 'String', 'The method as sent.', view => view.method],
  ['http.request.version', 'String', '`HTTP/1.0` or `HTTP/1.1`.', view => view.version],
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
    'What follows the last dot of the last segment of the path, in lower case; empty without a dot, and when the only dot is at its beginning or end.',
    view => extension(view.path),
  ],
  [
    'http.request.uri.query',
    'String',
    'What follows the first `?`, after rewrites; empty without a query.',
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
    'Names of the arguments, one for each time that one is there. Nothing is decoded.',
    view => queryArguments(view).names,
  ],
  [
    'http.request.uri.args.values',
    'Array<String>',
    'Values of the arguments in the places of their names. Nothing is decoded.',
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
    'Did the client use TLS? The edge itself speaks plain HTTP: it knows from `X-Forwarded-Proto` of a proxy in `SLUICE_TRUSTED_PROXIES`.',
    view => view.scheme === 'https',
  ],
])

/** The same as it was received. */
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
