import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './index.ts'
import type { ExpressionType, Field, Scheme, Value } from './types.ts'

type Context = Readonly<Record<string, Value>>

const types: Readonly<Record<string, ExpressionType>> = {
  'http.host': 'String',
  'http.request.uri.path': 'String',
  absent: 'String',
  bytes: 'String',
  number: 'Integer',
  ssl: 'Boolean',
  off: 'Boolean',
  'ip.src': 'IP',
  'ip.six': 'IP',
  names: 'Array<String>',
  nothing: 'Array<String>',
  missingNames: 'Array<String>',
  headers: 'Map<Array<String>>',
}

const field = (name: string, type: ExpressionType): [string, Field<Context>] => [
  name,
  { name, type, read: context => context[name] },
]

const scheme: Scheme<Context> = {
  fields: new Map(Object.entries(types).map(([name, type]) => field(name, type))),
}

const context: Context = {
  'http.host': 'www.Example.com',
  'http.request.uri.path': '/admin/login.php?',
  absent: undefined,
  bytes: 'ab\xe9\xc3\xa9',
  number: 10,
  ssl: true,
  off: false,
  'ip.src': '192.0.2.7',
  'ip.six': '2001:db8::1',
  names: ['Accept', 'X-Test', 'cookie'],
  nothing: [],
  missingNames: undefined,
  headers: new Map([
    ['x-b', ['two', 'three']],
    ['x-a', ['one']],
  ]),
}

