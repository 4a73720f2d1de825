import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../../expressions/types.ts'
import { fieldLimits } from '../limits.ts'
import { fieldValue, viewOf } from '../testing/request-view.ts'
import { acceptedLanguages } from './parsing/languages.ts'
import type { HeaderPairs } from './request-view.ts'
import { httpFields } from './table.ts'

test('headers', () => {
  const headers: HeaderPairs = [
    ['Host', 'www.example.com'],
    ['cookie', 'a=1'],
    ['Cookie', 'b=2'],
    ['X-Forwarded-For', '192.0.2.9'],
    ['x-forwarded-for', '192.0.2.10'],
    ['REFERER', '/x'],
    ['X-\xc0', '1'],
  ]
  const rawHeaders: HeaderPairs = [['Host', 'raw.example.com']]
  const rows: readonly (readonly [string, Value])[] = [
    ['http.cookie', 'a=1; b=2'],
    ['http.referer', '/x'],
    ['http.user_agent', ''],
    ['http.x_forwarded_for', '192.0.2.9, 192.0.2.10'],
    [
      'http.request.headers.names',
      ['Host', 'cookie', 'Cookie', 'X-Forwarded-For', 'x-forwarded-for', 'REFERER', 'X-\xc0'],
    ],
    ['http.request.headers.values', ['www.example.com', 'a=1', 'b=2', '192.0.2.9', '192.0.2.10', '/x', '1']],
    [
      'http.request.headers',
      new Map([
        ['host', ['www.example.com']],
        ['cookie', ['a=1', 'b=2']],
        ['x-forwarded-for', ['192.0.2.9', '192.0.2.10']],
        ['referer', ['/x']],
        ['x-\xc0', ['1']],
      ]),
    ],
    ['http.request.headers.truncated', false],
    ['raw.http.request.headers', new Map([['host', ['raw.example.com']]])],
    ['raw.http.request.headers.names', ['Host']],
    ['raw.http.request.headers.values', ['raw.example.com']],
  ]
  for (const [name, want] of rows) assert.deepEqual(fieldValue(name, { headers, rawHeaders }), want, name)
})

test('no map of headers is made until a field needs it', () => {
  let asked = 0
  const headers: HeaderPairs = []
  const view = Object.defineProperty({ ...viewOf() }, 'headers', {
    get: () => {
      asked++
      return headers
    },
  })
  const read = (field: string) => httpFields.find(({ name }) => name === field)!.read(view)
  for (const name of ['http.request.uri.path', 'http.request.uri.args', 'ip.src', 'http.host', 'ssl'])
    read(name)
  assert.equal(asked, 0)
  assert.equal(read('http.request.headers'), read('http.request.headers'))
})

test('cookies: names decoded and merged, values untouched', () => {
  const rows: readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[] = [
    ['', []],
    [
      'a=1; b=2;a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['%61=%31+; a=x', [['a', ['%31+', 'x']]]],
    ['a%zz%4=1', [['a%zz%4', ['1']]]],
    ['%2541=1', [['%41', ['1']]]],
    ['a+b="q=1"', [['a+b', ['"q=1"']]]],
    [
      'flag; ;=v',
      [
        ['flag', ['']],
        ['', ['v']],
      ],
    ],
    ['a=\xc3\xa0', [['a', ['\xc3\xa0']]]],
  ]
  for (const [cookie, want] of rows) {
    assert.deepEqual(
      fieldValue('http.request.cookies', { headers: [['Cookie', cookie]] }),
      new Map(want),
      cookie,
    )
  }
  const lines: HeaderPairs = [
    ['Cookie', 'a=1'],
    ['Cookie', 'a=2'],
  ]
  assert.deepEqual(fieldValue('http.request.cookies', { headers: lines }), new Map([['a', ['1', '2']]]))
})

test('cookies beyond the limit become one last cookie', () => {
  const { cookiesMax } = fieldLimits
  const cookiesOf = (count: number) => {
    const text = Array.from({ length: count }, (_, at) => `c${at}=v`).join(';')
    return fieldValue('http.request.cookies', { headers: [['Cookie', text]] }) as ReadonlyMap<
      string,
      string[]
    >
  }
  assert.equal(cookiesOf(cookiesMax).size, cookiesMax)
  const beyond = cookiesOf(cookiesMax + 1)
  assert.equal(beyond.size, cookiesMax)
  assert.deepEqual(beyond.get(`c${cookiesMax - 1}`), [`v;c${cookiesMax}=v`])
})

test('accepted languages', () => {
  for (const [text, want] of [
    ['', []],
    ['de', ['de']],
    ['fr;q=0.5, de-CH, en;q=0.8, *;q=0.1', ['de-CH', 'en', 'fr']],
    ['a;q=0.001, b;q=0, c;q=0.000', ['a']],
    ['a;q=0.5,b;q=0.5,c;q=1,d', ['c', 'd', 'a', 'b']],
    ['a;q=1.9,b;q=0.1234,c;q=x,d;q=0.2', ['a', 'b', 'c', 'd']],
    [' , ;q=1, x ; Q=0.4 ,y', ['y', 'x']],
  ] as const) {
    assert.deepEqual(acceptedLanguages(text), want, text)
  }
  const headers: HeaderPairs = [['Accept-Language', 'en;q=0.1, de']]
  assert.deepEqual(fieldValue('http.request.accepted_languages', { headers }), ['de', 'en'])
  const { languagesMax } = fieldLimits
  assert.equal(acceptedLanguages('a,'.repeat(languagesMax - 1)).length, languagesMax - 1)
  assert.equal(acceptedLanguages('a,'.repeat(languagesMax + 1)).length, languagesMax)
})
