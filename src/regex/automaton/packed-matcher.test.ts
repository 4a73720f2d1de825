import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PackReader, PackWriter } from '../../kit/packing.ts'
import { compileRegex, packMatcher, unpackMatcher } from '../compile.ts'
import type { Matcher } from '../matcher.ts'

function compiled(pattern: string): Matcher {
  const outcome = compileRegex(pattern, { dialect: 'pcre' })
  assert.ok(outcome.ok, pattern)
  return outcome.matcher
}

function packed(matcher: Matcher): Matcher {
  const pack = new PackWriter()
  packMatcher(matcher, pack)
  return unpackMatcher(matcher.source, new PackReader(pack.written()))
}

const patterns = [
  '',
  'abc',
  '(?i)a(b)?[c-e]{2,3}',
  '^(?:a|bc)*$',
  'a\\Z',
  '\\bword\\b|\\Bx',
  '(?m)^line$',
  '(a+?)(b*)c',
  'a(?=b)(.)',
  'a(?!bc|d)',
  '(?<=ab|c)d',
  '(?>a+)b',
  'a++b',
  '(ab|c)\\1',
  '[^\\x00-\\x7f]',
]
const inputs = [
  '',
  'abc',
  'aBcDe',
  'bca',
  'a\n',
  'a word x',
  'x\nline\ny',
  'aabbc',
  'abd',
  'cd',
  'aaab',
  'cc',
  '\xe9',
]

test('an unpacked matcher finds the same as the packed one, including captures', () => {
  for (const pattern of patterns) {
    const made = compiled(pattern)
    const read = packed(made)
    assert.deepEqual([read.source, read.groups], [made.source, made.groups])
    for (const input of inputs) {
      assert.equal(read.test(input), made.test(input), `${pattern} in ${JSON.stringify(input)}`)
      for (let from = 0; from <= input.length; from++)
        assert.deepEqual(
          read.exec(input, from),
          made.exec(input, from),
          `${pattern} in ${input} from ${from}`,
        )
    }
  }
})

test('it has no requirements, and can be packed again', () => {
  const read = packed(compiled('union select'))
  assert.deepEqual(read.requirements, [])
  assert.equal(packed(read).test('a union select b'), true)
})
