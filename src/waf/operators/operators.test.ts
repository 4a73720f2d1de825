import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MatchLimitError } from '../../regex/index.ts'
import { wafLimits } from '../limits.ts'
import { languageCases, languageCasesFolder, languageCasesMissing } from '../testing/language-cases.ts'
import { canonicalOperator, type Macro, type OperatorContext, operators } from './index.ts'

const noFiles: OperatorContext = { readData: () => undefined }

interface Verdict {
  readonly matched: boolean
  readonly captures: readonly (string | undefined)[] | undefined
}

/** @param macros by `collection.key`, as in a view */
function run(
  name: string,
  parameter: string,
  value: string,
  macros: Record<string, string> = {},
  context = noFiles,
): Verdict {
  const outcome = operators.get(name)!(parameter, context)
  assert.ok(outcome.ok, outcome.ok ? '' : `${name} ${parameter}: ${outcome.message}`)
  const { operator } = outcome
  const view = {
    expand: (macro: Macro) => macros[`${macro.collection}.${macro.key ?? ''}`] ?? '',
    limitReached: () => {},
  }
  const matched = operator.test(value, view)
  const captures = matched ? operator.groups?.(value, view) : undefined
  return { matched, captures }
}

const rows: [name: string, parameter: string, value: string, want: boolean][] = [
  ['eq', '10', ' +10x', true],
  ['eq', '-3', '\t-3', true],
  ['eq', '0', '- 3', true],
  ['lt', '5', '4', true],
  ['lt', '5', '5', false],
  ['le', '5', '5', true],
  ['le', '5', '6', false],
  ['gt', '5', '6', true],
  ['gt', '5', '5', false],
  ['ge', '5', '5', true],
  ['ge', '5', '4', false],
  ['gt', '4294967295', '99999999999999999999999', true],
  ['eq', '9007199254740991', '9'.repeat(500), true],
  ['streq', 'a', 'A', false],
  ['streq', '', '', true],
  ['streq', '', 'a', false],
  ['within', '|text/xml| |application/json|', '|text/xml|', true],
  ['within', '|text/xml|', '|text|', false],
  ['endsWith', 'bc', 'abc', true],
  ['endsWith', 'bc', 'c', false],
  ['endsWith', '', 'x', true],
  ['containsWord', 'cat', 'a cat.', true],
  ['containsWord', 'cat', 'concat cats cat_ 1cat', false],
  ['containsWord', 'cat', 'catcat cat', true],
  ['containsWord', 'aa', 'aaa', false],
  ['validateByteRange', '9,10,13,32-126', 'plain\ttext', false],
  ['validateByteRange', '9,10,13,32-126', 'a\x7f', true],
  ['validateByteRange', '32-126', '\x1f', true],
  ['validateByteRange', '1-255', '', false],
  ['validateByteRange', ' 1 - 255 ', '\0', true],
  ['validateUrlEncoding', '', 'a%41', false],
  ['validateUrlEncoding', '', '%00%0a%f0', false],
  ['validateUrlEncoding', '', 'a%4', true],
  ['validateUrlEncoding', '', '%', true],
  ['validateUrlEncoding', '', '%4g', true],
  ['validateUrlEncoding', '', 'a%g4', true],
  ['validateUrlEncoding', '', '%00%4', true],
  ['validateUtf8Encoding', '', 'a\xc3\xa9\xf0\x9f\x98\x80', false],
  ['validateUtf8Encoding', '', '\xc3', true],
  ['validateUtf8Encoding', '', '\xc3a', true],
  ['validateUtf8Encoding', '', '\x80', true],
  ['validateUtf8Encoding', '', '\xc0\xaf', true],
  ['validateUtf8Encoding', '', '\xe0\x9f\xbf', true],
  ['validateUtf8Encoding', '', '\xe0\xa0\x80', false],
  ['validateUtf8Encoding', '', '\xed\x9f\xbf', false],
  ['validateUtf8Encoding', '', '\xed\xa0\x80', true],
  ['validateUtf8Encoding', '', '\xf4\x8f\xbf\xbf', false],
  ['validateUtf8Encoding', '', '\xf4\x90\x80\x80', true],
  ['validateUtf8Encoding', '', '\xf5\x80\x80\x80', true],
  ['ipMatch', '127.0.0.1,::1', '127.0.0.1', true],
  ['ipMatch', '127.0.0.1, ::1', '0:0:0:0:0:0:0:1', true],
  ['ipMatch', '10.0.0.0/8', '::ffff:10.2.3.4', true],
  ['ipMatch', '::ffff:10.0.0.0/104', '10.2.3.4', true],
  ['ipMatch', '::ffff:10.0.0.0/104', '11.2.3.4', false],
  ['ipMatch', '::ffff:0:0/96', '192.0.2.1', true],
  ['ipMatch', '::ffff:0:0/90', '::1', false],
  ['ipMatch', '::ffff:0:0/64', '::1', true],
  ['ipMatch', '10.0.0.0/8', '11.2.3.4', false],
  ['ipMatch', '10.0.0.0/8', 'ten', false],
  ['pm', 'Apple google', 'the GOOGLE bot', true],
  ['pm', 'apple google', 'goo gle', false],
  ['pm', 'a|20 62|c', 'xA Bcx', true],
  ['pm', 'a\\|b', 'a|b', true],
  ['pm', 'win\\dir', 'win\\dir', true],
  ['pm', '( )', 'f)', true],
  ['pm', '\xc9', '\xe9', false],
  ['pm', 'apple zoo', 'ZOO', true],
  ['pm', 'apple zoo', 'APPLE', true],
  ['strmatch', '%{x}', 'a%{x}b', true],
  ['verifySSN', '\\d{9}', '078051120', true],
  ['verifySSN', '\\d{9}', '0780511200', true],
  ['verifySSN', '\\d{9}', 'x 666051120', false],
  ['verifySSN', '\\d{9}', '740051120', false],
  ['verifySSN', '\\d{9}', '739051120', true],
  ['verifySSN', '\\d{9}', '078011120', true],
  ['verifySSN', '\\d{9}', '078000120', false],
  ['verifySSN', '\\d{9}', '078050000', false],
  ['verifySSN', '\\d{9}', '111111111', false],
  ['verifySSN', '\\d{9}', '123456789', false],
  ['verifySSN', '\\d{3}-\\d{2}-\\d{4}', '078-05-1120', true],
  ['verifyCC', '\\d{13,16}', '4111111111111111', true],
  ['verifyCC', '^\\d{16}$', '4111111111111112', false],
  ['verifySSN', '\\d{9}', '001010001', true],
  ['verifyCC', '^\\d+$', '4111111111111111110', true],
  ['verifySSN', '\\d{9}', '000051120', false],
  ['verifyCC', '^\\d+$', '41111111111111111115', false],
  ['verifyCC', '[a-z]+', 'abc', false],
  ['noMatch', '', 'x', false],
  ['rbl', 'list.example', '127.0.0.2', false],
  ['geoLookup', '', '127.0.0.1', false],
]

