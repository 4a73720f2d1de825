import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GeoView, httpScheme } from '../../rulesets/index.ts'
import { nowhere } from '../../rulesets/testing/request-view.ts'
import { ClientRequest } from '../message/client-request.ts'
import type { HeaderLines } from '../message/headers.ts'
import { RequestState } from './request-state.ts'

const geo: GeoView = { ...nowhere, country: 'DE' }

function stateOf(target: string, headers: HeaderLines = [], look: (address: string) => GeoView = () => geo) {
  const address = {
    clientIp: '192.0.2.1',
    peerIp: '192.0.2.2',
    peerTrusted: true,
    scheme: 'https',
    forwardedFor: ['192.0.2.1'],
  } as const
  const request = new ClientRequest(
    { method: 'GET', target, protocol: 'HTTP/1.1', headers },
    { address, tls: undefined, clientPort: 1, serverIp: '198.51.100.1', serverPort: 2 },
  )
  return new RequestState(request, {
    rayId: 'ray',
    zoneName: 'zone.test',
    receivedMs: 1234,
    normalization: undefined,
    geo: look,
  })
}

test('a request as received', () => {
  const state = stateOf('/a?b', [['Host', 'site.test']])
  const { method, uri, path, query, rawUri, rawPath, rawQuery, host, scheme, version } = state
  assert.deepEqual(
    [method, uri, path, query, rawUri, rawPath, rawQuery, host, scheme, version],
    ['GET', '/a?b', '/a', 'b', '/a?b', '/a', 'b', 'site.test', 'https', 'HTTP/1.1'],
  )
  const { clientIp, clientPort, serverIp, serverPort, rayId, zoneName, receivedMs } = state
  assert.deepEqual(
    [clientIp, clientPort, serverIp, serverPort, rayId, zoneName, receivedMs],
    ['192.0.2.1', 1, '198.51.100.1', 2, 'ray', 'zone.test', 1234],
  )
  assert.deepEqual(state.body, { raw: '', truncated: false, size: 0 })
  assert.equal(state.response, undefined)
  assert.equal(state.headers, state.rawHeaders)
  assert.equal(stateOf('/a?').uri, '/a?')
})

test('the host of an absolute target replaces Host', () => {
  const state = stateOf('http://site.test/a', [
    ['HOST', 'other.test'],
    ['X-A', '1'],
  ])
  assert.equal(state.host, 'site.test')
  assert.deepEqual(state.headers, [
    ['HOST', 'site.test'],
    ['X-A', '1'],
  ])
  assert.equal(state.rawHeaders[0]![1], 'other.test')
})

test('the location is looked up once, on first use', () => {
  const asked: string[] = []
  const state = stateOf('/', [], address => {
    asked.push(address)
    return geo
  })
  assert.deepEqual(asked, [])
  assert.equal(state.geo.country, 'DE')
  assert.equal(state.geo, geo)
  assert.deepEqual(asked, ['192.0.2.1'])
})

test('the random seed is constant in a request, and differs between requests', () => {
  const state = stateOf('/')
  assert.equal(state.randomSeed.length, 16)
  assert.equal(state.randomSeed, state.randomSeed)
  assert.notEqual(stateOf('/').randomSeed, state.randomSeed)
})

test('rewritten URIs', () => {
  const rows: readonly (readonly [path: string | undefined, query: string | undefined, uri: string])[] = [
    ['/new', undefined, '/new?b=1'],
    [undefined, 'c', '/a?c'],
    [undefined, '', '/a'],
    ['/new', 'c?d', '/new?c?d'],
    ['new', '', '/new'],
    ['', '', '/'],
    ['/a b\r\nX: 1\0\x7f\xe9', '', '/a%20b%0D%0AX:%201%00%7F%E9'],
    ['/a?b#c%20', '', '/a%3Fb%23c%20'],
    ['/', 'a b\n#\xff?', '/?a%20b%0A%23%FF?'],
  ]
  for (const [path, query, uri] of rows) {
    const state = stateOf('/a?b=1')
    state.rewriteUri(path, query)
    assert.equal(state.uri, uri)
    assert.equal(state.query === '' ? state.path : `${state.path}?${state.query}`, uri)
    assert.equal(state.rawUri, '/a?b=1')
  }
})

test('normalisation of the path keeps the query and the received values', () => {
  const state = stateOf('/a/%2e%2e//b?x=/../')
  state.normalizePath()
  assert.deepEqual([state.uri, state.path, state.query], ['/b?x=/../', '/b', 'x=/../'])
  assert.equal(state.rawUri, '/a/%2e%2e//b?x=/../')
  const plain = stateOf('/a?')
  plain.normalizePath()
  assert.equal(plain.uri, '/a?')
})

test('rewritten headers', () => {
  const headers: HeaderLines = [
    ['X-A', '1'],
    ['x-a', '2'],
    ['X-B', '3'],
  ]
  const state = stateOf('/', headers)
  state.rewriteHeaders([])
  assert.equal(state.headers, headers)
  state.rewriteHeaders([
    { operation: 'set', name: 'x-A', value: 'new' },
    { operation: 'remove', name: 'x-b' },
    { operation: 'remove', name: 'x-none' },
    { operation: 'add', name: 'X-C', value: 'a\r\nb\0' },
    { operation: 'add', name: 'x-c', value: 'c' },
  ])
  assert.deepEqual(state.headers, [
    ['x-A', 'new'],
    ['X-C', 'a  b '],
    ['x-c', 'c'],
  ])
  assert.equal(state.rawHeaders, headers)
})

test('a rewrite drops derived values of fields', () => {
  const state = stateOf('/?a=1', [['X-A', '1']])
  const { fields } = httpScheme({ phase: 'http_request_late_transform', use: 'filter' })
  const read = (name: string) => fields.get(name)!.read(state)
  assert.deepEqual(read('http.request.uri.args'), new Map([['a', ['1']]]))
  assert.equal(read('http.request.headers'), read('http.request.headers'))
  state.rewriteUri(undefined, 'b=2')
  state.rewriteHeaders([{ operation: 'set', name: 'X-A', value: '2' }])
  assert.deepEqual(read('http.request.uri.args'), new Map([['b', ['2']]]))
  assert.deepEqual(read('raw.http.request.uri.args'), new Map([['a', ['1']]]))
  assert.deepEqual(read('http.request.headers'), new Map([['x-a', ['2']]]))
  assert.deepEqual(read('raw.http.request.headers'), new Map([['x-a', ['1']]]))
})

test('body and response', () => {
  const state = stateOf('/')
  state.setResponseHeaders([['X-A', '0']])
  assert.equal(state.response, undefined)
  state.setBody('abc', true, 9)
  assert.deepEqual(state.body, { raw: 'abc', truncated: true, size: 9 })
  const rawHeaders: HeaderLines = [['X-A', '1']]
  state.setResponse({
    status: 200,
    headers: rawHeaders,
    rawHeaders,
    errorType: '',
    errorCode: 0,
    edgeMs: 1,
    originFirstByteMs: 2,
  })
  state.setResponseHeaders([['X-A', '2']])
  assert.deepEqual(state.response, {
    status: 200,
    headers: [['X-A', '2']],
    rawHeaders,
    errorType: '',
    errorCode: 0,
    edgeMs: 1,
    originFirstByteMs: 2,
  })
})
