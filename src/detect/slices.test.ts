import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detectSqli, detectSqliInSlices, detectXss, detectXssInSlices } from './index.ts'
import { detectLimits } from './limits.ts'
import { ordinaryValues } from './testing/ordinary-values.ts'
import { scriptAttacks } from './testing/script-attacks.ts'
import { sqlAttacks } from './testing/sql-attacks.ts'
import { unusualInjections } from './testing/unusual-injections.ts'

/** A pause may come at any byte: between tokens, in a gap of blanks and comments, between attributes. */

function toEnd<Result>(search: Generator<void, Result, void>): Result {
  for (;;) {
    const { done, value } = search.next()
    if (done === true) return value
  }
}

const all = [...sqlAttacks, ...scriptAttacks, ...unusualInjections, ...ordinaryValues]
const values = [
  ...all,
  ...all.map(value => `it's "one" <b c=d>${value}`),
  ...all.map(value => `\0${value.replaceAll(' ', ' /**/ -- \n\t')}`),
]

describe('detectors with pauses return the same result', () => {
  for (const bytes of [1, 2, 7, 40]) {
    it(`SQL, every ${bytes} bytes`, () => {
      for (const value of values)
        assert.equal(toEnd(detectSqliInSlices(value, bytes)), detectSqli(value), value)
    })
    it(`script, every ${bytes} bytes`, () => {
      for (const value of values)
        assert.equal(toEnd(detectXssInSlices(value, bytes)), detectXss(value), value)
    })
  }
})

describe('detectors pause in a long value', () => {
  const long = 256 * 1024
  const units = [' ', '/**/', '--\n', '(', '1,', 'lorem ipsum ', '#', '<a b=c ', '<a ', 'a=b ', '</a ']
  for (const unit of units) {
    it(JSON.stringify(unit), () => {
      const value = unit.repeat(long / unit.length)
      const least = long / detectLimits.sliceBytes / 2
      assert.ok([...detectSqliInSlices(`1 ${value}`)].length >= least, 'SQL')
      if (/[<=]/.test(unit)) assert.ok([...detectXssInSlices(value)].length >= least, 'script')
    })
  }
})