test('verdicts', () => {
  for (const [name, parameter, value, want] of rows) {
    assert.equal(
      run(name, parameter, value).matched,
      want,
      `@${name} ${parameter} on ${JSON.stringify(value)}`,
    )
  }
})

test('macros are expanded for each request', () => {
  const macros = {
    'TX.max': '5',
    'TX.a.b': 'dotted',
    'TX.long': 'a'.repeat(wafLimits.expandedPatternBytesMax),
    'TX.list': '|a| |b|',
    'REMOTE_ADDR.': '192.0.2.1',
    'TX.charset': 'utf-8|latin1',
  }
  const cases: [string, string, string, boolean][] = [
    ['gt', '%{tx.max}', '6', true],
    ['eq', '%{tx.max}', '5', true],
    ['gt', '%{TX.MAX}', '5', false],
    ['gt', '%{tx.unset}', '1', true],
    ['within', '%{tx.list} |c|', '|c|', true],
    ['within', '%{tx.list}', '|c|', false],
    ['streq', 'a%{remote_addr}b%{tx:max}', 'a192.0.2.1b5', true],
    ['contains', '%{', 'a%{b', true],
    ['contains', '%{}', 'a%{}b', true],
    ['contains', '%{}', 'ab', false],
    ['gt', '%{tx.max}', ' 6x', true],
    ['streq', '%{tx.a.b}', 'dotted', true],
    ['rx', '%{tx.long}', 'a', false],
    ['rx', '^%{tx.charset}$', 'latin1', true],
    ['rx', '^(?:%{tx.charset})$', 'utf-16', false],
    ['rx', '(%{tx.unset}', 'x', false],
  ]
  for (const [name, parameter, value, want] of cases) {
    assert.equal(run(name, parameter, value, macros).matched, want, `@${name} ${parameter} on ${value}`)
  }
  assert.throws(() => run('rx', '%{tx.long}a', 'a', macros), MatchLimitError)
})

