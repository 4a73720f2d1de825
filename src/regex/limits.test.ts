import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildNfa, op } from './automaton/nfa.ts'
import { compileRegex, type Matcher, MatchLimitError, type RegexOptions, workDone } from './index.ts'
import { regexLimits } from './limits.ts'
import { instructionCount } from './syntax/measure.ts'
import { parsePattern } from './syntax/parse.ts'

function compiled(pattern: string, dialect: RegexOptions['dialect'] = 'pcre'): Matcher {
  const outcome = compileRegex(pattern, { dialect })
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.matcher
}

describe('limits of patterns', () => {
  const { patternBytesMax, nestingMax, groupsMax, repeatMax } = regexLimits
  const { instructionsMax, ruleInstructionsMax } = regexLimits
  const nested = (open: string, count: number, close: string) =>
    `${open.repeat(count)}a${close.repeat(count)}`
  /** Needs this many instructions with the three of every NFA. */
  const ofSize = (count: number) => `(?:a{999}){${Math.floor((count - 3) / 999)}}a{${(count - 3) % 999}}`
  const cases: readonly {
    name: string
    pattern: (count: number) => string
    max: number
    dialect?: 'rust'
  }[] = [
    { name: 'bytes', pattern: count => `[${'a'.repeat(count - 2)}]`, max: patternBytesMax },
    { name: 'groups within groups', pattern: count => nested('(?:', count, ')'), max: nestingMax },
    { name: 'look-ahead in look-ahead', pattern: count => nested('(?=', count, ')'), max: nestingMax },
    {
      name: 'classes within classes',
      pattern: count => nested('[', count, ']'),
      max: nestingMax,
      dialect: 'rust',
    },
    { name: 'quantifiers on quantifiers', pattern: count => `a*${'*'.repeat(count)}`, max: nestingMax },
    { name: 'groups', pattern: count => '(a)'.repeat(count), max: groupsMax },
    { name: 'repetitions', pattern: count => `a{${count}}`, max: repeatMax },
    { name: 'least repetitions', pattern: count => `a{${count},}`, max: repeatMax },
    { name: 'instructions', pattern: ofSize, max: instructionsMax },
    { name: 'instructions in rules', pattern: ofSize, max: ruleInstructionsMax, dialect: 'rust' },
  ]
  for (const { name, pattern, max, dialect = 'pcre' } of cases)
    it(`${name}: ${max}, no more`, () => {
      assert.equal(compileRegex(pattern(max), { dialect }).ok, true)
      const outcome = compileRegex(pattern(max + 1), { dialect })
      assert.equal(!outcome.ok && outcome.error.code, 'too-large')
    })

  it('matches at the deepest nesting', () => {
    assert.equal(compiled(`${nested('(?:', nestingMax, ')*')}b`).test('aab'), true)
    assert.equal(compiled(`a*${'*'.repeat(nestingMax)}b`).test('aab'), true)
    assert.equal(compiled(`${nested('(?=', nestingMax, ')')}b`).test('aab'), false)
  })

  it('unrolls nothing that is empty', () => {
    for (const empty of ['(?:)', 'a{0}', '(?:^)*', '(a){0}'])
      assert.deepEqual(
        [
          ...compiled(`${nestedRepeat(empty, 60)}b`)
            .exec('ab')!
            .slice(0, 2),
        ],
        [1, 2],
        empty,
      )
  })

  it('counts instructions without building any', () => {
    const patterns = [
      '',
      'abc',
      'a|b|',
      'a*b+c?',
      '(a)*?(?:b|)*',
      'a{3}b{2,}c{0,4}d{2,5}',
      'a*+(?>b|c)',
      '\\bx',
    ]
    patterns.push('(?=a|b)(?<!a|bc)', '(a)\\1', '(?:a{2,3}b){2,3}+', '(?:(?:a{0}|b)c){4,}')
    for (const pattern of patterns) {
      const parsed = parsePattern(pattern, { dialect: 'pcre' })
      assert.ok(parsed.ok)
      const { ops } = buildNfa(parsed.pattern)
      // Written out: the matching one comes last.
      assert.equal(ops.at(-1), op.match, pattern)
      assert.equal(instructionCount(parsed.pattern.root) + 3, ops.length, pattern)
    }
  })
})

function nestedRepeat(item: string, depth: number): string {
  return depth === 0 ? item : `(?:${nestedRepeat(item, depth - 1)}){1000}`
}

