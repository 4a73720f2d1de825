import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, compile, compileValue, type Field, format, type Scheme, type Value } from './index.ts'

type Context = Readonly<Record<string, Value>>

const field = (name: string, type: Field<Context>['type']): [string, Field<Context>] => [
  name,
  { name, type, read: context => context[name] },
]

const scheme: Scheme<Context> = {
  fields: new Map([
    field('s', 'String'),
    field('t', 'String'),
    field('ab.cd', 'String'),
    field('cafe', 'Integer'),
    field('n', 'Integer'),
    field('ip.src', 'IP'),
    field('ip.edge', 'IP'),
    field('fade', 'IP'),
    field('ssl', 'Boolean'),
    field('names', 'Array<String>'),
    field('headers', 'Map<Array<String>>'),
  ]),
  functions: new Set(['lower', 'starts_with', 'cidr', 'coalesce']),
  unavailable: name =>
    name === 'http.response.code' || name === 'split' ? 'only in response phases' : undefined,
  lists: (name, type) => {
    if (name === 'office' && type === 'Ip') return value => value === '192.0.2.1'
    if (name === 'cf.names.1' && type === 'Bytes') return value => value === 'x'
    return undefined
  },
}

function faultOf(expression: string, used: Scheme<Context> = scheme): string {
  const outcome = check(expression, used)
  assert.ok(!outcome.ok, expression)
  return outcome.text
}

test('a list is looked up by name and type', () => {
  const rows: readonly (readonly [expression: string, context: Context, want: boolean])[] = [
    ['ip.src in $office', { 'ip.src': '192.0.2.1' }, true],
    ['not ip.src in $office', { 'ip.src': '192.0.2.2' }, true],
    ['ip.src in $office', {}, false],
    ['s in $cf.names.1 or ssl', { s: 'x' }, true],
    ['any(names[*] in $cf.names.1)', { names: ['y', 'x'] }, true],
  ]
  for (const [expression, context, want] of rows) {
    const outcome = compile(expression, scheme)
    assert.ok(outcome.ok, expression)
    assert.equal(outcome.test(context), want, expression)
  }
})

test('list names', () => {
  const rows: readonly (readonly [expression: string, reason: string])[] = [
    [
      's in $office',
      '     ^^^^^^^ unknown list "$office" (create the list first; its kind must fit the field)',
    ],
    ['s in $none', '     ^^^^^ unknown list "$none" (create the list first; its kind must fit the field)'],
    [
      's in $cf.malware',
      '     ^^^^^^^^^^^ unknown list "$cf.malware" (the items of managed lists belong to Cloudflare; create a list instead)',
    ],
    ['s in $Office', '      ^^^^^^ invalid list name "Office"'],
    ['s in $.a', '      ^^ invalid list name ".a"'],
    ['s in $a.', '      ^^ invalid list name "a."'],
    ['s in $', '      ^ invalid list name ""'],
    ['s in $officeNetwork', '            ^^^^^^^ unrecognised input'],
    ['s in {$office}', '      ^^ invalid digit found in string while parsing with radix 16'],
    ['s eq $office', '     ^^ invalid digit found in string while parsing with radix 16'],
  ]
  for (const [expression, reason] of rows)
    assert.equal(faultOf(expression).split('\n')[2], reason, expression)
})

test('without lists in the scheme only the spelling counts, and every list is empty', () => {
  const outcome = compile('s in $anything', { fields: scheme.fields })
  assert.ok(outcome.ok)
  assert.equal(outcome.test({ s: 'x' }), false)
  assert.match(faultOf('s in $A', { fields: scheme.fields }), /invalid list name "A"/)
})

test('literals win over names of hexadecimal digits, known names over unknown literals', () => {
  const context = { s: '\xab\xcd', 'ab.cd': 'x', cafe: 5, n: 5, 'ip.src': 'fade::1', fade: 'fade::1' }
  const rows: readonly (readonly [expression: string, want: boolean])[] = [
    ['s eq ab.cd', true],
    ['s eq ab:cd', true],
    ['n eq cafe', true],
    ['n ge cafe', true],
    ['ip.src eq fade::1', true],
    ['ip.src eq fade', true],
    ['ip.src eq ip.edge', false],
    ['s eq coalesce(t, s)', true],
    ['s ne lower(s)', false],
    ['t ne s', true],
    ['s ne t', true],
    ['any(names[*] eq s)', false],
    ['all(names[*] eq s)', true],
    ['all(names[*] ne t)', true],
  ]
  for (const [expression, want] of rows) {
    const outcome = compile(expression, scheme)
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.text)
    assert.equal(outcome.test({ ...context, names: [] }), want, expression)
  }
})

