import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { compile, compileValue, type ExpressionType, type Scheme, type Value } from '../index.ts'

/** The request of the cases. `none.*` are fields without a value. */
const values: Readonly<Record<string, readonly [type: ExpressionType, value: Value]>> = {
  'http.host': ['String', 'www.example.com'],
  'http.user_agent': ['String', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/120.0'],
  'http.cookie': ['String', 'session=abc; theme=dark'],
  'http.referer': ['String', ''],
  'http.request.method': ['String', 'GET'],
  'http.request.uri': ['String', '/Shop/cart.php?a=1&b=2&a=3'],
  'http.request.uri.path': ['String', '/Shop/cart.php'],
  'http.request.uri.query': ['String', 'a=1&b=2&a=3'],
  'raw.http.request.uri.path': ['String', '/Shop//cart.php'],
  'raw.http.request.uri.query': ['String', 'a=1&b=2&a=3'],
  'http.request.uri.args': [
    'Map<Array<String>>',
    new Map([
      ['a', ['1', '3']],
      ['b', ['2']],
    ]),
  ],
  'http.request.uri.args.names': ['Array<String>', ['a', 'b', 'a']],
  'http.request.uri.args.values': ['Array<String>', ['1', '2', '3']],
  'http.request.headers': [
    'Map<Array<String>>',
    new Map([
      ['host', ['www.example.com']],
      ['accept', ['text/html', '*/*']],
      ['x-empty', ['']],
      ['x-list', ['one,two,three']],
    ]),
  ],
  'http.request.headers.names': ['Array<String>', ['Host', 'Accept', 'accept', 'X-Empty', 'X-List']],
  'http.request.headers.values': [
    'Array<String>',
    ['www.example.com', 'text/html', '*/*', '', 'one,two,three'],
  ],
  'http.request.body.raw': [
    'String',
    '{"user":{"name":"amy","age":42,"tags":["x","y"],"f":42.0},"ok":true,"n":null,"s":"7"}',
  ],
  'http.request.body.size': ['Integer', 1024],
  'http.request.body.multipart.filenames': ['Array<Array<String>>', [['a.php'], ['b.txt', 'c.php'], []]],
  'http.request.timestamp.sec': ['Integer', 1_700_000_000],
  'ip.src': ['IP', '203.0.113.9'],
  'ip.six': ['IP', '2001:db8::1'],
  'ip.mapped': ['IP', '198.51.100.7'],
  'ip.src.asnum': ['Integer', 64500],
  'ip.src.country': ['String', 'DE'],
  ssl: ['Boolean', true],
  plain: ['Boolean', false],
  'cf.ids': ['Array<Integer>', [3, 5, 8]],
  'cf.flags': ['Array<Boolean>', [true, false, true]],
  'cf.since': [
    'Map<Integer>',
    new Map([
      ['cart', 10],
      ['login', 250],
    ]),
  ],
  'cf.seed': ['Bytes', '\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f'],
  'text.bytes': ['String', 'caf\xc3\xa9'],
  'text.percent': ['String', '%2Fadmin%20panel+x'],
  'text.twice': ['String', '%252Fadmin'],
  'text.base64': ['String', 'aGVsbG8gd29ybGQ='],
  'text.lines': ['String', 'one\ntwo'],
  'text.star': ['String', 'a*b\\c'],
  'text.empty': ['String', ''],
  'text.a': ['String', 'a'],
  'text.quote': ['String', 'say "hi"'],
  'number.zero': ['Integer', 0],
  'number.eight': ['Integer', 8],
  'number.minus': ['Integer', -10],
  'number.ten': ['Integer', 10],
  'none.text': ['String', undefined],
  'none.number': ['Integer', undefined],
  'none.ip': ['IP', undefined],
  'none.flag': ['Boolean', undefined],
  'none.array': ['Array<String>', undefined],
  'none.flags': ['Array<Boolean>', undefined],
  'none.map': ['Map<Array<String>>', undefined],
}

const lists: Readonly<Record<string, ReadonlySet<string | number>>> = {
  'Ip office': new Set(['203.0.113.9', '2001:db8::1']),
  'Bytes hosts': new Set(['www.example.com']),
  'Int networks': new Set([64500]),
}

export const scheme: Scheme<undefined> = {
  fields: new Map(
    Object.entries(values).map(([name, [type, value]]) => [name, { name, type, read: () => value }]),
  ),
  lists: (name, type) => {
    const list = lists[`${type} ${name}`]
    return list === undefined ? undefined : value => list.has(value)
  },
}

export type Row = readonly [expression: string, want: boolean]

/** Each row is an expression and whether it is true. */
export function truths(name: string, rows: readonly Row[]): void {
  everyRow(name, rows, ([expression, want]) => {
    const outcome = compile(expression, scheme)
    if (!outcome.ok) return outcome.text
    return outcome.test(undefined) === want ? undefined : `is ${!want}`
  })
}

export type ValueRow = readonly [expression: string, want: unknown]

/** Each row is a value expression and its value; maps and arrays are compared deeply. */
export function results(name: string, rows: readonly ValueRow[]): void {
  everyRow(name, rows, ([expression, want]) => {
    const outcome = compileValue(expression, scheme)
    if (!outcome.ok) return outcome.text
    const value = outcome.read(undefined)
    return isDeepStrictEqual(value, want) ? undefined : `is ${JSON.stringify(value)}`
  })
}

export type ErrorRow = readonly [expression: string, position: string, message: string]

/** Each row is an expression, the `line:column` of its fault and the reason, or its beginning. */
export function faults(name: string, rows: readonly ErrorRow[]): void {
  everyRow(name, rows, ([expression, position, message]) => {
    const outcome = compile(expression, scheme)
    if (outcome.ok) return 'compiles'
    const { line, column, message: reason } = outcome.diagnostic
    const heading = `Filter parsing error (${position}):\n`
    const asWanted =
      `${line}:${column}` === position && reason.startsWith(message) && outcome.text.startsWith(heading)
    return asWanted ? undefined : outcome.text
  })
}

/** One test for a table; it names every failing row. */
function everyRow<R extends readonly [expression: string, ...rest: unknown[]]>(
  name: string,
  rows: readonly R[],
  fault: (row: R) => string | undefined,
): void {
  test(`${name} (${rows.length} rows)`, () => {
    const wrong = rows.flatMap(row => {
      const reason = fault(row)
      return reason === undefined ? [] : [`${row[0]}: ${reason}`]
    })
    assert.deepEqual(wrong, [])
  })
}