describe('limits of a search', () => {
  it('gives the same answers for any known states', () => {
    const pattern = 'a[ab]{13}c'
    const old = compiled(pattern)
    let state = 1
    for (let round = 0; round < 12; round++) {
      const letters = Array.from({ length: 1500 }, () => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0
        return (state >>> 16) & 1 ? 'a' : 'b'
      })
      const input = `${letters.join('')}${round % 2 === 0 ? 'c' : ''}`
      const expected = round % 2 === 0 && letters.at(-14) === 'a'
      assert.equal(old.test(input), expected, `round ${round}`)
      assert.equal(compiled(pattern).test(input), expected, `round ${round}, fresh`)
    }
  })

  it('gives up look-around and atomic groups if their memo needs too much memory', () => {
    // One row of 32 bits for each star and position.
    const matcher = compiled(`(?>${'a*'.repeat(100)})b`)
    const positions = Math.floor(regexLimits.backtrackBitsMax / (32 * 100))
    const input = `${'a'.repeat(positions - 2)}b`
    assert.deepEqual([...matcher.exec(input)!], [0, input.length])
    assert.equal(matcher.test(input), true)
    assert.throws(() => matcher.exec(`${input}b`), MatchLimitError)
    assert.throws(() => matcher.test(`${input}b`), MatchLimitError)
  })

  it('gives up back-references when the steps are used up', () => {
    const matcher = compiled('^(z?)\\1(?:a|a)*$|^a+!$')
    assert.equal(matcher.test(`${'a'.repeat(8)}!`), true)
    assert.throws(() => matcher.test(`${'a'.repeat(64)}!`), MatchLimitError)
    assert.throws(() => [...matcher.testInSlices(`${'a'.repeat(64)}!`)], MatchLimitError)
    assert.equal(matcher.test(`${'a'.repeat(8)}!`), true)
  })

  it('reports neither match nor mismatch if the steps end within a negative look-ahead', () => {
    assert.equal(compiled('^(?!(z?)\\1(?:a|a)*$)').test(`${'a'.repeat(8)}!`), true)
    assert.throws(() => compiled('^(?!(z?)\\1(?:a|a)*$)').test(`${'a'.repeat(64)}!`), MatchLimitError)
  })
})

describe('time grows with the input, not its square', () => {
  const long = 'a'.repeat(65_536)
  const cases: readonly [pattern: string, input: string, expected: boolean][] = [
    ['^(a+)+$', `${long}!`, false],
    ['^(a|aa)+$', `${long}!`, false],
    ['^(a|a)*$', long, true],
    ['(a+a+)+b', long, false],
    ['(.*)*b', long, false],
    ['(.*)(.*)(.*)(.*)(.*)x', `${long}y`, false],
    ['(?:a?){30}a{30}$', long, true],
    ['a.*b.*c.*d', 'abc'.repeat(20_000), false],
    ['\\s+$', `${' '.repeat(65_536)}x`, false],
    ['a\\Z', `${long}\n\n`, false],
    ['(a+)+\\Z', `${long}\n`, true],
    ['^(?=(a+)+$)', `${long}!`, false],
    ['(?=(?:a|aa)+b)a', long, false],
    ['(?!a*b)c', `${long}c`, true],
    ['(?=.*x)(?=.*y)(?=.*z)a', `${long}zy`, false],
    ['(?<=a{20})b(?!a*!)', `${'b'.repeat(65_536)}!`, false],
    ['(?:(?=(a*))a)*c', `${long}bc`, true],
    ['a*+b', `${long}cb`, true],
    ['(?:a++)+c', `${long}bc`, false],
    ['(?>(a|aa)+)c', `${long}bc`, false],
    ['(?>(?>a*)*)b(?!.)', `${long}bb`, true],
    ['(?:x*+y|x*+z)c(?<!zc)', `${'x'.repeat(65_536)}zc`, false],
    // Patterns whose finite automaton cannot rule out a match alone.
    ['a*+ac', `${long}c`, false],
    ['(?>(?:a|aa)+)ac', `${long}c`, false],
    ['(?:(?>a+)|b)+ac', `${long}c`, false],
    ['(?=(?:a|aa)+b)(?!a+b)a', `${long}b`, false],
    ['(?:(?=(a*))a)*+a', long, false],
    ['(?:(?!a*b)a)+', `${long}b`, false],
    ['(?<=(?>a)b{0})a(?!a|b)', `${long}b`, false],
  ]
  for (const [pattern, input, expected] of cases)
    it(pattern, () => {
      const matcher = compiled(pattern)
      assert.equal(matcher.test(input), expected)
      assert.equal(matcher.exec(input) !== null, expected)
    })
  for (const [pattern, input] of [
    ['(a+)\\1b', `${long}cb`],
    ['(a*)*\\1c', `${long}bc`],
  ] as const)
    it(`${pattern}, up to its limit`, () => {
      const before = workDone()
      assert.throws(() => compiled(pattern).test(input), MatchLimitError)
      assert.ok(workDone() - before < 2 * regexLimits.backtrackStepsMax)
    })
})
