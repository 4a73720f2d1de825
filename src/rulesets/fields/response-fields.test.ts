import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../../expressions/types.ts'
import { fieldValue } from '../testing/request-view.ts'
import type { ResponseView } from './request-view.ts'

const response: ResponseView = {
  status: 404,
  headers: [
    ['Content-Type', ' Text/HTML ; charset=utf-8'],
    ['Set-Cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ],
  rawHeaders: [['Server', 'x']],
  errorType: 'waf',
  errorCode: 0,
  edgeMs: 1.6,
  originFirstByteMs: 0.4,
}

test('the answer', () => {
  const rows: readonly (readonly [string, Value])[] = [
    ['http.response.code', 404],
    [
      'http.response.headers',
      new Map([
        ['content-type', [' Text/HTML ; charset=utf-8']],
        ['set-cookie', ['a=1', 'b=2']],
      ]),
    ],
    ['http.response.headers.names', ['Content-Type', 'Set-Cookie', 'set-cookie']],
    ['http.response.headers.values', [' Text/HTML ; charset=utf-8', 'a=1', 'b=2']],
    ['http.response.content_type.media_type', 'text/html'],
    ['raw.http.response.headers', new Map([['server', ['x']]])],
    ['raw.http.response.headers.names', ['Server']],
    ['raw.http.response.headers.values', ['x']],
    ['cf.response.error_type', 'waf'],
    ['cf.timings.edge_msec', 2],
    ['cf.timings.origin_ttfb_msec', 0],
  ]
  for (const [name, want] of rows) assert.deepEqual(fieldValue(name, { response }), want, name)
})

test('media types', () => {
  for (const [value, want] of [
    ['text/css', 'text/css'],
    ['TEXT/css;x', 'text/css'],
    [';', ''],
    ['', ''],
  ] as const) {
    const answer = { ...response, headers: [['content-type', value]] as const }
    assert.equal(fieldValue('http.response.content_type.media_type', { response: answer }), want, value)
  }
})
