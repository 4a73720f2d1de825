import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileExpression, type Value } from '../expressions/index.ts'
import { httpScheme } from './http-scheme.ts'
import type { RequestView } from './request-view.ts'

const view: RequestView = {
  method: 'GET',
  uri: '/a/b.php?x=1',
  path: '/a/b.php',
  query: 'x=1',
  host: 'www.example.com:8080',
  scheme: 'https',
  version: 'HTTP/2',
  headers: [
    ['Host', 'www.example.com:8080'],
    ['User-Agent', 'curl/8'],
    ['cookie', 'a=1'],
    ['Cookie', 'b=2'],
    ['X-Forwarded-For', '192.0.2.9'],
    ['x-forwarded-for', '192.0.2.10'],
  ],
  clientIp: '2001:db8::7',
  country: 'DE',
  timestampSec: 1_800_000_000,
}

test('fields', () => {
  const rows: readonly (readonly [name: string, want: Value])[] = [
    ['http.request.method', 'GET'],
    ['http.request.version', 'HTTP/2'],
    ['http.request.uri', '/a/b.php?x=1'],
    ['http.request.uri.path', '/a/b.php'],
    ['http.request.uri.query', 'x=1'],
    ['http.request.full_uri', 'https://www.example.com:8080/a/b.php?x=1'],
    [
      'http.request.headers.names',
      ['Host', 'User-Agent', 'cookie', 'Cookie', 'X-Forwarded-For', 'x-forwarded-for'],
    ],
    [
      'http.request.headers.values',
      ['www.example.com:8080', 'curl/8', 'a=1', 'b=2', '192.0.2.9', '192.0.2.10'],
    ],
    ['http.request.timestamp.sec', 1_800_000_000],
    ['http.host', 'www.example.com:8080'],
    ['http.user_agent', 'curl/8'],
    ['http.referer', ''],
    ['http.cookie', 'a=1; b=2'],
    ['http.x_forwarded_for', '192.0.2.9, 192.0.2.10'],
    ['ip.src', '2001:db8::7'],
    ['ip.src.country', 'DE'],
    ['ip.geoip.country', 'DE'],
    ['ssl', true],
    ['cf.zone.plan', 'ENT'],
  ]
  for (const [name, want] of rows) assert.deepEqual(httpScheme.fields.get(name)?.read(view), want, name)
  assert.equal(httpScheme.fields.size, rows.length + 1)
})

test('headers are keyed by lower-case name, repeats in order, made once a request', () => {
  const read = httpScheme.fields.get('http.request.headers')!.read
  const headers = read(view) as ReadonlyMap<string, readonly string[]>
  assert.deepEqual(headers.get('cookie'), ['a=1', 'b=2'])
  assert.equal(headers.get('Cookie'), undefined)
  assert.equal(read(view), headers)
})

test('expressions over requests', () => {
  const rows: readonly (readonly [expression: string, want: boolean])[] = [
    ['(http.host wildcard "*.example.com*" and ssl) or ip.src.country in {"FR" "ES"}', true],
    ['any(http.request.headers["cookie"][*] contains "b=")', true],
    ['any(lower(http.request.headers.names[*])[*] eq "user-agent")', true],
    ['ip.src in {2001:db8::/32} and not http.request.uri.path contains "/admin"', true],
    ['http.referer eq ""', true],
    ['http.request.method in {"POST" "PUT"}', false],
    ['(http.request.uri.path eq "/x") and cf.zone.plan eq "ENT"', false],
  ]
  for (const [expression, want] of rows) {
    const compiled = compileExpression(expression, httpScheme)
    assert.ok(compiled.ok, expression)
    assert.equal(compiled.test(view), want, expression)
  }
})
