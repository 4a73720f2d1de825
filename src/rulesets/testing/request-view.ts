import assert from 'node:assert/strict'
import type { Value } from '../../expressions/types.ts'
import type { GeoView, RequestView } from '../fields/request-view.ts'
import { httpFields } from '../fields/table.ts'

/** Nothing is known of where an address is. */
export const nowhere: GeoView = {
  country: '',
  asnum: 0,
  city: '',
  region: '',
  regionCode: '',
  subdivision2Code: '',
  postalCode: '',
  metroCode: '',
  latitude: '',
  longitude: '',
  timezone: '',
}

/** `GET /` without headers, but for the parts given. Raw parts are as the others unless given themselves. */
export function viewOf(parts: Partial<RequestView> = {}): RequestView {
  const { path = '/', query = '', headers = [] } = parts
  const uri = query === '' ? path : `${path}?${query}`
  return {
    method: 'GET',
    uri,
    path,
    query,
    rawUri: uri,
    rawPath: path,
    rawQuery: query,
    host: 'www.example.com',
    scheme: 'http',
    tls: undefined,
    version: 'HTTP/1.1',
    headers,
    rawHeaders: headers,
    clientIp: '192.0.2.7',
    clientPort: 40000,
    serverIp: '198.51.100.1',
    serverPort: 8080,
    receivedMs: 1_800_000_000_123,
    rayId: '0123456789abcdef',
    zoneName: 'example.com',
    randomSeed: '\0'.repeat(16),
    geo: nowhere,
    body: { raw: '', truncated: false, size: 0 },
    response: undefined,
    derived: [],
    ...parts,
  }
}

/** The value that a field reads from a view with these parts. */
export function fieldValue(name: string, parts: Partial<RequestView> = {}): Value {
  const field = httpFields.find(known => known.name === name)
  assert.ok(field, name)
  return field.read(viewOf(parts))
}