test('the macros of a parameter are known', () => {
  for (const name of ['gt', 'streq', 'rx']) {
    const outcome = operators.get(name)!('%{tx.Max}-%{REMOTE_ADDR}', noFiles)
    assert.ok(outcome.ok)
    const { macros } = outcome.operator
    assert.deepEqual(macros, [
      { collection: 'TX', key: 'max' },
      { collection: 'REMOTE_ADDR', key: undefined },
    ])
  }
  assert.deepEqual(run('rx', '(%{tx.x}+)c', 'abbc', { 'TX.x': 'b' }).captures, ['bbc', 'bb'])
})

test('captures', () => {
  assert.deepEqual(run('rx', '(a)|(b)', 'xb').captures, ['b', undefined, 'b'])
  assert.deepEqual(run('rx', '(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)', 'abcdefghijkl').captures?.length, 10)
  assert.equal(run('rx', 'c', 'ab').captures, undefined)
  for (const [pattern, value, captures] of [
    ['^.*$', 'a\nb', ['a\nb']],
    ['^[^$]+$', 'ab', ['ab']],
    ['^$', '', ['']],
    ['^a$|b', 'ab', ['b']],
    ['^a|b$', 'ac', ['a']],
    ['^?b$', 'ab', ['b']],
    ['^(?:a|ab)$', 'ab', ['ab']],
    ['^a\\$', 'a$b', ['a$']],
    ['^a\\$$', 'a$', ['a$']],
  ] as const)
    assert.deepEqual(run('rx', pattern, value).captures, captures, pattern)
  assert.deepEqual(run('rxGlobal', '[a-z]', 'abcdefghijkl').captures, [...'abcdefghij'])
  assert.deepEqual(run('pm', 'Apple', 'an aPPle').captures, ['Apple'])
  assert.deepEqual(run('detectXSS', '', '<script>alert(1)</script>').captures, ['<script>alert(1)</script>'])
  assert.equal(
    typeof run('detectSQLi', '', 'ascii(substring(version() from 1 for 1))').captures?.[0],
    'string',
  )
  assert.deepEqual(run('verifySSN', '\\d{9}', 'x 078051120').captures, ['078051120'])
  assert.deepEqual(run('verifyCC', '\\d{13,16}', 'x 95484605089158216').captures, ['5484605089158216'])
})