const evaluated: readonly (readonly [expression: string, want: boolean])[] = [
  // constants and logic
  ['true', true],
  ['false', false],
  [' \t true \t\n', true],
  ['(true)', true],
  ['not true', false],
  ['!!ssl', true],
  ['not not ssl', true],
  ['true and ssl', true],
  ['ssl&&off', false],
  ['ssl||off', true],
  ['off or off or ssl', true],
  ['ssl xor ssl', false],
  ['ssl ^^ ssl ^^ ssl', true],
  ['(ssl)and(ssl)', true],
  ['ssl or ssl and off', true],
  ['ssl xor ssl and off', true],
  ['ssl or ssl xor ssl', true],
  ['(ssl or ssl) xor ssl', false],
  ['not off and off', false],
  ['not http.host eq "x"', true],
  ['ssl\r\nand\nnot off', true],
  // strings
  ['http.host eq "www.Example.com"', true],
  ['http.host=="www.example.com"', false],
  ['http.host ne "a"', true],
  ['http.host != "www.Example.com"', false],
  ['http.host lt "www.Example.con"', true],
  ['http.host le "www.Example.com"', true],
  ['http.host gt "www"', true],
  ['http.host > "www.Example.com"', false],
  ['http.host >= "www.Example.com"', true],
  ['http.host < "Z"', false],
  ['http.host contains "Example"', true],
  ['http.host contains "example"', false],
  ['http.host contains ""', true],
  ['http.host in {"a" "www.Example.com"}', true],
  ['http.host in{"a" "b"}', false],
  ['http.host in {}', false],
  ['http.host eq r"www.Example.com"', true],
  ['http.host eq r#"www.Example.com"#', true],
  ['http.request.uri.path contains 2f:61-64.6D', true],
  ['http.host eq "\\x77\\167w.Example.com"', true],
  ['bytes contains "\\xe9\\303"', true],
  ['bytes contains "é"', true],
  ['bytes eq r"abé"', false],
  // missing values
  ['absent eq ""', false],
  ['absent ne ""', true],
  ['not absent ne ""', false],
  ['absent ne http.host', true],
  ['http.host ne absent', true],
  ['absent eq absent', false],
  ['absent lt "a"', false],
  ['absent in {""}', false],
  ['any(missingNames[*] ne "x")', false],
  ['all(missingNames[*] ne "x")', true],
  ['absent contains ""', false],
  ['not absent eq ""', true],
  ['not len(absent) >= 0', true],
  ['starts_with(absent, "a")', false],
  ['not starts_with(absent, "a")', true],
  // patterns
  ['http.host wildcard "*.example.com"', true],
  ['http.host strict wildcard "*.example.com"', false],
  ['http.host strict wildcard r"www.*.com"', true],
  ['http.host wildcard "example.com"', false],
  ['http.host wildcard "WWW.*"', true],
  ['http.host wildcard "*example*com*"', true],
  ['http.host wildcard "www.Example.com*com"', false],
  ['http.request.uri.path wildcard "/admin/*.php?"', true],
  ['http.request.uri.path wildcard "/admin/*.php\\\\*"', false],
  ['http.request.uri.path matches "^/admin/"', true],
  ['http.request.uri.path ~ r"\\.php"', true],
  ['http.request.uri.path matches "\\.php\\?$"', true],
  ['http.request.uri.path matches "[\\"x]"', false],
  // integers
  ['number eq 10', true],
  ['number eq 0xA', true],
  ['number eq 012', true],
  ['number eq 010', false],
  ['number gt -12', true],
  ['number lt 9223372036854775807', true],
  ['number gt -9223372036854775808', true],
  ['number eq 9223372036854775807', false],
  ['number in {1 5..10 20}', true],
  ['number in {1 5..9 11..20}', false],
  ['number in {1..100 2..3}', true],
  ['number in {-9223372036854775808..9223372036854775807}', true],
  ['number & 2', true],
  ['number bitwise_and 5', false],
  // addresses
  ['ip.src eq 192.0.2.7', true],
  ['ip.src ne 192.0.2.7', false],
  ['ip.src eq 2001:db8::1', false],
  ['ip.src ne 2001:db8::1', true],
  ['ip.six eq 2001:DB8:0::1', true],
  ['ip.src in {192.0.2.0/24}', true],
  ['ip.src in {192.0.2.8..192.0.2.9 192.0.2.0..192.0.2.6}', false],
  ['ip.src in {10.0.0.0/8 192.0.2.7}', true],
  ['ip.six in {2001:db8::/32 10.0.0.0/8}', true],
  ['ip.six in {2001:db8::2..2001:db8::3}', false],
  ['ip.src in {192.0.2.0/29}', true],
  ['ip.src in {192.0.2.8/29}', false],
  ['ip.src lt 192.0.2.8', true],
  ['ip.src ge 192.0.2.8', false],
  ['ip.src in {0.0.0.0/0}', true],
  // functions
  ['lower(http.host) eq "www.example.com"', true],
  ['upper (http.host) eq "WWW.EXAMPLE.COM"', true],
  ['len(bytes) eq 5', true],
  ['len(names) == 3', true],
  ['starts_with(http.host, "www.")', true],
  ['starts_with(http.host, "WWW.")', false],
  ['ends_with( http.host , ".com" )', true],
  ['concat(http.host, "/", absent, "x") eq "www.Example.com/x"', true],
  ['len(concat(absent, absent)) ge 0', false],
  // arrays and maps
  ['names[0] eq "Accept"', true],
  ['names[010] eq "Accept"', false],
  ['names[3] eq ""', false],
  ['headers["x-b"][1] eq "three"', true],
  ['headers["none"][0] ne "x"', true],
  ['any(names[*] eq "X-Test")', true],
  ['any(names[*] == "x-test")', false],
  ['all(names[*] contains "")', true],
  ['any(nothing[*] contains "")', false],
  ['all(nothing[*] eq "x")', true],
  ['any(missingNames[*] eq "x")', false],
  ['all(missingNames[*] eq "x")', true],
  ['any(lower(names[*])[*] == "x-test")', true],
  ['any(starts_with(names[*], "X-"))', true],
  ['all(starts_with(names[*], "X-"))', false],
  ['any(headers[*][*] eq "three")', true],
  ['any(headers[*][1] eq "three")', true],
  ['all(headers[*][1] eq "three")', true],
  ['any((names[*] eq "Accept" or names[*] eq "x"))', true],
  ['all((names[*] ne "Accept" xor names[*] ne "x"))', false],
  ['any(not names[*] == "Accept" and names[*] contains "ook")', true],
  ['not any(names[*] eq "q") and all(not names[*] eq "q")', true],
  ['any((headers[*][*] eq "one" and names[*] eq "Accept"))', true],
  ['all ( ( headers["x-a"][*] eq "one" and names[*] eq "Accept" ) )', true],
]

test('expressions evaluate as documented in the reference', () => {
  for (const [expression, want] of evaluated) {
    const compiled = compile(expression, scheme)
    assert.ok(compiled.ok, compiled.ok ? '' : `${expression}\n${compiled.text}`)
    assert.equal(compiled.test(context), want, expression)
  }
})

