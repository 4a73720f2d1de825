import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bytesOfText } from '../../kit/bytes.ts'
import { compileRegex } from '../index.ts'

const matcherOf = (pattern: string) => {
  const outcome = compileRegex(bytesOfText(pattern), { dialect: 'rust' })
  assert.ok(outcome.ok, pattern)
  return outcome.matcher
}

const word = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]'

/** Patterns of one character here, and the platform's pattern for the same. */
const characters: readonly (readonly [pattern: string, platform: string, flags?: string])[] = [
  ['.', '[^\\n]'],
  ['(?s).', '[^]'],
  ['\\w', word],
  ['\\W', `(?!${word})[^]`],
  ['\\d', '\\p{Nd}'],
  ['\\S', '\\P{White_Space}'],
  ['\\pL', '\\p{L}'],
  ['\\PL', '\\P{L}'],
  ['\\p{Greek}', '\\p{Script=Greek}'],
  ['\\p{sc=han}', '\\p{Script=Han}'],
  ['\\p{scx=Greek}', '\\p{Script_Extensions=Greek}'],
  ['\\p{gc=Uppercase_Letter}', '\\p{Lu}'],
  ['\\p{General_Category=Nd}', '\\p{Nd}'],
  ['\\p{Script=Han}', '\\p{Script=Han}'],
  ['\\p{Script Extensions=Greek}', '\\p{Script_Extensions=Greek}'],
  ['\\p{uppercase letter}', '\\p{Lu}'],
  ['\\p{^Cyrillic}', '\\P{Script=Cyrillic}'],
  ['\\P{^Cyrillic}', '\\p{Script=Cyrillic}'],
  ['é', 'é'],
  ['\\xe9', 'é'],
  ['\\x{1F600}', '😀'],
  ['[α-ω]', '[α-ω]'],
  ['[^α-ω]', '[^α-ω]'],
  ['[\\p{L}&&[^a-z]]', '(?![a-z])\\p{L}'],
  ['[\\p{Greek}--\\p{Lu}]', '(?!\\p{Lu})\\p{Script=Greek}'],
  ['[a-g~~b-hé]', '[ahé]'],
  ['[[:alpha:]é]', '[A-Za-zé]'],
  ['[]\\-é]', '[\\]\\-é]'],
  ['(?x) [ é # e\n ]', 'é'],
  ['(?i)k', 'k', 'i'],
  ['(?i)é', 'é', 'i'],
  ['(?i)[σ-τ]', '[σ-τ]', 'i'],
  ['(?i)ß', 'ß', 'i'],
  ['(?i)İ', 'İ', 'i'],
  ['(?i)\\p{Lu}', '\\p{Lu}', 'i'],
]

describe('a pattern of one character in Unicode mode matches as on the platform', () => {
  for (const [pattern, platform, flags = ''] of characters)
    it(pattern, () => {
      const matcher = matcherOf(`(?u)^(?:${pattern})$`)
      const expected = new RegExp(`^(?:${platform})$`, `u${flags}`)
      // All alphabets of the first planes, then samples.
      for (let code = 0; code <= 0x10ffff; code += code < 0x2100 ? 1 : 41) {
        if (code >= 0xd800 && code <= 0xdfff) continue
        const text = String.fromCodePoint(code)
        assert.equal(matcher.test(bytesOfText(text)), expected.test(text), code.toString(16))
      }
    })
})

describe('Unicode mode', () => {
  const rows: readonly (readonly [pattern: string, text: string, want: readonly number[] | null])[] = [
    ['(?u)caf.$', 'café', [0, 5]],
    ['caf.$', 'café', null],
    ['(?u).', '\xff', null],
    ['(?u:é)+.', 'ééa', [0, 5]],
    ['(?u)\\w(?-u:.)', 'éa', [0, 3]],
    ['(?u)^\\p{Greek}+', 'αβγ', [0, 6]],
    ['(?u)a|[β-δ]{2}', 'βγ', [0, 4]],
    ['(?iu)ΣΊΣΥΦΟΣ', 'σίσυφος', [0, 14]],
  ]
  for (const [pattern, text, want] of rows)
    it(`${pattern} in ${text}`, () => {
      const input = text === '\xff' ? text : bytesOfText(text)
      assert.deepEqual(matcherOf(pattern).exec(input)?.slice(0, 2) ?? null, want && Int32Array.from(want))
    })

  it('stays within the limit of instructions', () => {
    assert.ok(compileRegex('(?u)\\w{10}', { dialect: 'rust' }).ok)
    const outcome = compileRegex('(?u)\\w{1000}', { dialect: 'rust' })
    assert.ok(!outcome.ok && outcome.error.code === 'too-large')
  })
})
