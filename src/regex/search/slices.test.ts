import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildNfa } from '../automaton/nfa.ts'
import { compileRegex, type Matcher } from '../index.ts'
import { parsePattern } from '../syntax/parse.ts'
import { BacktrackingSearch } from './backtrack.ts'

/** Long inputs: the search pauses, and finds the same. */

const length = 200_000
const anyByte = new Uint8Array(256).fill(1)

function matcherOf(pattern: string): Matcher {
  const compiled = compileRegex(pattern, { dialect: 'pcre' })
  assert.ok(compiled.ok, pattern)
  return compiled.matcher
}

function paused<Result>(search: Generator<void, Result, void>): { result: Result; pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = search.next()
    if (done === true) return { result: value, pauses }
  }
}

describe('captures of a long input', () => {
  const rows: readonly (readonly [pattern: string, input: string])[] = [
    ['(a+)(b)?', 'a'.repeat(length)],
    ['x(.*)y', `${'-'.repeat(length)}x${'z'.repeat(length)}y`],
    ['(?:(a)|(b)|(c))+$', 'abc'.repeat(length / 3)],
    ['(a|ab)(c|bcd)(d*)!', `${'abcd'.repeat(length / 4)}!`],
    // The end decides about the beginning: too many sets for tables, so that all threads run in step.
    ['(.*)(?:a.{14}b|b.{13}c)(.*)', randomLetters(length / 20)],
    ['(?=(a+)b)a', `${'a'.repeat(2000)}c${'a'.repeat(2000)}b`],
    ['(?:(?!x)(a|b))*+(c)', 'ab'.repeat(length / 20)],
  ]
  for (const [pattern, input] of rows) {
    it(pattern, () => {
      const matcher = matcherOf(pattern)
      const { result, pauses } = paused(matcher.execInSlices(input))
      assert.deepEqual(result, matcherOf(pattern).exec(input))
      if (input.length >= length) assert.ok(pauses > 5, `${pauses} pauses`)
    })
  }

  it('others search in the pauses', () => {
    const matcher = matcherOf('(a+)(b)?')
    const search = matcher.execInSlices('a'.repeat(length))
    const other = `${'c'.repeat(50_000)}${'a'.repeat(50_000)}b`
    for (;;) {
      const { done, value } = search.next()
      assert.deepEqual(matcher.exec(other), Int32Array.of(50_000, 100_001, 50_000, 100_000, 100_000, 100_001))
      if (done !== true) continue
      assert.deepEqual(value, Int32Array.of(0, length, 0, length, -1, -1))
      break
    }
  })
})

describe('irregular patterns', () => {
  for (const pattern of ['(?>(a|b)+)c', '(?:(?=a)(a)|(b))*c', '(a)?(b)*\\1c', '(?<!b)(?:(a|b)(?=.))+d']) {
    it(pattern, () => {
      const parsed = parsePattern(pattern, { dialect: 'pcre' })
      assert.ok(parsed.ok)
      const search = new BacktrackingSearch(buildNfa(parsed.pattern), anyByte)
      for (const input of [`${'ab'.repeat(1500)}c`, 'ab'.repeat(1500), `${'a'.repeat(900)}d`, 'aabaabdd']) {
        assert.deepEqual(
          paused(search.execInSlices(input, 0, 0)).result,
          search.exec(input, 0),
          input.slice(-9),
        )
      }
      assert.ok(paused(search.execInSlices('ab'.repeat(1500), 0, 0)).pauses > 0)
    })
  }
})

function randomLetters(count: number): string {
  let state = 7
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return 'abc'[(state >> 8) % 3]
  }).join('')
}
