import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { buildNfa } from '../automaton/nfa.ts'
import { relaxedPattern } from '../automaton/relax.ts'
import { regexLimits } from '../limits.ts'
import type { Pattern } from '../syntax/ast.ts'
import { parsePattern } from '../syntax/parse.ts'
import { crsRules, patternsIn, type Random, randomFrom, sampleOf } from '../testing/patterns.ts'
import { LazyDfa } from './lazy-dfa.ts'
import { PikeSearch } from './pike.ts'
import { ReverseSearch } from './reverse-search.ts'
import type { DfaLimits } from './state-cache.ts'

const seed = Number(process.env['REGEX_SEED'] ?? 20_260_503)

/** Tables that hold everything, that are emptied all the time, and that hold only the first states of a scan. */
const limits: Readonly<Record<string, DfaLimits>> = {
  large: regexLimits,
  'few states': { ...regexLimits, dfaStatesMax: 9 },
  'few bytes': { ...regexLimits, dfaBytesMax: 1 },
  'a scan without states': { ...regexLimits, dfaStatesPerScanMax: 0 },
  'a scan with few states': { ...regexLimits, dfaStatesPerScanMax: 2, dfaStatesMax: 12 },
}

function parsed(source: string): Pattern {
  const outcome = parsePattern(source, { dialect: 'pcre' })
  assert.ok(outcome.ok, source)
  const { pattern } = outcome
  return pattern.irregular || pattern.lastLineFeed ? relaxedPattern(pattern) : pattern
}

/** All searches give the answers of the search that knows positions. */
function agree(source: string, inputs: readonly string[]): number {
  const nfa = buildNfa(parsed(source))
  const pike = new PikeSearch(nfa, new Uint8Array(256).fill(1))
  const searches = Object.entries(limits).map(([name, of]) => ({ name, dfa: new LazyDfa(nfa, of) }))
  const begins = new PikeSearch(nfa, searches[0]!.dfa.begins)
  const reverse = new ReverseSearch(nfa)
  let matches = 0
  for (const input of inputs)
    for (const from of input.length > 2 ? [0, 2] : [0]) {
      const expected = pike.exec(input, from)
      if (expected !== null) matches++
      const note = `seed ${seed}, ${source} on ${JSON.stringify(input)} from ${from}`
      assert.deepEqual(begins.exec(input, from), expected, note)
      const interrupting = new PikeSearch(nfa, searches[0]!.dfa.begins)
      assert.deepEqual(ended(interrupting.execInSlices(input, from, 0)), expected, `${note}, in slices`)
      assert.deepEqual(ended(reverse.execInSlices(input, from)), expected, `${note}, from its end`)
      assert.deepEqual(ended(reverse.execInSlices(input, from, 1)), expected, `${note}, the same in slices`)
      for (const { name, dfa } of searches) {
        const origin = dfa.search(input, from)
        assert.equal(origin >= 0, expected !== null, `${note}, ${name}`)
        assert.equal(interrupted(dfa, input, from), origin, `${note}, ${name}, in slices`)
        if (expected === null) continue
        assert.ok(origin >= from && origin <= expected[0]!, `${note}, ${name}: begins before ${origin}`)
        assert.deepEqual(pike.exec(input, origin), expected, `${note}, ${name}`)
      }
    }
  return matches
}

function ended<Result>(search: Generator<void, Result, void>): Result {
  for (;;) {
    const { done, value } = search.next()
    if (done === true) return value
  }
}

/** A search in slices of a byte; another one uses the tables in each pause. */
function interrupted(dfa: LazyDfa, input: string, from: number): number {
  const search = dfa.searchInSlices(input, from, 1)
  for (;;) {
    const { done, value } = search.next()
    if (done) return value
    dfa.search('b1 a', 0)
  }
}

describe('the automaton agrees with a search with positions, with any limits', () => {
  it('random patterns', context => {
    context.diagnostic(`REGEX_SEED=${seed}`)
    const random = randomFrom(seed)
    let matches = 0
    for (let count = 0; count < shareOf(2000); count++) {
      const source = randomPattern(random, 3)
      const { root } = parsed(source)
      const inputs = Array.from({ length: 6 }, (_, round) =>
        round % 2 === 0 ? noise(random) : noise(random) + sampleOf(root, random) + noise(random),
      )
      matches += agree(source, inputs)
    }
    assert.ok(matches > shareOf(5000), `${matches} matches`)
  })

  for (const version of ['4.28.0', '3.3.10']) {
    const folder = crsRules(version)
    const skip = !existsSync(folder) && `${folder} is absent`
    it(`patterns of the Core Rule Set ${version}`, { skip }, () => {
      const random = randomFrom(seed)
      let matches = 0
      for (const source of patternsIn(folder)) {
        const { root } = parsed(source)
        const own = sampleOf(root, random)
        const broken = own.slice(0, own.length / 2) + sampleOf(root, random).slice(1)
        matches += agree(source, [own, `x=${own}\n `, broken, noise(random)])
      }
      assert.ok(matches > 400, `${matches} matches`)
    })
  }
})

describe('a scan that makes too many states', () => {
  const nfa = buildNfa(parsed('a[ab]{9}c'))
  const random = randomFrom(seed)
  const letters = (count: number) => Array.from({ length: count }, () => 'ab'.charAt(random(2))).join('')

  for (const [name, of] of Object.entries(limits))
    it(`finds a match at its end, and none if there is none: ${name}`, () => {
      const dfa = new LazyDfa(nfa, of)
      for (let round = 0; round < 4; round++) {
        const text = letters(3000)
        assert.equal(dfa.search(`${text}a${letters(9)}c`, 0) >= 0, true)
        assert.equal(dfa.search(`${text}b${letters(9)}c`, 0), -1)
      }
    })
})

const pieces = [
  'a',
  'b',
  'c',
  '\\n',
  '.',
  '\\w',
  '\\W',
  '[ab]',
  '[^a]',
  'ab',
  '\\b',
  '\\B',
  '^',
  '$',
  '(?m:^)',
  '(?m:$)',
]
const quantifiers = ['', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '*+', '++']
const groups = ['(?:', '(', '(?=[ab])(?:', '(?![bc])(?:']

function randomPattern(random: Random, depth: number): string {
  const alternatives = Array.from({ length: 1 + random(depth) }, () => {
    const items = Array.from({ length: random(4) }, () => {
      const quantifier = pick(random, quantifiers)
      if (depth === 1 || random(3) > 0) return pick(random, pieces) + quantifier
      // Possessive groups are beyond this automaton.
      return `${pick(random, groups)}${randomPattern(random, depth - 1)})${quantifier.replace(/\+$/, '')}`
    })
    return items.join('')
  })
  return alternatives.join('|')
}

function noise(random: Random): string {
  return Array.from({ length: random(7) }, () => pick(random, ['a', 'b', 'c', '\n', ' ', 'ab'])).join('')
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)]!
}
