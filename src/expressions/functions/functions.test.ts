import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  compile,
  compileValue,
  type ExpressionType,
  type Scheme,
  type Value,
  WorkExceededError,
} from '../index.ts'
import { expressionLimits } from '../limits.ts'

type Context = Readonly<Record<string, Value>>

const types: Readonly<Record<string, ExpressionType>> = {
  s: 'String',
  t: 'String',
  n: 'Integer',
  i: 'IP',
  names: 'Array<String>',
  ips: 'Array<IP>',
  texts: 'Map<String>',
  'http.request.uri.query': 'String',
}

const scheme: Scheme<Context> = {
  fields: new Map(
    Object.entries(types).map(([name, type]) => [name, { name, type, read: context => context[name] }]),
  ),
}

function resultOf(expression: string, context: Context): Value {
  const outcome = compileValue(expression, scheme)
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.text)
  return outcome.read(context)
}

type Row = readonly [expression: string, context: Context, want: Value]

function rows(name: string, table: readonly Row[]): void {
  test(name, () => {
    for (const [expression, context, want] of table) {
      assert.deepEqual(resultOf(expression, context), want, `${expression} of ${JSON.stringify(context)}`)
    }
  })
}

rows('url_decode keeps malformed escapes, and repeats until nothing changes', [
  ['url_decode(s)', { s: '%E4%BD+%' }, '\xe4\xbd %'],
  ['url_decode(s)', { s: '%4' }, '%4'],
  ['url_decode(s)', { s: '%4g%zz' }, '%4g%zz'],
  ['url_decode(s)', { s: '%%325' }, '%25'],
  ['url_decode(s)', { s: '%2B' }, '+'],
  ['url_decode(s, "r")', { s: '%2B' }, ' '],
  ['url_decode(s, "r")', { s: '%%325' }, '%'],
  ['url_decode(s, "r")', { s: '%25252541' }, 'A'],
  ['url_decode(s, "r")', { s: '%%3235' }, '#5'],
  ['url_decode(s)', { s: '%u0041' }, '%u0041'],
  ['url_decode(s, "u")', { s: '%u0041%u00e9%u20AC' }, 'A\xc3\xa9\xe2\x82\xac'],
  ['url_decode(s, "u")', { s: '%ud83d%ude00' }, '\xf0\x9f\x98\x80'],
  ['url_decode(s, "u")', { s: '%ud83d %ude00' }, '%ud83d %ude00'],
  ['url_decode(s, "u")', { s: '%u004' }, '%u004'],
  ['url_decode(s, "ru")', { s: '%25u0025%34%31' }, 'A'],
  ['url_decode(s, "r")', { s: `%${'25'.repeat(100_000)}` }, '%'],
])

rows('remove_query_args takes out every one of a name', [
  [
    'remove_query_args(http.request.uri.query, "a")',
    { 'http.request.uri.query': 'a&a=1&ab=2&&=3' },
    'ab=2&&=3',
  ],
  ['remove_query_args(http.request.uri.query, "")', { 'http.request.uri.query': 'a&&=3' }, 'a'],
  ['remove_query_args(http.request.uri.query, "a")', {}, undefined],
])

rows('replacements', [
  ['regex_replace(s, "(b)|(a)", "[${1}${2}${3}]")', { s: 'xab' }, 'x[a]b'],
  ['regex_replace(s, "", "-")', { s: 'a' }, '-a'],
  ['regex_replace(s, "a$", "$$")', { s: 'aa' }, 'a$'],
  ['wildcard_replace(s, "*b*d", "${2}${1}")', { s: 'aBbcDd' }, 'bcDa'],
  ['wildcard_replace(s, "a*", "")', { s: 'ba' }, 'ba'],
  ['wildcard_replace(s, "a", "b")', { s: 'A' }, 'b'],
  ['wildcard_replace(s, "a", "b", "s")', { s: 'A' }, 'A'],
  ['wildcard_replace(s, "/*/x", "${1}${2}")', { s: '/a/b/x' }, 'a/b'],
])

const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

