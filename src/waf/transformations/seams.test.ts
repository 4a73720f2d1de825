import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Seam } from './pieces.ts'
import {
  anywhere,
  behindOther,
  betweenCharacters,
  everyBytes,
  outsideBackslashEscape,
  outsideComment,
  outsideEntity,
  outsideHexLiteral,
  outsidePercentEscape,
} from './seams.ts'

/** `|` shows the wanted position of a cut, `^` the position found; without `^` both are the same. */
const rows: readonly (readonly [seam: Seam, ...values: string[]])[] = [
  [anywhere, 'ab|cd', '%4|1'],
  [everyBytes(3), 'abc|de', 'abc^d|e', 'abc^de|fg'],
  [outsidePercentEscape, 'abcdef|g', 'ab^%u004|1', 'a%u0041|b', '^%|41', 'a^%4|1'],
  [outsideBackslashEscape, 'abcdef|g', 'a^\\x4|1', 'a^\\00004|1', 'a\\000041 |b', 'a^\\\\|n', 'a\\\\^\\|n'],
  [outsideEntity, 'ab cd, |e', 'a^&#x4|1;', 'a^&am|p;', 'a&amp;|b', '^&|lt'],
  [outsideHexLiteral, 'say |g', 'say ^0x4|1', 'say ^0|x41', 'so0x41g|1'],
  [betweenCharacters, 'ab|c', 'a^\xc3|\xa9', 'a^\xf0\x9f\x98|\x80', 'a\xc3\xa9|b'],
  [behindOther(' \t'), 'ab|cd', 'ab^ \t|c'],
  [outsideComment, 'ab|cd', 'a^/* b|*/', 'a/* b */|c', 'a/**/^/|*', 'a^/|* b */', '^/*/|*/'],
]

test('a value is cut outside of constructs, as late as possible', () => {
  for (const [seam, ...values] of rows)
    for (const shown of values) {
      const value = shown.replace('|', '').replace('^', '')
      const at = shown.replace('^', '').indexOf('|')
      const want = shown.includes('^') ? shown.replace('|', '').indexOf('^') : at
      assert.equal(seam(value, 0, 0, at), want, shown)
    }
})
