import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Random, randomFrom } from '../../regex/testing/patterns.ts'
import {
  addRule,
  addRules,
  hasRule,
  hasRuleBetween,
  newRuleBits,
  nextOf,
  type RuleBits,
} from './rule-bits.ts'

/** Sizes around the bounds of a word. */
const sizes = [1, 29, 30, 31, 59, 60, 61, 95]

function randomSet(size: number, random: Random): { bits: RuleBits; members: boolean[] } {
  const oneIn = 1 + random(20)
  const members = Array.from({ length: size }, () => random(oneIn) === 0)
  const bits = newRuleBits(size)
  for (const [index, isIn] of members.entries()) if (isIn) addRule(bits, index)
  return { bits, members }
}

describe('sets of rules', () => {
  it('know their members', () => {
    for (const size of sizes) {
      const { bits, members } = randomSet(size, randomFrom(size))
      assert.deepEqual(
        members.map((_, index) => hasRule(bits, index)),
        members,
      )
    }
  })

  it('take over the members of others', () => {
    for (const size of sizes) {
      const random = randomFrom(size)
      const { bits, members } = randomSet(size, random)
      const more = randomSet(size, random)
      addRules(bits, more.bits)
      assert.deepEqual(
        members.map((_, index) => hasRule(bits, index)),
        members.map((isIn, index) => isIn || more.members[index]),
      )
    }
  })

  it('find the next member, and whether there is one in between', () => {
    for (const size of sizes) {
      const random = randomFrom(size)
      for (let round = 0; round < 20; round++) {
        const [a, b, c, d] = Array.from({ length: 4 }, () => randomSet(size, random))
        const both = a!.members.map(
          (isIn, index) => isIn && (b!.members[index]! || (c!.members[index]! && d!.members[index]!)),
        )
        for (let from = 0; from <= size; from++) {
          const next = nextOf(from, a!.bits, b!.bits, c!.bits, d!.bits)
          assert.equal(next, both.indexOf(true, from), `${from} of ${size}`)
          const end = from + random(size + 1 - from)
          assert.equal(hasRuleBetween(a!.bits, from, end), a!.members.slice(from, end).includes(true))
        }
      }
    }
  })
})
