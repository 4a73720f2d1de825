import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wafLimits } from '../limits.ts'
import { readInAnyParts } from '../testing/body-parts.ts'
import { parseCookies, parseUrlencoded, urlencodedReader } from './index.ts'

const pairs = (args: readonly { name: string; value: string }[]) =>
  args.map(({ name, value }) => [name, value])

test('a long pair is decoded as it arrives', () => {
  const { sliceBytes } = wafLimits
  const value = 'a%41+%4%%42=&amp;%u00'.replaceAll('&', '%26').repeat(sliceBytes / 8)
  const decoded = 'aA %4%B=&amp;%u00'.repeat(sliceBytes / 8)
  const name = 'n%41'.repeat(sliceBytes)
  const text = `x=1&y=${value}&${name}=${value}&z=2&${name}&=${value}`
  const want = [
    ['x', '1'],
    ['y', decoded],
    ['nA'.repeat(sliceBytes), decoded],
    ['z', '2'],
    ['nA'.repeat(sliceBytes), ''],
    ['', decoded],
  ]
  for (const bytes of [1000, 4093, sliceBytes, text.length]) {
    const reader = urlencodedReader()
    for (let from = 0; from < text.length; from += bytes) reader.write(text.slice(from, from + bytes))
    assert.deepEqual(pairs(reader.end(true).args), want, `in parts of ${bytes}`)
    const cut = urlencodedReader({ argumentsMax: 1 })
    for (let from = 0; from < text.length; from += bytes) cut.write(text.slice(from, from + bytes))
    const { args, error } = cut.end(true)
    assert.equal(args.length, 2)
    assert.ok(args[1]!.value.startsWith(`y=${decoded}&nAnA`) && args[1]!.value.endsWith(decoded))
    assert.equal(error, 'more than 1 arguments')
  }
})

test('a name of a megabyte that arrives byte by byte is read once', () => {
  const name = 'n%41'.repeat(200_000)
  const reader = urlencodedReader()
  for (const byte of name) reader.write(byte)
  assert.deepEqual(pairs(reader.end(true).args), [['nA'.repeat(200_000), '']])
})

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
    assert.deepEqual(pairs(readInAnyParts(urlencodedReader, text).args), want, text)
  }
})

test('beyond the limit the rest is one argument', () => {
  const max = wafLimits.argumentsMax
  const full = readInAnyParts(urlencodedReader, 'a=1&'.repeat(max))
  assert.equal(full.args.length, max)
  assert.equal(full.error, undefined)
  const over = readInAnyParts(urlencodedReader, `${'a=1&'.repeat(max)}b=%27&c`)
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
