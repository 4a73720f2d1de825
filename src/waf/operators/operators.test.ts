import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  languageCases,
  languageCasesFolder,
  languageCasesMissing,
} from '../transformations/language-cases.test-support.ts'
import { canonicalOperator, type Macro, type OperatorContext, operators } from './index.ts'

const noFiles: OperatorContext = { readData: () => undefined }

interface Verdict {
  readonly matched: boolean
  readonly captures: readonly (string | undefined)[] | undefined
}

/** @param macros by `collection.key`, as a view would know them */
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
  ['validateUrlEncoding', '', 'a%4', true],
  ['validateUrlEncoding', '', '%', true],
  ['validateUrlEncoding', '', '%4g', true],
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
  ['ipMatch', '10.0.0.0/8', '11.2.3.4', false],
  ['ipMatch', '10.0.0.0/8', 'ten', false],
  ['pm', 'Apple google', 'the GOOGLE bot', true],
  ['pm', 'apple google', 'goo gle', false],
  ['pm', 'a|20 62|c', 'xA Bcx', true],
  ['pm', 'a\\|b', 'a|b', true],
  ['pm', 'win\\dir', 'win\\dir', true],
  ['pm', '( )', 'f)', true],
  ['pm', '\xc9', '\xe9', false],
  ['strmatch', '%{x}', 'a%{x}b', true],
  ['verifySSN', '\\d{9}', '078051120', true],
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
    'TX.list': '|a| |b|',
    'REMOTE_ADDR.': '192.0.2.1',
    'TX.charset': 'utf-8|latin1',
  }
  const cases: [string, string, string, boolean][] = [
    ['gt', '%{tx.max}', '6', true],
    ['gt', '%{TX.MAX}', '5', false],
    ['gt', '%{tx.unset}', '1', true],
    ['within', '%{tx.list} |c|', '|c|', true],
    ['within', '%{tx.list}', '|c|', false],
    ['streq', 'a%{remote_addr}b%{tx:max}', 'a192.0.2.1b5', true],
    ['contains', '%{', 'a%{b', true],
    ['contains', '%{}', 'a%{}b', true],
    ['rx', '^%{tx.charset}$', 'latin1', true],
    ['rx', '^(?:%{tx.charset})$', 'utf-16', false],
    ['rx', '(%{tx.unset}', 'x', false],
  ]
  for (const [name, parameter, value, want] of cases) {
    assert.equal(run(name, parameter, value, macros).matched, want, `@${name} ${parameter} on ${value}`)
  }
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

test('parameters that are wrong are refused with the place', () => {
  const cases: [string, string, number | undefined][] = [
    ['validateByteRange', '9,256', 2],
    ['validateByteRange', '1,9-3', 2],
    ['validateByteRange', '', 0],
    ['ipMatch', '127.0.0.1,10.0.0.0/33', 10],
    ['pm', 'a |4g|', 2],
    ['pm', 'a |41', 2],
    ['pm', '  ', undefined],
    ['pmFromFile', 'a.data none.data', 7],
    ['pmFromFile', '', 0],
    ['ipMatchFromFile', 'none.data', 0],
  ]
  const context: OperatorContext = { readData: name => (name === 'a.data' ? 'a' : undefined) }
  for (const [name, parameter, offset] of cases) {
    const outcome = operators.get(name)!(parameter, context)
    assert.equal(outcome.ok, false, `${name} ${parameter}`)
    if (!outcome.ok) assert.equal(outcome.offset, offset, `${name} ${parameter}`)
  }
  const broken = operators.get('rx')!('a(b', noFiles)
  assert.equal(broken.ok, false)
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

test('captures of phrases from files, as the file writes them', () => {
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
  assert.equal(run('verifyCC', '\\d{13,16}', digits).matched, false)
})
