import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asciiLower } from '../../kit/ascii.ts'
import { type Random, randomFrom } from '../../regex/testing/patterns.ts'
import { wafLimits } from '../limits.ts'
import { buildLiteralAutomaton, columns, type LiteralAutomaton, rowShift } from './literal-automaton.ts'

type Groups = readonly (readonly string[])[]

/** Groups whose literals the automaton finds in the text, as the prefilter runs it. */
function met({ next, firstEnd, ends, endsFrom }: LiteralAutomaton, text: string): number[] {
  const found = new Set<number>()
  let state = 0
  for (let i = 0; i < text.length; i++) {
    state = next[(state << rowShift) + columns[text.charCodeAt(i)]!]!
    if (state < firstEnd) continue
    const end = state - firstEnd
    for (const group of ends.subarray(endsFrom[end], endsFrom[end + 1])) found.add(group)
  }
  return [...found].sort((a, b) => a - b)
}

/** Each byte replaced by its column, which is all that the automaton sees. */
function inColumns(text: string): string {
  return Array.from(text, byte => String.fromCharCode(columns[byte.charCodeAt(0)]!)).join('')
}

function searched(groups: Groups, text: string): number[] {
  const inText = inColumns(text)
  return [...groups.keys()].filter(group =>
    groups[group]!.some(literal => inText.includes(inColumns(literal))),
  )
}

const byte = (random: Random): string => {
  const few = 'abcABxy01 /.<\xe9\0'
  return random(3) === 0 ? String.fromCharCode(random(256)) : few[random(few.length)]!
}

const text = (random: Random, length: number): string => Array.from({ length }, () => byte(random)).join('')

describe('the automaton of literals', () => {
  it('finds the same as a search for each literal', () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = randomFrom(seed)
      const groups = Array.from({ length: 1 + random(20) }, () =>
        Array.from({ length: 1 + random(4) }, () => asciiLower(text(random, 1 + random(5)))),
      )
      const automaton = buildLiteralAutomaton(groups)
      assert.deepEqual([...automaton.left], [])
      for (let times = 0; times < 10; times++) {
        let value = text(random, random(30))
        if (random(2) === 0) value += groups[random(groups.length)]![0]! + text(random, random(3))
        assert.deepEqual(met(automaton, value), searched(groups, value), JSON.stringify({ groups, value }))
      }
    }
  })

  it('ignores the case of letters, and distinguishes other signs', () => {
    const groups = [['script'], ['a.b'], ['-1'], ['<a'], ['\xe9x'], ['12']]
    const automaton = buildLiteralAutomaton(groups)
    const rows: [value: string, want: number[]][] = [
      ['ScRiPt', [0]],
      ['scrip t', []],
      ['a.b A.B', [1]],
      ['aXb', []],
      ['--1', [2]],
      ['<A', [3]],
      ['[a', []],
      ['\xe9X', [4]],
      ['12', [5]],
      ['11', []],
      ['', []],
    ]
    for (const [value, want] of rows) assert.deepEqual(met(automaton, value), want, value)
  })

  it('has a column for each letter, each digit below 7, and each sign that is frequent in texts', () => {
    const apart = 'abcdefghijklmnopqrstuvwxyz0123456 $%&\'()+,-./:;<=>?\\_8[]"*!#\n\x80\xc3\xe2'
    const seen = new Set(Array.from(apart, sign => columns[sign.charCodeAt(0)]))
    assert.equal(seen.size, apart.length)
    for (let code = 0; code < 256; code++) {
      assert.ok(columns[code]! < 1 << rowShift)
      const other = asciiLower(String.fromCharCode(code)).charCodeAt(0)
      assert.equal(columns[code], columns[other])
    }
  })

  it('leaves out groups beyond its limit, and finds all others', () => {
    const random = randomFrom(5)
    const count = Math.ceil(wafLimits.literalStatesMax / 6)
    const groups = Array.from({ length: count }, () => [
      String.fromCharCode(...Array.from({ length: 12 }, () => 0x61 + random(26))),
    ])
    const automaton = buildLiteralAutomaton(groups)
    assert.ok(automaton.left.size > 0)
    for (let group = 0; group < count; group += 97) {
      if (automaton.left.has(group)) continue
      assert.ok(met(automaton, groups[group]![0]!).includes(group))
    }
  })
})