const refused: readonly (readonly [expression: string, position: string, carets: string, message: string])[] =
  [
    ['', '1:1', '^', 'expected identifier character'],
    ['htp.host eq "a"', '1:1', '^^^^^^^^', 'unknown identifier'],
    ['frobnicate(http.host)', '1:1', '^^^^^^^^^^', 'unknown identifier'],
    ['"a" eq "b"', '1:1', '^^^^^^^^^^', 'expected identifier character'],
    ['a..b', '1:3', '^^', 'expected identifier character'],
    ['http.host', '1:10', '^', 'expected ComparisonOp'],
    ['http.host foo "a"', '1:11', '^^^^^^^', 'expected ComparisonOp'],
    ['http.host = "a"', '1:11', '^^^^^', 'expected ComparisonOp'],
    ['http.host not in {"a"}', '1:11', '^^^^^^^^^^^^', 'expected ComparisonOp'],
    ['http.host EQ "a"', '1:11', '^^^^^^', 'expected ComparisonOp'],
    ['http.host\teq "a"', '1:10', '^^^^^^^', 'expected ComparisonOp'],
    ['http.host eq', '1:13', '^', 'unrecognised input'],
    ['true true', '1:6', '^^^^', 'unrecognised input'],
    ['ssl == 1', '1:5', '^^^^', 'unrecognised input'],
    ['(true', '1:6', '^', 'expected literal ")"'],
    ['any(names[*] == "x" or names[*] == "y")', '1:21', '^^^^^^^^^^^^^^^^^^^', 'expected literal ")"'],
    ['number contains "a"', '1:8', '^^^^^^^^', 'cannot perform this operation on type Int'],
    ['http.host & 1', '1:11', '^', 'cannot perform this operation on type Bytes'],
    ['ip.src ~ "a"', '1:8', '^', 'cannot perform this operation on type Ip'],
    ['names eq "a"', '1:7', '^^', 'cannot perform this operation on type Array(Bytes)'],
    ['headers in {"a"}', '1:9', '^^', 'cannot perform this operation on type Map(Array(Bytes))'],
    ['names[*] eq "a"', '1:16', '^', 'expected value of type Bool, but got Array<Bool>'],
    ['ssl and names[*] eq "a"', '1:9', '^^^^^^^^^^^^^^^', 'expected value of type Bool, but got Array<Bool>'],
    ['any(ssl)', '1:5', '^^^', 'expected value of type Array<Bool>, but got Bool'],
    ['any(names)', '1:5', '^^^^^', 'expected value of type Array<Bool>, but got Array<Bytes>'],
    ['http.host eq "a', '1:15', '^', 'could not find an ending quote'],
    ['http.host eq "a\\nb"', '1:17', '^', 'expected ", xHH or OOO after \\'],
    ["http.host eq 'a'", '1:14', '^^', 'invalid digit found in string while parsing with radix 16'],
    ['http.host in {"a","b"}', '1:18', '^^', 'invalid digit found in string while parsing with radix 16'],
    [
      'http.host eq "\\400"',
      '1:16',
      '^^^',
      'number too large to fit in target type while parsing with radix 8',
    ],
    ['http.host eq 61', '1:16', '^', 'expected byte separator'],
    ['http.host eq 61:6', '1:17', '^', 'expected 2 characters, but found 1'],
    ['http.host matches 61:62', '1:19', '^^^^^', 'expected " or r'],
    ['http.host wildcard "a**b"', '1:20', '^^^^^^', 'wildcard contains a double star'],
    ['http.host wildcard r"a\\b"', '1:20', '^^^^^^', 'invalid wildcard: bad escape sequence'],
    ['number eq 08', '1:11', '^^', 'invalid digit found in string while parsing with radix 8'],
    ['number eq x', '1:11', '^', 'unknown identifier'],
    ['number eq 10fe', '1:11', '^^^^', 'invalid digit found in string while parsing with radix 10'],
    [
      'number eq 9223372036854775808',
      '1:11',
      '^^^^^^^^^^^^^^^^^^^',
      'number too large to fit in target type while parsing with radix 10',
    ],
    ['number in {5..1}', '1:12', '^^^^', 'incompatible range bounds'],
    ['number in {1, 2}', '1:13', '^^^^', 'expected digit'],
    ['number in 1', '1:11', '^', 'expected literal "{"'],
    ['number in {1', '1:13', '^', 'expected literal "}"'],
    [
      'ip.src eq 192.0.2.0/24',
      '1:11',
      '^^^^^^^^^^^^',
      "couldn't parse address in network: invalid IP address syntax",
    ],
    ['ip.src eq "1.2.3.4"', '1:11', '^^^^^^^^^', 'expected IP address character'],
    ['ip.src in {192.0.2.9/24}', '1:12', '^^^^^^^^^^^^', 'host part of address was not zero'],
    [
      'ip.src in {192.0.2.0/33}',
      '1:12',
      '^^^^^^^^^^^^',
      'invalid length for network: Network length 33 is too long for Ipv4 (maximum: 32)',
    ],
    ['ip.src in {192.0.2.9..192.0.2.1}', '1:12', '^^^^^^^^^^^^^^^^^^^^', 'incompatible range bounds'],
    ['http.host[0] eq "a"', '1:10', '^^^', 'cannot access index ArrayIndex(0) for type Bytes'],
    ['names["a"] eq "a"', '1:6', '^^^^^', 'cannot access index MapKey("a") for type Array<Bytes>'],
    ['ssl[*]', '1:4', '^^^', 'cannot access index MapEach for type Bool'],
    [
      'names[a] eq "a"',
      '1:7',
      '^^^^^^^^^',
      'expected literal "expected quoted utf8 string or positive integer"',
    ],
    ['names[-1] eq "a"', '1:7', '^^^^^^^^^^', 'expected literal "expected positive integer as index"'],
    [
      'headers[r"a"][0] eq "a"',
      '1:9',
      '^^^^^^^^^^^^^^^',
      'expected literal "expected quoted utf8 string or positive integer"',
    ],
    ['lower() eq "a"', '1:7', '^', 'invalid number of arguments'],
    ['starts_with(http.host)', '1:22', '^', 'invalid number of arguments'],
    ['lower(http.host, "a") eq "a"', '1:18', '^^^^', 'invalid number of arguments'],
    [
      'lower(ip.src) eq "a"',
      '1:7',
      '^^^^^^',
      'invalid type of argument #0: expected value of type Bytes, but got Ip',
    ],
    [
      'lower("a") eq "a"',
      '1:7',
      '^^^',
      'invalid kind of argument #0: expected argument of kind Field, but got Literal',
    ],
    [
      'len(number) eq 1',
      '1:5',
      '^^^^^^',
      'invalid type of argument #0: expected value of type Bytes or Array<_>, but got Int',
    ],
    [
      'starts_with(http.host, 5)',
      '1:24',
      '^',
      'invalid type of argument #1: expected value of type Bytes, but got Int',
    ],
    ['starts_with(http.host, names[*])', '1:24', '^^^^^^^^', 'invalid use of map each access operator'],
    [
      'concat(http.host, names) eq "a"',
      '1:19',
      '^^^^^',
      'invalid type of argument #1: expected value of type Bytes, but got Array<Bytes>',
    ],
    ['lower(names[*]) eq "x"', '1:17', '^^', 'cannot perform this operation on type Array(Bytes)'],
    ['lower(http.host,) eq "a"', '1:17', '^^^^^^^^', 'expected identifier character'],
    ['ssl and\n  htp.host eq "é"\nor off', '2:3', '^^^^^^^^', 'unknown identifier'],
    ['http.host eq "é" x', '1:19', '^', 'unrecognised input'],
  ]