rows('JSON lookups', [
  ['lookup_json_string(s, "a", 0, "b")', { s: ' { "a" : [ { "b" : "c" } ] } ' }, 'c'],
  ['lookup_json_string(s, "a")', { s: '{"a":"x","a":"y"}' }, 'y'],
  ['lookup_json_string(s, "a", "b")', { s: '{"a":{"b":"x"},"a":{}}' }, undefined],
  ['lookup_json_string(s, "a", "b")', { s: '{"a":{"b":"x"},"a":1}' }, undefined],
  ['lookup_json_string(s, "b")', { s: '{"a":{"b":"x"}}' }, undefined],
  ['lookup_json_string(s, "0")', { s: '["x"]' }, undefined],
  ['lookup_json_string(s, 0)', { s: '{"0":"x"}' }, undefined],
  [
    'lookup_json_string(s, "é")',
    { s: '{"\\u00e9":"\\n\\ud83d\\ude00\\ud83d"}' },
    '\n\xf0\x9f\x98\x80\xef\xbf\xbd',
  ],
  ['lookup_json_string(s, t)', { s: '{"k":"v"}', t: 'k' }, 'v'],
  ['lookup_json_string(s, t)', { s: '{"k":"v"}' }, undefined],
  ['lookup_json_string(s, "a")', { s: '{"a":"x"' }, undefined],
  ['lookup_json_string(s, "a")', { s: '{"a":"x"}}' }, undefined],
  ['lookup_json_string(s, "a")', { s: '{"a":"x",}' }, undefined],
  ['lookup_json_string(s, "a")', { s: '{"a":"x","b":01}' }, undefined],
  ['lookup_json_string(s, "a")', { s: '{"a":"x\ty"}' }, undefined],
  ['lookup_json_string(s, "a")', { s: '{"a":"x","b":"\\q"}' }, undefined],
  ['lookup_json_string(s, "a")', { s: '{"a":"x","b":[1.5e-3,-0,true,null]}' }, 'x'],
  ['lookup_json_string(s, "a")', { s: '' }, undefined],
  ['lookup_json_integer(s, 0)', { s: '[-0]' }, 0],
  ['lookup_json_integer(s, 0)', { s: '[1e3]' }, undefined],
  ['lookup_json_integer(s, 0)', { s: '[9007199254740991]' }, 9007199254740991],
  ['lookup_json_integer(s, 0)', { s: '[9223372036854775808]' }, undefined],
  ['lookup_json_integer(s, 0, 0)', { s: `[[7],${deep(510)}]` }, 7],
  ['lookup_json_integer(s, 0, 0)', { s: `[[7],${deep(511)}]` }, 7],
  ['lookup_json_integer(s, 0, 0)', { s: `[[7],${deep(512)}]` }, undefined],
])

test('JSON integers beyond the safe ones compare exactly', () => {
  const outcome = compile('lookup_json_integer(s, 0) eq 9223372036854775807', scheme)
  assert.ok(outcome.ok)
  assert.equal(outcome.test({ s: '[9223372036854775807]' }), true)
  assert.equal(outcome.test({ s: '[9223372036854775806]' }), false)
})

test('JSON lookups agree with JSON.parse on valid documents', () => {
  const texts = [
    '1',
    '-',
    '-1',
    '1.',
    '.5',
    '1e',
    '1E+2',
    '"',
    '"a"',
    '"\\u00g0"',
    '[',
    '[]',
    '[,]',
    '[1,]',
    '{}',
    '{"a"}',
  ]
  for (const json of [
    ...texts,
    '{"a":1}',
    'tru',
    'true',
    'nul',
    ' [ ] ',
    '\u00a0[]',
    '[1 2]',
    '{"a":1 "b":2}',
    '"\\',
  ]) {
    let valid = true
    try {
      JSON.parse(json)
    } catch {
      valid = false
    }
    assert.equal(resultOf('lookup_json_string(s, 0)', { s: `["x",${json}]` }) === 'x', valid, json)
  }
})

