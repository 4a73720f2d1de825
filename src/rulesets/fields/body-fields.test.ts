import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../../expressions/types.ts'
import { fieldLimits } from '../limits.ts'
import { fieldValue } from '../testing/request-view.ts'
import { headerParameter } from './parsing/header-parameter.ts'
import { readMultipart } from './parsing/multipart.ts'
import { sniffedType } from './parsing/sniffed-type.ts'

function bodyValue(name: string, contentType: string, raw: string): Value {
  const body = { raw, truncated: false, size: raw.length }
  return fieldValue(`http.request.body.${name}`, { headers: [['Content-Type', contentType]], body })
}

test('the raw body', () => {
  const body = { raw: 'abc', truncated: true, size: 70 }
  assert.equal(fieldValue('http.request.body.raw', { body }), 'abc')
  assert.equal(fieldValue('http.request.body.truncated', { body }), true)
  assert.equal(fieldValue('http.request.body.size', { body }), 70)
})

test('forms', () => {
  const form = 'a=%31&b=2+3&a=&'
  for (const type of [
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-Urlencoded ; charset=utf-8',
  ]) {
    assert.deepEqual(
      bodyValue('form', type, form),
      new Map([
        ['a', ['%31', '']],
        ['b', ['2+3']],
      ]),
    )
    assert.deepEqual(bodyValue('form.names', type, form), ['a', 'b', 'a'])
    assert.deepEqual(bodyValue('form.values', type, form), ['%31', '2+3', ''])
  }
  for (const type of ['', 'text/plain', 'application/x-www-form-urlencoded2']) {
    assert.deepEqual(bodyValue('form', type, form), new Map())
    assert.deepEqual(bodyValue('form.names', type, form), [])
  }
})

test('a body is parsed by the headers as received', () => {
  const value = fieldValue('http.request.body.form.names', {
    headers: [],
    rawHeaders: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: { raw: 'a=1', truncated: false, size: 3 },
  })
  assert.deepEqual(value, ['a'])
})

const multipart = [
  'preamble',
  '--B',
  'Content-Disposition: form-data; name="a"',
  '',
  'first',
  'line two',
  '--B \t',
  'content-disposition: form-data; name=file; filename="x \\"y\\".png"',
  'Content-Type: image/png',
  'Content-Transfer-Encoding: binary',
  '',
  '--Bx is content',
  '--B',
  '',
  'no headers',
  '--B--',
  'epilogue',
].join('\r\n')

test('multipart bodies', () => {
  const type = 'multipart/form-data; boundary=B'
  const rows: readonly (readonly [string, Value])[] = [
    [
      'multipart',
      new Map([
        ['a', ['first\r\nline two']],
        ['file', ['--Bx is content']],
      ]),
    ],
    ['multipart.names', [['a'], ['file'], []]],
    ['multipart.values', ['first\r\nline two', '--Bx is content', 'no headers']],
    ['multipart.content_types', [[], ['image/png'], []]],
    [
      'multipart.content_dispositions',
      [['form-data; name="a"'], ['form-data; name=file; filename="x \\"y\\".png"'], []],
    ],
    ['multipart.content_transfer_encodings', [[], ['binary'], []]],
    ['multipart.filenames', [[], ['x "y".png'], []]],
  ]
  for (const [name, want] of rows) assert.deepEqual(bodyValue(name, type, multipart), want, name)
  for (const other of ['text/plain; boundary=B', 'multipart/form-data', 'multipart/form-data; boundary=""']) {
    assert.deepEqual(bodyValue('multipart.values', other, multipart), [], other)
  }
})

test('multipart bodies that are cut, empty or end their lines in other ways', () => {
  for (const [body, want] of [
    ['', []],
    ['--B--\r\n', []],
    ['--B', ['']],
    ['--B\r\n\r\ncut', ['cut']],
    ['--B\n\na\n--B\n\nb\n--B--', ['a', 'b']],
    ['--B\r\n\r\n\r\n--B--', ['']],
    ['--B\r\n--B\r\n--B--', ['', '']],
    ['x--B\r\n\r\na\r\n--B--', []],
    ['--B\r\nA: 1\r\n--B--', ['']],
  ] as const) {
    assert.deepEqual(
      readMultipart('multipart/form-data; boundary=B', body).values,
      want,
      JSON.stringify(body),
    )
  }
})

test('multipart limits', () => {
  const partsOf = (count: number) => {
    const body = `${'--B\n\nv\n'.repeat(count)}--B--`
    return readMultipart('multipart/form-data; boundary=B', body).values.length
  }
  const { multipartPartsMax, multipartBoundaryBytesMax, multipartPartHeadersMax } = fieldLimits
  assert.equal(partsOf(multipartPartsMax), multipartPartsMax)
  assert.equal(partsOf(multipartPartsMax + 1), multipartPartsMax)
  const tooMany = `${'--B\n\nv\n'.repeat(multipartPartsMax)}--B\n\nlast\n--B--`
  const { values } = readMultipart('multipart/form-data; boundary=B', tooMany)
  assert.equal(values.at(-2), 'v')
  assert.equal(values.at(-1), 'v\n--B\n\nlast\n--B--')

  const withBoundary = (length: number) => {
    const boundary = 'b'.repeat(length)
    return readMultipart(`multipart/form-data; boundary=${boundary}`, `--${boundary}\n\nv\n--${boundary}--`)
      .values
  }
  assert.deepEqual(withBoundary(multipartBoundaryBytesMax), ['v'])
  assert.deepEqual(withBoundary(multipartBoundaryBytesMax + 1), [])

  const withHeaders = (before: number) => {
    const body = `--B\n${'X: 1\n'.repeat(before)}Content-Type: t\n\nv\n--B--`
    return readMultipart('multipart/form-data; boundary=B', body)
  }
  assert.deepEqual(withHeaders(multipartPartHeadersMax - 1).contentTypes, [['t']])
  assert.deepEqual(withHeaders(multipartPartHeadersMax).contentTypes, [[]])
  assert.deepEqual(withHeaders(multipartPartHeadersMax).values, ['v'])
})

test('parameters of a header', () => {
  for (const [value, want] of [
    ['form-data', undefined],
    ['form-data; name=a', 'a'],
    ['form-data;NAME = a ; x', 'a'],
    ['form-data; filename="name=x"; name="b;c"', 'b;c'],
    ['form-data; name="a\\"b\\\\c\\d"', 'a"b\\c\\d'],
    ['form-data; name="open', 'open'],
    ['form-data; name', undefined],
    ['form-data; name=', ''],
    ['form-data; xname=1; name=a; name=b', 'a'],
  ] as const) {
    assert.equal(headerParameter(value, 'name'), want, value)
  }
})

test('sniffed types', () => {
  for (const [body, want] of [
    ['', ''],
    ['a=1&b=2', ''],
    ['{"a":1}', ''],
    ['\x89PNG\r\n\x1a\n...', 'image/png'],
    ['\x89PNG', ''],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['\0\0\0\x18ftypavif', 'image/avif'],
    ['\0\0\0\x18ftypisom', 'video/mp4'],
    ['%PDF-1.7', 'application/pdf'],
    ['PK\x03\x04', 'application/zip'],
    ['\r\n <!DOCTYPE HTML>', 'text/html'],
    ['<?xml version="1.0"?>', 'text/xml'],
    [`${'\0'.repeat(257)}ustar`, 'application/x-tar'],
  ] as const) {
    assert.equal(sniffedType(body), want, JSON.stringify(body.slice(0, 20)))
  }
  assert.equal(bodyValue('mime', 'text/plain', 'GIF89a'), 'image/gif')
})