test('faults are shown in the caret form', () => {
  for (const [expression, position, carets, message] of refused) {
    const compiled = compile(expression, scheme)
    assert.ok(!compiled.ok, `accepted: ${expression}`)
    const [line, column] = position.split(':').map(Number) as [number, number]
    const shown = expression.split('\n')[line - 1]!
    const want = `Filter parsing error (${position}):\n${shown}\n${' '.repeat(column - 1)}${carets} ${message}`
    const { diagnostic } = compiled
    const { hint } = diagnostic
    assert.equal(compiled.text, `${want}${hint === undefined ? '' : ` (${hint})`}\n`)
    assert.deepEqual(
      { ...diagnostic, code: undefined, hint: undefined },
      {
        code: undefined,
        hint: undefined,
        message,
        source: 'expression',
        line,
        column,
        length: carets.length,
      },
    )
  }
})

test('a misspelt name gets the nearest known name as a hint', () => {
  const compiled = compile('htp.host eq "a"', scheme)
  assert.ok(!compiled.ok)
  assert.equal(compiled.diagnostic.code, 'unknown-identifier')
  assert.equal(compiled.diagnostic.hint, 'did you mean http.host?')
})

test('an invalid regular expression is underlined', () => {
  const compiled = compile('http.host matches "a(b"', scheme)
  assert.ok(!compiled.ok)
  assert.equal(compiled.diagnostic.code, 'bad-regex')
  assert.equal(compiled.diagnostic.column, 20)
  assert.equal(compiled.diagnostic.length, 3)
  assert.match(compiled.text, /\n {19}\^\^\^ regex parse error: /)
})

test('nesting, length, hashes and arguments stop at their limits', () => {
  const limits: readonly (readonly [name: string, make: (n: number) => string, most: number])[] = [
    ['parentheses', n => `${'('.repeat(n)}ssl${')'.repeat(n)}`, 128],
    ['negations', n => `${'!'.repeat(n)}ssl`, 128],
    ['calls', n => `${'lower('.repeat(n)}http.host${')'.repeat(n)} eq "a"`, 128],
    ['characters', n => `http.host eq "${'é'.repeat(n - 15)}"`, 4096],
    ['hashes', n => `http.host eq r${'#'.repeat(n)}"a"${'#'.repeat(n)}`, 255],
    ['arguments', n => `concat(${Array(n).fill('http.host').join(',')}) eq "a"`, 32],
  ]
  for (const [name, make, most] of limits) {
    for (const [n, want] of [
      [most - 1, true],
      [most, true],
      [most + 1, false],
    ] as const) {
      assert.equal(compile(make(n), scheme).ok, want, `${name}: ${n}`)
    }
  }
  const deep = compile(`${'('.repeat(129)}ssl`, scheme)
  assert.ok(!deep.ok)
  assert.equal(deep.diagnostic.message, 'maximum nesting depth exceeded (limit: 128)')
})