rows('encodings', [
  ['decode_base64(s)', { s: 'YWI=' }, 'ab'],
  ['decode_base64(s)', { s: 'YWI' }, 'ab'],
  ['decode_base64(s)', { s: 'YQ=' }, ''],
  ['decode_base64(s)', { s: 'Y' }, ''],
  ['decode_base64(s)', { s: 'YW-_' }, ''],
  ['decode_base64(s)', { s: '' }, ''],
  ['encode_base64(s, "p")', { s: '' }, ''],
  ['uuidv4(s)', { s: '\xff'.repeat(16) }, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  ['uuidv4(s)', { s: 'short' }, 'f9b0078b-5df5-46d2-aa19-010c001bbd00'],
])

test('hash_in_range never changes its result, and spreads evenly', () => {
  const pinned: readonly Row[] = [
    ['hash_in_range(0, 100, s)', { s: 'alice' }, 4],
    ['hash_in_range(0, 100, s)', { s: 'bob' }, 26],
    ['hash_in_range(-5, 5, s, n, i)', { s: 'a', n: 7, i: '192.0.2.1' }, 1],
  ]
  for (const [expression, context, want] of pinned) assert.equal(resultOf(expression, context), want)
  const counts = [0, 0, 0, 0]
  for (let user = 0; user < 4000; user++) {
    const bucket = resultOf('hash_in_range(0, 4, s)', { s: `user-${user}` }) as number
    counts[bucket]!++
  }
  for (const count of counts) assert.ok(count > 850 && count < 1150, counts.join())
})

test('hash_in_range distinguishes missing, empty and joined values', () => {
  const hash = (context: Context) => resultOf('hash_in_range(0, 1000000000, s, t)', context)
  const all = [
    {},
    { s: '' },
    { s: '', t: '' },
    { s: 'a', t: 'b' },
    { s: 'ab', t: '' },
    { s: '', t: 'ab' },
  ].map(hash)
  assert.equal(new Set(all).size, all.length)
  assert.equal(resultOf('hash_in_range(n, 5, s)', { s: 'a' }), undefined)
  assert.equal(resultOf('hash_in_range(n, 5, s)', { n: 5, s: 'a' }), undefined)
})

rows('addresses', [
  ['cidr(i, 1, 1)', { i: '255.1.2.3' }, '128.0.0.0'],
  ['cidr(i, 32, 1)', { i: '2001:db8::1' }, '::'],
  ['cidr6(i, 128)', { i: '2001:DB8:0:0:1:0:0:1' }, '2001:db8::1:0:0:1'],
  ['cidr6(i, 48)', { i: '2001:db8:1:2:3:4:5:6' }, '2001:db8:1::'],
  ['to_string(i)', { i: '::FFFF:192.0.2.1' }, '::ffff:c000:201'],
  ['to_string(i)', { i: '1:0:3:4:5:6:7:8' }, '1:0:3:4:5:6:7:8'],
  ['to_string(i)', { i: 'unix:' }, undefined],
  ['has_value(ips, i)', { ips: ['2001:db8:0::1'], i: '2001:db8::1' }, true],
  ['has_value(ips, i)', { ips: ['192.0.2.1'], i: '192.0.2.2' }, false],
  ['has_value(texts, s)', { texts: new Map([['a', 'b']]), s: 'b' }, true],
])

test('is_timed_hmac_valid_v0 checks time and signature', () => {
  const sign = (message: string, at: number) => createHmac('sha256', 'key').update(`${message}${at}`)
  const at = 1_700_000_000
  const standard = encodeURIComponent(sign('/a', at).digest('base64'))
  const urlSafe = sign('/a', at).digest('base64url')
  const plain = 'is_timed_hmac_valid_v0("key", s, 60, n)'
  const separated = 'is_timed_hmac_valid_v0("key", s, 60, n, 8)'
  const flagged = 'is_timed_hmac_valid_v0("key", s, 60, n, 8, "s")'
  const table: readonly (readonly [expression: string, s: string, now: number, want: boolean])[] = [
    [plain, `/a${at}-${standard}`, at, true],
    [plain, `/a${at}-${standard}`, at + 59, true],
    [plain, `/a${at}-${standard}`, at + 60, false],
    [plain, `/b${at}-${standard}`, at, false],
    [plain, `/a${at + 1}-${standard}`, at, false],
    [plain, `/a${at}${standard}`, at, false],
    [plain, `${at}-${standard}`, at, false],
    [plain, '', at, false],
    [separated, `/a?verify=${at}-${standard}`, at, true],
    [separated, `/a${at}-${standard}`, at, false],
    [separated, `/a?verify=${at}-${urlSafe}`, at, urlSafe === standard],
    [flagged, `/a?verify=${at}-${urlSafe}`, at, true],
    [flagged, `/a?verify=${at}-${urlSafe}=`, at, false],
    [flagged, `/a?verify=${at}-${standard}`, at, false],
    ['is_timed_hmac_valid_v0("other", s, 60, n)', `/a${at}-${standard}`, at, false],
  ]
  for (const [expression, s, n, want] of table) {
    assert.equal(resultOf(expression, { s, n }), want, `${expression} of ${s} at ${n}`)
  }
  assert.equal(resultOf(plain, { s: 'x' }), undefined)
})

const refused: readonly (readonly [expression: string, message: string])[] = [
  [
    'split(s, ",", 0)[0]',
    'invalid value of argument #2: invalid argument: "the limit must be between 1 and 128"',
  ],
  ['split(s, t, 1)[0]', 'invalid kind of argument #1: expected argument of kind Literal, but got Field'],
  [
    'encode_base64(s, "pp")',
    'invalid value of argument #1: invalid argument: "the flags are "p", "u" and both"',
  ],
  [
    'regex_replace(s, "a", "$1")',
    'invalid value of argument #2: invalid argument: "a dollar sign stands in ${1} to ${8} or is written $$"',
  ],
  [
    'regex_replace(s, "a", "${9}")',
    'invalid value of argument #2: invalid argument: "a dollar sign stands in ${1} to ${8} or is written $$"',
  ],
  [
    `regex_replace(s, "a", "${'${1}'.repeat(9)}")`,
    'invalid value of argument #2: invalid argument: "more than 8 references to captured texts"',
  ],
  [
    'regex_replace("a", "a", "b")',
    'invalid kind of argument #0: expected argument of kind Field, but got Literal',
  ],
  [
    'concat(regex_replace(s, "a", "b"), regex_replace(s, "a", "b"))',
    'regex_replace and wildcard_replace may be used once in an expression',
  ],
  [
    'wildcard_replace(regex_replace(s, "a", "b"), "a", "b")',
    'regex_replace and wildcard_replace may be used once in an expression',
  ],
  [
    `wildcard_replace(s, "${'*a'.repeat(65)}", "b")`,
    'invalid value of argument #1: invalid argument: "wildcard has 65 star metacharacters, but the limit is 64"',
  ],
  ['hash_in_range(5, 5, s)', 'invalid value of argument #1: invalid argument: "the range must not be empty"'],
  ['hash_in_range(5, s)', 'invalid number of arguments'],
  [
    'is_timed_hmac_valid_v0("k", s, 1, n, -1)',
    'invalid value of argument #4: invalid argument: "the length of the separator must not be negative"',
  ],
  [
    'is_timed_hmac_valid_v0("k", s, 1, n, 1, "x")',
    'invalid value of argument #5: invalid argument: "the only flag is "s""',
  ],
  ['bit_slice(s, 1, 2)', 'unknown identifier'],
  ['cidr(i, 24)', 'invalid number of arguments'],
  ['coalesce(s, n)', 'invalid type of argument #1: expected value of type Bytes, but got Int'],
  ['join(names[*], ",")', 'invalid type of argument #0: expected value of type Array<Bytes>, but got Bytes'],
  ['has_value(names, n)', 'invalid type of argument #1: expected value of type Bytes, but got Int'],
]

test('calls with wrong literals are refused', () => {
  for (const [expression, message] of refused) {
    const outcome = compileValue(expression, scheme)
    assert.ok(!outcome.ok, expression)
    assert.equal(outcome.diagnostic.message, message, expression)
  }
  assert.ok(compileValue(`regex_replace(s, "a", "${'${1}'.repeat(8)}")`, scheme).ok)
  assert.ok(compileValue(`wildcard_replace(s, "${'*a'.repeat(64)}", "b")`, scheme).ok)
})

test('one evaluation produces up to its limit and no more', () => {
  const { madeBytesMax } = expressionLimits
  const part = 'x'.repeat(madeBytesMax / 4)
  const four = [part, part, part, part]
  const times = (count: number, begin: string, end: string) => `${begin.repeat(count)}s${end.repeat(count)}`
  const rows: readonly (readonly [expression: string, context: Context, length: Value | 'error'])[] = [
    ['len(join(names, t))', { names: four, t: '' }, madeBytesMax],
    ['len(join(names, t))', { names: four, t: '-' }, 'error'],
    ['len(join(names, t))', { names: Array(5000).fill(''), t: part }, 'error'],
    ['len(concat(s, s, s, s))', { s: part }, madeBytesMax],
    ['len(concat(s, s, s, s, t))', { s: part, t: '-' }, 'error'],
    [`len(${times(3, 'lower(', ')')})`, { s: part }, madeBytesMax / 4],
    [`len(${times(5, 'lower(', ')')})`, { s: part }, 'error'],
    [`len(${times(12, 'encode_base64(', ')')})`, { s: 'abc' }, 115],
    [`len(${times(120, 'encode_base64(', ')')})`, { s: 'abc' }, 'error'],
    ['len(encode_base64(s))', { s: 'x'.repeat(madeBytesMax) }, 'error'],
    ['len(concat(names[*], s))', { names: four.concat(four), s: '' }, 'error'],
    ['hash_in_range(0, 1, s, s, s, s)', { s: part }, 0],
    ['hash_in_range(0, 1, s, s, s, s, s)', { s: part }, 'error'],
  ]
  for (const [expression, context, want] of rows) {
    // Twice: one evaluation does not count for the next.
    for (let i = 0; i < 2; i++) {
      if (want === 'error') assert.throws(() => resultOf(expression, context), WorkExceededError, expression)
      else assert.equal(resultOf(expression, context), want, expression)
    }
  }
})

test('remove_bytes takes long lists of bytes', () => {
  const kept = 'b'.repeat(50_000)
  assert.equal(resultOf('remove_bytes(s, t)', { s: `${kept}a`, t: 'a'.repeat(100_000) }), kept)
  assert.equal(resultOf('remove_bytes(s, t)', { s: kept, t: '' }), kept)
})
