import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asciiLower } from '../../kit/ascii.ts'
import { ByteSet } from '../../regex/index.ts'
import { randomFrom } from '../../regex/testing/patterns.ts'
import { highFacts, highKind, kindsOf, lowKind, noKinds, upperCase } from './byte-kinds.ts'

function kindsIn(text: string): { low: number; high: number } {
  let low = 0
  let high = 0
  for (const byte of text) {
    low |= lowKind[byte.charCodeAt(0)]!
    high |= highKind[byte.charCodeAt(0)]!
  }
  return { low, high }
}

const bits = (number: number): number => number.toString(2).replace(/[^1]/g, '').length

describe('kinds of bytes', () => {
  it('each byte has one, and both cases of a letter have the same', () => {
    for (let code = 0; code < 256; code++) {
      assert.equal(bits(lowKind[code]! >>> 0) + bits(highKind[code]! >>> 0), 1, `byte ${code}`)
      const lower = asciiLower(String.fromCharCode(code)).charCodeAt(0)
      assert.deepEqual([lowKind[code], highKind[code]], [lowKind[lower], highKind[lower]])
    }
  })

  it('a scan also sees which bytes are upper-case letters', () => {
    for (let code = 0; code < 256; code++) {
      const isUpper = asciiLower(String.fromCharCode(code)) !== String.fromCharCode(code)
      assert.equal(highFacts[code], highKind[code]! | (isUpper ? upperCase : 0), `byte ${code}`)
      assert.equal(highKind[code]! & upperCase, 0)
    }
  })

  it('each ASCII sign has a separate one', () => {
    const signs = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
    for (const sign of signs) {
      const { low, high } = kindsIn(sign)
      for (let code = 0; code < 256; code++) {
        if (code === sign.charCodeAt(0)) continue
        assert.equal((lowKind[code]! & low) | (highKind[code]! & high), 0, `${sign} and byte ${code}`)
      }
    }
  })

  it('a text with a member has one of the kinds of the set', () => {
    const random = randomFrom(3)
    for (let round = 0; round < 2000; round++) {
      const set = ByteSet.of(Array.from({ length: random(12) }, () => random(256)))
      const text = String.fromCharCode(...Array.from({ length: random(20) }, () => random(256)))
      const kinds = kindsOf(set)
      const common = (kinds.low & kindsIn(text).low) | (kinds.high & kindsIn(text).high)
      if ([...text].some(byte => set.has(byte.charCodeAt(0)))) assert.notEqual(common, 0)
    }
    assert.deepEqual(kindsOf(new ByteSet()), noKinds)
  })
})