test('elements compare with a right-hand side that is read once', () => {
  const outcome = compile(
    'any(names[*] eq s) and not all(names[*] ne s) and any((names[*] eq s or names[*] eq t))',
    scheme,
  )
  assert.ok(outcome.ok)
  assert.equal(outcome.test({ names: ['a', 'b'], s: 'b' }), true)
  assert.equal(outcome.test({ names: ['a', 'b'], s: 'c' }), false)
  assert.equal(outcome.test({ names: ['a', 'b'], t: 'b' }), false)
})

test('right-hand sides that do not fit', () => {
  const rows: readonly (readonly [expression: string, reason: string])[] = [
    ['s eq n', '     ^ expected value of type Bytes, but got Int'],
    ['ip.src lt s', '          ^ expected value of type Ip, but got Bytes'],
    ['s eq names', '     ^^^^^ expected value of type Bytes, but got Array<Bytes>'],
    ['s eq names[*]', '     ^^^^^^^^ invalid use of map each access operator'],
    ['s eq example.com', '     ^^^^^^^^^^^ unknown identifier'],
    ['ssl eq ssl', '    ^^^^^^ unrecognised input'],
    ['s contains t', '           ^ expected 2 characters, but found 1 (text needs quotes)'],
    ['s eq t eq "a"', '       ^^^^^^ unrecognised input'],
  ]
  for (const [expression, reason] of rows)
    assert.equal(faultOf(expression).split('\n')[2], reason, expression)
})