test('invalid parameters are refused with the position', () => {
  const cases: [name: string, parameter: string, offset?: number, length?: number][] = [
    ['validateByteRange', '9,256', 2, 3],
    ['validateByteRange', '1,9-3', 2, 3],
    ['validateByteRange', '', 0, 0],
    ['ipMatch', '127.0.0.1,10.0.0.0/33', 10, 11],
    ['ipMatch', 'x,x', 0, 1],
    ['ipMatch', '::ffff:0:0/x90', 0, 14],
    ['pm', 'a |4g|', 2],
    ['pm', 'a |41', 2],
    ['pm', 'a ||', 2],
    ['pm', '  '],
    ['pm', 'a '.repeat(wafLimits.phrasesMax + 1)],
    ['pm', 'a'.repeat(wafLimits.phraseBytesMax + 1)],
    ['pmFromFile', 'a.data none.data', 7, 9],
    ['pmFromFile', '', 0],
    ['ipMatchFromFile', ' none.data ', 1, 9],
    ['rx', 'a(b', 1, 1],
    ['verifyCC', 'a(b', 1, 1],
  ]
  const context: OperatorContext = { readData: name => (name === 'a.data' ? 'a' : undefined) }
  for (const [name, parameter, offset, length] of cases) {
    const outcome = operators.get(name)!(parameter, context)
    const shown = `${name} ${parameter.slice(0, 40)}`
    assert.ok(!outcome.ok, shown)
    assert.match(outcome.message, /\w/, shown)
    assert.deepEqual([outcome.offset, outcome.length], [offset, length], shown)
  }
  for (const parameter of ['a '.repeat(wafLimits.phrasesMax), 'a'.repeat(wafLimits.phraseBytesMax)])
    assert.equal(operators.get('pm')!(parameter, noFiles).ok, true)
})

test('files', () => {
  const files: Record<string, string> = {
    'a.data': '# no\r\n\r\n  two words \r\n.git/\r\n',
    'b.data': 'other',
    'ip.data': '# office\n192.0.2.0/24\n\n2001:db8::/32\n',
  }
  const context: OperatorContext = { readData: name => files[name] }
  const cases: [string, string, string, boolean][] = [
    ['pmFromFile', 'a.data', 'x TWO WORDS', true],
    ['pmf', 'a.data  b.data', 'another', true],
    ['pmf', 'a.data  b.data', 'no more', false],
    ['pmFromFile', 'a.data', 'no', false],
    ['ipMatchFromFile', 'ip.data', '192.0.2.9', true],
    ['ipMatchF', 'ip.data', '2001:db9::', false],
  ]
  for (const [name, parameter, value, want] of cases) {
    assert.equal(run(name, parameter, value, {}, context).matched, want, `@${name} ${parameter} on ${value}`)
  }
})

test("captures of phrases from files, in the file's spelling", () => {
  const context: OperatorContext = { readData: () => '# phrases\nTwo Words\n' }
  for (const name of ['pmFromFile', 'pmf'])
    assert.deepEqual(run(name, 'a.data', 'x two words', {}, context).captures, ['Two Words'], name)
})

test('language cases', { skip: languageCasesMissing }, () => {
  const file = join(languageCasesFolder, 'operators/op/pmFromFile-01.dat')
  const context: OperatorContext = { readData: () => readFileSync(file, 'latin1') }
  for (const row of languageCases('operators')) {
    const name = canonicalOperator(row.name)!
    const outcome = operators.get(name)!(row.param ?? '', context)
    // Lookaheads may be refused: not every one of them can be matched in linear time.
    if (!outcome.ok && row.param?.includes('(?!')) continue
    const verdict = run(name, row.param ?? '', row.input, {}, context)
    assert.equal(verdict.matched, row.ret === 1, `@${name} ${row.param} on ${JSON.stringify(row.input)}`)
    if (row.re_groups === undefined) continue
    // The cases name the first groups, not always all of them.
    assert.deepEqual(verdict.captures?.slice(0, row.re_groups.length), row.re_groups)
  }
})

test('names are found in any case', () => {
  assert.equal(canonicalOperator('VERIFYSSN'), 'verifySSN')
  assert.equal(canonicalOperator('unknown'), undefined)
})

test('verifyCC gives up on hostile input within its budget', () => {
  const digits = '1'.repeat(200_000)
  assert.throws(() => run('verifyCC', '\\d{13,16}', digits), MatchLimitError)
  assert.equal(run('verifyCC', '\\d{13,16}', digits.slice(0, 100)).matched, false)
})
