import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wafLimits } from '../../kit/limits.ts'
import { parseCookies, parseUrlencoded, urlencodedReader } from './index.ts'
import { readAnyWay } from './test-support.ts'

const pairs = (args: readonly { name: string; value: string }[]) =>
  args.map(({ name, value }) => [name, value])

test('arguments', () => {
  const rows: [string, [string, string][]][] = [
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a&b=',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'a&&b',
      [
        ['a', ''],
        ['', ''],
        ['b', ''],
      ],
    ],
    [
      '&a',
      [
        ['', ''],
        ['a', ''],
      ],
    ],
    ['a&', [['a', '']]],
    ['=v', [['', 'v']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a+b%3d=%26c+%', [['a b=', '&c %']]],
    [
      'a=%u0041&a=%zz',
      [
        ['a', '%u0041'],
        ['a', '%zz'],
      ],
    ],
    ['a;b=1', [['a;b', '1']]],
  ]
  for (const [text, want] of rows) {
    assert.deepEqual(pairs(parseUrlencoded(text).args), want, text)
    assert.deepEqual(pairs(readAnyWay(urlencodedReader, text).args), want, text)
  }
})

test('past the limit the rest is one argument', () => {
  const max = wafLimits.argumentsMax
  const full = readAnyWay(urlencodedReader, 'a=1&'.repeat(max))
  assert.equal(full.args.length, max)
  assert.equal(full.error, undefined)
  const over = readAnyWay(urlencodedReader, `${'a=1&'.repeat(max)}b=%27&c`)
  assert.equal(over.args.length, max + 1)
  assert.deepEqual(over.args.at(-1), { name: '', value: "b='&c" })
  assert.match(over.error ?? '', /1000/)
  assert.equal(parseUrlencoded('a&b&c', { argumentsMax: 2 }).args.at(-1)?.value, 'c')
})

test('cookies', () => {
  const rows: [string, [string, string][]][] = [
    ['', []],
    [
      'a=1; b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1;b',
      [
        ['a', '1'],
        ['b', ''],
      ],
    ],
    [
      'a="x;y"',
      [
        ['a', '"x'],
        ['y"', ''],
      ],
    ],
    [' a=%41=+ ; ;', [['a', '%41=+ ']]],
    ['=v', [['', 'v']]],
  ]
  for (const [text, want] of rows) assert.deepEqual(pairs(parseCookies(text)), want, text)
  const max = wafLimits.cookiesMax
  assert.equal(parseCookies('a;'.repeat(max)).length, max)
  assert.deepEqual(parseCookies(`${'a;'.repeat(max)}b=1;c`).at(-1), { name: '', value: 'b=1;c' })
})
