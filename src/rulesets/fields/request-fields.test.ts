import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../../expressions/types.ts'
import { fieldLimits } from '../limits.ts'
import { fieldValue, viewOf } from '../testing/request-view.ts'
import type { RequestView } from './request-view.ts'
import { httpFields } from './table.ts'

test('request line', () => {
  const parts: Partial<RequestView> = {
    method: 'POST',
    path: '/new/b.PHP',
    query: 'x=1',
    rawUri: '/old/a.HTML?y',
    rawPath: '/old/a.HTML',
    rawQuery: 'y',
    host: 'WWW.Example.com.:8080',
    scheme: 'https',
  }
  const rows: readonly (readonly [string, Value])[] = [
    ['http.host', 'www.example.com'],
    ['http.request.method', 'POST'],
    ['http.request.version', 'HTTP/1.1'],
    ['http.request.full_uri', 'https://www.example.com/new/b.PHP?x=1'],
    ['http.request.uri', '/new/b.PHP?x=1'],
    ['http.request.uri.path', '/new/b.PHP'],
    ['http.request.uri.path.extension', 'php'],
    ['http.request.uri.query', 'x=1'],
    ['http.request.uri.args', new Map([['x', ['1']]])],
    ['http.request.timestamp.sec', 1_800_000_000],
    ['http.request.timestamp.msec', 123],
    ['ssl', true],
    ['raw.http.request.full_uri', 'https://WWW.Example.com.:8080/old/a.HTML?y'],
    ['raw.http.request.uri', '/old/a.HTML?y'],
    ['raw.http.request.uri.path', '/old/a.HTML'],
    ['raw.http.request.uri.path.extension', 'html'],
    ['raw.http.request.uri.query', 'y'],
    ['raw.http.request.uri.args', new Map([['y', ['']]])],
    ['raw.http.request.uri.args.names', ['y']],
    ['raw.http.request.uri.args.values', ['']],
  ]
  for (const [name, want] of rows) assert.deepEqual(fieldValue(name, parts), want, name)
})

test('milliseconds of the arrival', () => {
  for (const [receivedMs, sec, msec] of [
    [1_800_000_000_000, 1_800_000_000, 0],
    [1_800_000_000_999, 1_800_000_000, 999],
    [1_800_000_000_999.9, 1_800_000_000, 999],
    [1_800_000_001_000, 1_800_000_001, 0],
  ] as const) {
    assert.equal(fieldValue('http.request.timestamp.sec', { receivedMs }), sec)
    assert.equal(fieldValue('http.request.timestamp.msec', { receivedMs }), msec)
  }
})

test('path extension', () => {
  for (const [path, want] of [
    ['/', ''],
    ['/a', ''],
    ['/a.', ''],
    ['/.htaccess', ''],
    ['/.a.b', 'b'],
    ['/a.b/c', ''],
    ['/a.tar.GZ', 'gz'],
    ['/a.b/', ''],
    ['*', ''],
  ] as const) {
    assert.equal(fieldValue('http.request.uri.path.extension', { path }), want, path)
  }
})

test('arguments: split at & and the first =, nothing decoded', () => {
  for (const [query, names, values] of [
    ['', [], []],
    ['a=1&b=2', ['a', 'b'], ['1', '2']],
    ['a=1&b&a=3', ['a', 'b', 'a'], ['1', '', '3']],
    ['a%20=%31+&=x&y=', ['a%20', '', 'y'], ['%31+', 'x', '']],
    ['a=b=c?d', ['a'], ['b=c?d']],
    ['&&a&', ['a'], ['']],
  ] as const) {
    assert.deepEqual(fieldValue('http.request.uri.args.names', { query }), names, query)
    assert.deepEqual(fieldValue('http.request.uri.args.values', { query }), values, query)
  }
  const query = 'b=1&a=2&b=3&__proto__=4'
  const want = new Map([
    ['b', ['1', '3']],
    ['a', ['2']],
    ['__proto__', ['4']],
  ])
  assert.deepEqual(fieldValue('http.request.uri.args', { query }), want)
})

test('arguments beyond the limit become one last argument', () => {
  const { argumentsMax } = fieldLimits
  const valuesOf = (count: number) => {
    const query = Array.from({ length: count }, (_, at) => `a=${at}`).join('&')
    return fieldValue('http.request.uri.args.values', { query }) as readonly string[]
  }
  assert.equal(valuesOf(argumentsMax - 1).length, argumentsMax - 1)
  assert.equal(valuesOf(argumentsMax).at(-1), String(argumentsMax - 1))
  const beyond = valuesOf(argumentsMax + 1)
  assert.equal(beyond.length, argumentsMax)
  assert.equal(beyond.at(-1), `${argumentsMax - 1}&a=${argumentsMax}`)
})

test('a derived value is computed once, and again when its source changes', () => {
  const { read } = httpFields.find(({ name }) => name === 'http.request.uri.args')!
  const view = { ...viewOf(), query: 'a=1' }
  const first = read(view)
  assert.equal(read(view), first)
  view.query = 'a=2'
  assert.deepEqual(read(view), new Map([['a', ['2']]]))
})
