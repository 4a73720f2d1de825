import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { type Clause, compileRegex, type Matcher } from '../index.ts'
import { parsePattern } from '../syntax/parse.ts'
import { crsRules, patternsIn, type Random, randomFrom, sampleOf } from '../testing/patterns.ts'

function compiled(pattern: string): Matcher {
  const outcome = compileRegex(pattern, { dialect: 'pcre' })
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.matcher
}

function isMet(clause: Clause, text: string): boolean {
  if (clause.kind === 'bytes') return [...text].some(char => clause.bytes.has(char.charCodeAt(0)))
  const folded = text.replace(/[A-Z]/g, letter => letter.toLowerCase())
  return clause.literals.some(literal => folded.includes(literal))
}

function written(clause: Clause): string {
  if (clause.kind === 'literals') return [...clause.literals].sort().join(' ')
  const members = [...clause.bytes.members.entries()].filter(([, member]) => member === 1)
  return `[${String.fromCharCode(...members.map(([byte]) => byte))}]`
}

function assertMet(matcher: Matcher, text: string): void {
  for (const clause of matcher.requirements)
    assert.ok(isMet(clause, text), `${matcher.source}: ${JSON.stringify(text)} lacks ${written(clause)}`)
}

describe('requirements', () => {
  const cases: readonly [pattern: string, ...clauses: string[]][] = [
    ['abc', 'abc'],
    ['(?i)AbC', 'abc'],
    ['ABC', 'abc'],
    ['(?:select|union) +from', ' from', 'select union'],
    ['a(?:b|c)d', 'abd acd'],
    ['ab?c;', 'abc; ac;'],
    ['(?:foo){2}', 'foofoo'],
    ['x{3,}', 'xxx'],
    ['x{0,3}'],
    ['x*foo', 'foo'],
    ['foo.*bar', 'bar', 'foo'],
    ['^javascript$', 'avascrip'],
    ['abcdefghi', 'abcdefgh'],
    ['[<>]', '[<>]'],
    ['<[^>]*>', '[<]', '[>]'],
    ['[^\\w\\s]', `[${punctuationAndOthers()}]`],
    ['a'],
    ['[a-z]+'],
    ['\\d+'],
    ['.+'],
    ['foo|'],
    ['(?:foo)?'],
    ['^$'],
    ['foo|b*'],
    // Optional parts that need rare bytes count as absent.
    [`c["']*u["']*r["']*l`, `" ' curl`],
    ['foo|[;`]', '; ` foo'],
    // Of irregular patterns, the regular parts and the positive look-ahead.
    ['(?=.*foo)[a-z]', 'foo'],
    ['(?!foo)bar', 'bar'],
    ['(?<=foo)bar', 'bar', 'foo'],
    ['(?<!foo)bar', 'bar'],
    ['(foo|bar)\\1;x', 'bar foo', ';x'],
    ['(?>foo)bar', 'foobar'],
    ['f++oo', 'foo'],
    ['foo\\Z', 'foo'],
  ]
  for (const [pattern, ...clauses] of cases)
    it(pattern, () => {
      const found = compiled(pattern).requirements
      assert.deepEqual(found.map(written).sort(), clauses.sort())
    })

  it('has literals of two to eight bytes, or one byte that is no letter and no digit', () => {
    for (const [pattern] of cases)
      for (const clause of compiled(pattern).requirements)
        if (clause.kind === 'literals')
          for (const literal of clause.literals) {
            assert.ok(literal.length <= 8)
            assert.doesNotMatch(literal, /^[a-z0-9]$|[A-Z]/)
          }
  })
})

function punctuationAndOthers(): string {
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  return bytes.filter(char => !/[\w\t-\r ]/.test(char)).join('')
}

describe('every match meets all clauses', () => {
  const seed = Number(process.env['REGEX_SEED'] ?? 20_260_502)

  it('random patterns on random texts and on samples', context => {
    context.diagnostic(`REGEX_SEED=${seed}`)
    const random = randomFrom(seed)
    let clauses = 0
    let matched = 0
    for (let count = 0; count < shareOf(6000); count++) {
      const source = randomPattern(random, 3)
      const parsed = parsePattern(source, { dialect: 'pcre' })
      assert.ok(parsed.ok, source)
      const matcher = compiled(source)
      clauses += matcher.requirements.length
      for (let round = 0; round < 6; round++) {
        const own = sampleOf(parsed.pattern.root, random)
        const text = round % 2 === 0 ? own : noise(random) + own + noise(random)
        for (const candidate of [text, noise(random)])
          if (matcher.test(candidate)) {
            matched++
            assertMet(matcher, candidate)
          }
      }
    }
    assert.ok(clauses > shareOf(2000) && matched > shareOf(10_000), `${clauses} clauses, ${matched} matches`)
  })

  const folder = crsRules('4.28.0')
  it('patterns of the Core Rule Set on samples', {
    skip: !existsSync(folder) && `${folder} is absent`,
  }, () => {
    const random = randomFrom(seed)
    let without = 0
    for (const source of patternsIn(folder)) {
      const parsed = parsePattern(source, { dialect: 'pcre' })
      assert.ok(parsed.ok)
      const matcher = compiled(source)
      if (matcher.requirements.length === 0) without++
      for (let round = 0; round < 12; round++) {
        const own = sampleOf(parsed.pattern.root, random)
        for (const text of [own, `x=${own} `, noise(random)]) if (matcher.test(text)) assertMet(matcher, text)
      }
    }
    assert.ok(without <= 21, `${without} patterns without a clause`)
  })
})

const pieces = [
  'a',
  'b',
  'B',
  ';',
  '"',
  ' ',
  '\\d',
  '\\w',
  '.',
  '[ab]',
  '[;"]',
  '[^;]',
  'foo',
  'Bar',
  '\\b',
  '^',
  '$',
]
const quantifiers = ['', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '++', '?+']
const groups = ['(?:', '(', '(?i:', '(?>', '(?=', '(?!', '(?<!a|', '(?:a|', '(?:;|']

function randomPattern(random: Random, depth: number): string {
  const alternatives = Array.from({ length: 1 + random(depth) }, () => {
    const items = Array.from({ length: 1 + random(4) }, () => {
      if (depth === 1 || random(3) > 0) return pick(random, pieces) + pick(random, quantifiers)
      const open = pick(random, groups)
      // A look-behind has a fixed length.
      const body = open.startsWith('(?<')
        ? pick(random, ['b', 'fo', 'ab|;'])
        : randomPattern(random, depth - 1)
      return `${open}${body})${pick(random, quantifiers)}`
    })
    return items.join('')
  })
  return alternatives.join('|')
}

function noise(random: Random): string {
  return Array.from({ length: random(6) }, () =>
    pick(random, ['a', 'b', 'A', ';', '"', ' ', '1', 'foo', 'BAR']),
  ).join('')
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)]!
}
