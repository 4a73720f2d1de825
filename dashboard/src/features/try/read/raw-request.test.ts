import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDraft, type RequestDraft } from '../request-draft.ts'
import { rawOf, readRaw } from './raw-request.ts'

const url = 'http://shop.test/'

const rows: readonly (readonly [text: string, changes: Partial<RequestDraft>])[] = [
  ['GET / HTTP/1.1\nHost: shop.test', {}],
  ['\n\nGET / HTTP/1.1\r\nHost: shop.test\r\n\r\n', {}],
  ['GET /\nHost: shop.test\n', {}],
  [
    'GET /a?b=1 HTTP/1.0\nHost: shop.test:8080\n',
    { url: 'http://shop.test:8080/a?b=1', protocol: 'HTTP/1.0' },
  ],
  ['OPTIONS * HTTP/1.1\nHost: shop.test', { method: 'OPTIONS', url: 'http://shop.test/*' }],
  [
    'GET http://shop.test/a HTTP/1.1\nHost: other.test',
    { url: 'http://shop.test/a', headers: [['Host', 'other.test']] },
  ],
  [
    'GET / HTTP/1.1\nHost: shop.test\nX-A:  1 \nX-A:2\nX-B:',
    {
      headers: [
        ['X-A', '1'],
        ['X-A', '2'],
        ['X-B', ''],
      ],
    },
  ],
  [
    'GET / HTTP/1.1\nHost: a.test\nHost: b.test',
    {
      url: 'http://a.test/',
      headers: [
        ['Host', 'a.test'],
        ['Host', 'b.test'],
      ],
    },
  ],
  ['POST / HTTP/1.1\nHost: shop.test\nContent-Length: 3\n\na=1', { method: 'POST', body: 'a=1' }],
  ['POST / HTTP/1.1\r\nHost: shop.test\r\n\r\na=1\r\n\r\nb\r\n', { method: 'POST', body: 'a=1\r\n\r\nb' }],
]

test('requests', () => {
  for (const [text, changes] of rows) {
    const read = readRaw(text, undefined)
    assert.ok(read.ok, text)
    assert.deepEqual(read.value, { ...emptyDraft, url, ...changes }, text)
    assert.deepEqual(read.notes, [], text)
  }
})

test('the address supplies the scheme and a missing host', () => {
  const read = (text: string) => {
    const one = readRaw(text, 'https://other.test:8443')
    return one.ok ? one.value.url : one.reason
  }
  assert.equal(read('GET /a HTTP/1.1'), 'https://other.test:8443/a')
  assert.equal(read('GET /a HTTP/1.1\nHost: shop.test'), 'https://shop.test/a')
  assert.equal(read('GET http://shop.test/a HTTP/1.1'), 'http://shop.test/a')
})

test('deviations from the text have notes', () => {
  const noted: readonly (readonly [text: string, part: string])[] = [
    ['GET / HTTP/2\nHost: shop.test', 'HTTP/1.1'],
    ['POST / HTTP/1.1\nHost: shop.test\nContent-Length: 2\n\na=1', 'has 3 bytes'],
    ['POST / HTTP/1.1\nHost: shop.test\nTransfer-Encoding: chunked\n\na=1', 'chunked encoding'],
  ]
  for (const [text, part] of noted) {
    const read = readRaw(text, undefined)
    assert.ok(read.ok && read.notes.length === 1 && read.notes[0]!.includes(part), text)
  }
})

test('refused texts have a reason', () => {
  const refused: readonly (readonly [text: string, part: string])[] = [
    ['', 'Paste a request'],
    [' \n ', 'Paste a request'],
    ['hello', 'not a request line'],
    ['GET /a b HTTP/1.1\nHost: shop.test', 'not a request line'],
    ['GET / HTTP/1.1\nnothing', 'Line 2 is not a header'],
    ['GET / HTTP/1.1\nX-A: 1\n  2', 'Line 3 continues'],
    ['GET / HTTP/1.1\nX-A: 1', 'no Host header'],
  ]
  for (const [text, part] of refused) {
    const read = readRaw(text, undefined)
    assert.ok(!read.ok && read.reason.includes(part), `${text}: ${read.ok ? 'was read' : read.reason}`)
  }
})

test('the text of a draft reads back as the same draft', () => {
  for (const changes of [
    {},
    { method: 'POST', body: 'a\n\nb', headers: [['X-A', '1'] as const, ['X-A', ''] as const] },
    { url: 'http://shop.test/a/../b?c=1', protocol: 'HTTP/1.0' },
  ]) {
    const draft = { ...emptyDraft, url, ...changes }
    const read = readRaw(rawOf(draft), undefined)
    assert.ok(read.ok)
    assert.deepEqual(read.value, draft)
  }
})