test('a name that exists but is unavailable says why, in the hint and in the text', () => {
  const outcome = check('http.response.code eq 200', scheme)
  assert.ok(!outcome.ok)
  assert.equal(outcome.diagnostic.message, 'unknown identifier')
  assert.equal(outcome.diagnostic.hint, 'only in response phases')
  assert.equal(
    outcome.text,
    'Filter parsing error (1:1):\nhttp.response.code eq 200\n^^^^^^^^^^^^^^^^^^ unknown identifier (only in response phases)\n',
  )
  assert.match(faultOf('split(s, ",", 2)[0] eq "a"'), /unknown identifier \(only in response phases\)\n$/)
  assert.match(faultOf('upper(s) eq "A"'), /unknown identifier\n$/)
  assert.match(faultOf('is_jwt_valid("a")'), /unknown identifier \(there are no token configurations/)
})

test('the names of the used fields are reported', () => {
  const outcome = compile('s eq t or any(lower(names[*])[*] eq "a") or headers["a"][0] eq s', scheme)
  assert.ok(outcome.ok)
  assert.deepEqual([...outcome.fields].sort(), ['headers', 'names', 's', 't'])
  const value = compileValue('coalesce(headers["a"][0], s)', scheme)
  assert.ok(value.ok)
  assert.deepEqual([...value.fields].sort(), ['headers', 's'])
})

test('value expressions are one field, element or call', () => {
  const context = { s: 'S', n: 7, ssl: true, names: ['a'], headers: new Map([['x', ['y']]]) }
  const rows: readonly (readonly [expression: string, type: string, want: Value])[] = [
    ['s', 'String', 'S'],
    [' lower(s)\n', 'String', 's'],
    ['n', 'Integer', 7],
    ['ssl', 'Boolean', true],
    ['names', 'Array<String>', ['a']],
    ['names[0]', 'String', 'a'],
    ['names[1]', 'String', undefined],
    ['headers["x"]', 'Array<String>', ['y']],
    ['lower(names[*])', 'Array<String>', ['a']],
    ['cidr(ip.src, 8, 8)', 'IP', undefined],
    ['starts_with(s, "S")', 'Boolean', true],
  ]
  for (const [expression, type, want] of rows) {
    const outcome = compileValue(expression, scheme)
    assert.ok(outcome.ok, expression)
    assert.deepEqual([outcome.type, outcome.read(context)], [type, want], expression)
  }
  const refused: readonly (readonly [expression: string, message: string])[] = [
    ['', 'expected identifier character'],
    ['"a"', 'expected identifier character'],
    ['s eq "a"', 'unrecognised input'],
    ['(s)', 'expected identifier character'],
    ['names[*]', 'invalid use of map each access operator'],
    ['lower(names[*])[*]', 'invalid use of map each access operator'],
    ['ssl and ssl', 'unrecognised input'],
  ]
  for (const [expression, message] of refused) {
    const outcome = compileValue(expression, scheme)
    assert.ok(!outcome.ok && outcome.diagnostic.message === message, expression)
  }
})

test('format gives one spelling', () => {
  const rows: readonly (readonly [text: string, want: string])[] = [
    ['(s=="a")', 's eq "a"'],
    ['!(!(ssl))', 'not not ssl'],
    ['not(s eq r"a\\" and ssl)', 'not (s eq "a\\\\" and ssl)'],
    ['ssl&&(ssl||ssl)^^ssl', 'ssl and (ssl or ssl) xor ssl'],
    ['(ssl and ssl) and ssl', '(ssl and ssl) and ssl'],
    ['s in{"a""b"}', 's in {"a" "b"}'],
    ['n in {010..0x10 -3}', 'n in {8..16 -3}'],
    ['ip.src in {10.0.0.0..10.255.255.255 ::1/128}', 'ip.src in {10.0.0.0/8 ::1}'],
    ['ip.src eq 2001:DB8::0', 'ip.src eq 2001:db8::'],
    ['s ~ "a\\.b"', 's matches "a\\.b"'],
    ['s ~ r#"say "hi""#', 's matches "say \\"hi\\""'],
    ['s eq 61:ff', 's eq "a\\xff"'],
    ['s contains "\\xc3\\xa9\\x0a"', 's contains "é\\x0a"'],
    ['any((not names[*] eq "a"||names[*]~"b"))', 'any(not names[*] eq "a" or names[*] matches "b")'],
    ['any((names[*] eq "a"))', 'any(names[*] eq "a")'],
    ['s strict wildcard "*" and n&1', 's strict wildcard "*" and n bitwise_and 1'],
  ]
  for (const [text, want] of rows) assert.deepEqual(format(text, scheme), { ok: true, text: want }, text)
  assert.equal(format('s eq', scheme).ok, false)
})

test('tests of the same elements are one test of each, like tests of arrays one by one', () => {
  const cases: readonly (readonly [names: readonly string[], want: boolean])[] = [
    [['ab'], false],
    [['a', 'b'], true],
    [[], false],
    [['c'], false],
  ]
  // In the second form the operands differ, so it takes the other path.
  const forms = [
    'any((names[*] contains "a" and not names[*] contains "b"))',
    'any((names[*] contains "a" and not lower(names[*])[*] contains "b"))',
  ]
  for (const form of forms) {
    const outcome = compile(form, scheme)
    assert.ok(outcome.ok)
    for (const [names, want] of cases) assert.equal(outcome.test({ names }), want, `${form}: ${names.join()}`)
  }
})

test('cheap tests come first, and costly tests run only if they still matter', () => {
  let reads = 0
  const costly: Field<undefined> = {
    name: 'costly',
    type: 'Array<String>',
    read: () => {
      reads++
      return []
    },
  }
  const cheap: Field<undefined> = { name: 'cheap', type: 'Boolean', read: () => false }
  const both = { fields: new Map([costly, cheap].map(one => [one.name, one])) }
  const outcome = compile('any(costly[*] eq "a") and cheap', both)
  assert.ok(outcome.ok)
  assert.equal(outcome.test(undefined), false)
  assert.equal(reads, 0)
})

test('long values and patterns with many stars are matched in linear time', () => {
  const value = 'a'.repeat(200_000)
  for (const expression of [
    `s wildcard "${'*a'.repeat(63)}*b"`,
    `s matches "(a+)+$b"`,
    `s matches "(?u)(\\w|\\d|a)*!"`,
    `lower(s) contains "${'a'.repeat(500)}b"`,
  ]) {
    const outcome = compile(expression, scheme)
    assert.ok(outcome.ok, expression)
    assert.equal(outcome.test({ s: value }), false, expression)
  }
})
