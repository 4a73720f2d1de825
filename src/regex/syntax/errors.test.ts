import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileRegex, type RegexError, type RegexOptions } from '../index.ts'

type Row = readonly [pattern: string, code: RegexError['code'], offset: number, length: number]

const shared: readonly Row[] = [
  ['a)', 'syntax', 1, 1],
  ['(a', 'syntax', 0, 1],
  ['a(b(c)', 'syntax', 1, 1],
  ['(?:a', 'syntax', 0, 1],
  ['(?', 'syntax', 0, 2],
  ['(?i', 'syntax', 0, 3],
  ['a(?k)', 'syntax', 1, 3],
  ['*a', 'syntax', 0, 1],
  ['a|+', 'syntax', 2, 1],
  ['(?i)*', 'syntax', 4, 1],
  ['{2}', 'syntax', 0, 3],
  ['a{2,1}', 'syntax', 1, 5],
  ['a{1001}', 'too-large', 1, 6],
  ['a{0,1001}', 'too-large', 1, 8],
  ['a\\', 'syntax', 1, 1],
  ['[a', 'syntax', 0, 1],
  ['a[', 'syntax', 1, 1],
  ['[]', 'syntax', 0, 1],
  ['[^]', 'syntax', 0, 1],
  ['[a-', 'syntax', 0, 1],
  ['[z-a]', 'syntax', 1, 3],
  ['(?<1>a)', 'syntax', 0, 5],
  ['(?<n>a)(?P<n>b)', 'syntax', 7, 6],
  ['(?<n', 'syntax', 0, 3],
  ['\\p{Greek}', 'unsupported', 0, 2],
  ['a\\PL', 'unsupported', 1, 2],
  ['(?R)', 'unsupported', 0, 3],
  ['(?P=n)', 'unsupported', 0, 3],
]

const pcre: readonly Row[] = [
  ['(?u)a', 'unsupported', 0, 3],
  ['(?u:a)', 'unsupported', 0, 3],
  ['(a)\\2', 'syntax', 3, 2],
  ['\\1', 'syntax', 0, 2],
  ['\\9(a)', 'syntax', 0, 2],
  ['\\80', 'syntax', 0, 3],
  ['\\k<n>', 'syntax', 0, 5],
  ['(a)\\g{0}', 'syntax', 3, 5],
  ['(a)\\g{-1}', 'unsupported', 3, 2],
  ['(a)\\k', 'unsupported', 3, 2],
  ["(?'n'a)\\g<n>", 'unsupported', 7, 2],
  ['(?<=a*)b', 'unsupported', 0, 7],
  ['a(?<!b|c+)', 'unsupported', 1, 9],
  ['(?<=(a|bc))d', 'unsupported', 0, 11],
  ['(a)(?<=\\1)', 'unsupported', 3, 7],
  ['(?|a)', 'unsupported', 0, 3],
  ['(?(1)a)', 'unsupported', 0, 3],
  ['(?&n)', 'unsupported', 0, 3],
  ['(?1)', 'unsupported', 0, 3],
  ['(*COMMIT)', 'syntax', 1, 1],
  ['a(?#b', 'syntax', 1, 3],
  ['\\Ka', 'unsupported', 0, 2],
  ['\\R', 'unsupported', 0, 2],
  ['\\X', 'unsupported', 0, 2],
  ['\\C', 'unsupported', 0, 2],
  ['\\G', 'unsupported', 0, 2],
  ['\\u0041', 'unsupported', 0, 2],
  ['\\x{100}', 'syntax', 0, 7],
  ['\\400', 'syntax', 0, 4],
  ['\\c', 'syntax', 0, 2],
  ['[\\Qa\\E]', 'unsupported', 1, 2],
  ['[[:foo:]]', 'syntax', 1, 7],
]

const rust: readonly Row[] = [
  ['(?u)[\\b]', 'syntax', 5, 2],
  ['(?=a)', 'unsupported', 0, 3],
  ['a(?!b)', 'unsupported', 1, 3],
  ['(?<=a)', 'unsupported', 0, 4],
  ['(?<!a)', 'unsupported', 0, 4],
  ['(?>a)', 'unsupported', 0, 3],
  ['(a)\\1', 'unsupported', 3, 2],
  ['\\0', 'unsupported', 0, 2],
  ['(?#a)', 'syntax', 0, 3],
  ["(?'n'a)", 'syntax', 0, 3],
  ['a{', 'syntax', 1, 1],
  ['a{,2}', 'syntax', 1, 1],
  ['a{x}', 'syntax', 1, 1],
  ['{', 'syntax', 0, 1],
  ['(?)', 'syntax', 0, 3],
  ['(?-)', 'syntax', 0, 4],
  ['(?i-:a)', 'syntax', 0, 5],
  ['(?ii)', 'syntax', 0, 4],
  ['(?-u-i)', 'syntax', 0, 5],
  ['(?u)\\p{Klingon}', 'unsupported', 4, 11],
  ['(?u)\\p{Greek', 'unsupported', 4, 3],
  ['(?u)\\bword', 'unsupported', 4, 2],
  ['(?u)[\xc3\xa9-\\d]', 'syntax', 5, 5],
  ['(?u)[z-a]', 'syntax', 5, 3],
  ['(?u)[a', 'syntax', 4, 1],
  ['(?u)[\\b]', 'syntax', 5, 2],
  ['(?u:a)[\xc3\xa9]', 'unsupported', 7, 1],
  ...[...'ehgkoyCEGHKLNQRVXZ'].map(letter => [`a\\${letter}`, 'syntax', 1, 2] as const),
  ['\\\xc3\xa9', 'syntax', 0, 2],
  ['\\x4', 'syntax', 0, 2],
  ['\\u004', 'syntax', 0, 2],
  ['\\x{110000}', 'syntax', 0, 10],
  ['\\x{d800}', 'syntax', 0, 8],
  ['\\x{dfff}', 'syntax', 0, 8],
  ['[\xc3\xa9]', 'unsupported', 1, 1],
  ['[\\x{e9}]', 'unsupported', 1, 6],
  ['[\\b]', 'syntax', 1, 2],
  ['[\\<]', 'syntax', 1, 2],
  ['[a-\\d]', 'syntax', 1, 4],
  ['[\\d-z]', 'syntax', 1, 2],
  ['[a[b]', 'syntax', 0, 1],
  ['[a[b', 'syntax', 2, 1],
]

function check(dialect: RegexOptions['dialect'], rows: readonly Row[]): void {
  for (const [pattern, code, offset, length] of rows)
    it(JSON.stringify(pattern), () => {
      const outcome = compileRegex(pattern, { dialect })
      assert.ok(!outcome.ok)
      const { error } = outcome
      assert.deepEqual([error.code, error.offset, error.length], [code, offset, length], error.message)
      assert.notEqual(error.message, '')
    })
}

for (const dialect of ['pcre', 'rust'] as const)
  describe(`${dialect} refuses, as the other`, () => check(dialect, shared))
describe('pcre refuses', () => check('pcre', pcre))
describe('rust refuses', () => check('rust', rust))
