import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { ByteSet } from '../../regex/index.ts'
import { wafLimits } from '../limits.ts'
import { operators } from '../operators/index.ts'
import { type Random, randomFrom } from '../testing/outcomes.ts'
import { pick } from '../testing/random-requests.ts'
import { randomText } from '../testing/random-rules.ts'
import { program, send } from '../testing/requests.ts'
import { transformations } from '../transformations/index.ts'
import type { Program } from '../types.ts'
import { kindsOf } from './byte-kinds.ts'
import { Prefilter } from './prefilter.ts'
import { buildPrefilterTables } from './prefilter-tables.ts'
import { type Alternative, prefilterFacts, type RuleNeeds } from './prefiltered-rule.ts'
import { ScannedTexts } from './scanned-texts.ts'

/** Compares the prefilter's results for arguments with the result of each rule alone for each value. */

interface Rule {
  readonly steps: readonly string[]
  readonly multiMatch: boolean
  readonly negated: boolean
  readonly operator: string
  readonly parameter: string
}

function textOf(rules: readonly Rule[]): string {
  return rules
    .map(({ steps, multiMatch, negated, operator, parameter }, index) => {
      const actions = [`id:${index + 1}`, 'phase:2', ...steps.map(step => `t:${step}`)]
      if (multiMatch) actions.push('multiMatch')
      return `SecRule ARGS "${negated ? '!' : ''}@${operator} ${parameter}" "${actions.join(',')}"`
    })
    .join('\n')
}

function testOf({ operator, parameter }: Rule): (value: string) => boolean {
  const outcome = operators.get(operator)!(parameter, { readData: () => undefined })
  assert.ok(outcome.ok)
  return value => outcome.operator.test(value, { expand: () => '', limitReached: () => {} })
}

function matches(rule: Rule, test: (value: string) => boolean, value: string): boolean {
  const texts = [value]
  for (const step of rule.steps) texts.push(transformations.get(step)!.apply(texts.at(-1)!))
  const tested = rule.multiMatch ? texts : texts.slice(-1)
  return tested.some(text => test(text) !== rule.negated)
}

/** Sends the values as arguments; returns the ids of matching rules. */
function found(made: Program, values: readonly string[]): number[] {
  const pairs = values.map((value, index) => {
    const inUrl = Array.from(value, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
    return `a${index}=${inUrl}`
  })
  const { transaction } = send(made, {
    method: 'POST',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: pairs.join('&'),
  })
  return transaction.matches.map(match => match.rule.id)
}

function compare(rules: readonly Rule[], requests: readonly (readonly string[])[]): void {
  const text = textOf(rules)
  const made = program(text)
  const tests = rules.map(testOf)
  for (const values of requests) {
    const want = rules.flatMap((rule, index) =>
      values.some(value => matches(rule, tests[index]!, value)) ? [index + 1] : [],
    )
    assert.deepEqual(found(made, values), want, `${text}\n${JSON.stringify(values).slice(0, 2000)}`)
  }
}

const plain: Omit<Rule, 'parameter'> = { steps: [], multiMatch: false, negated: false, operator: 'rx' }

/** A few for each program, so that lists have the same beginnings. */
const someSteps =
  `lowercase uppercase urlDecode urlDecodeUni removeNulls removeWhitespace trim base64Decode hexDecode
  hexEncode urlEncode htmlEntityDecode replaceComments cmdLine utf8toUnicode jsDecode`.split(/\s+/)

const parameters: readonly (readonly [operator: string, parameter: string])[] = [
  ['contains', 'evil'],
  ['contains', 'select'],
  ['streq', 'evil'],
  ['streq', 'EVIL'],
  ['beginsWith', 'union'],
  ['endsWith', 'xx'],
  ['contains', '%3b'],
  ['pm', 'passwd cat'],
  ['pm', 'x evil'],
  ['rx', '(?i)evil|select'],
  ['rx', 'evil.*cat'],
  ['rx', '(?:union|select).*(?:passwd|script)'],
  ['rx', ';|evil'],
  ['rx', '(?:~|abcabc)$'],
  ['rx', '[;<]'],
  ['rx', '^[a-z]+$'],
  ['rx', 'A.A'],
  ['validateByteRange', '32-126'],
  ['validateUrlEncoding', ''],
  ['gt', '5'],
  ['within', 'evil select'],
]

function randomRule(steps: readonly string[], random: Random): Rule {
  const [operator, parameter] = pick(parameters, random)
  return {
    steps: Array.from({ length: random(4) }, () => pick(steps, random)),
    multiMatch: random(5) === 0,
    negated: random(12) === 0,
    operator,
    parameter,
  }
}

/** Sometimes too long for a scan without a pause. */
function randomValue(random: Random): string {
  const text = randomText(random)
  if (random(12) > 0) return text
  const filler = pick(['a', 'ab ', '%41', ' ', 'A\0'], random)
  return text + filler.repeat(Math.ceil(4500 / filler.length)) + randomText(random)
}

describe('the prefilter finds the same as each rule alone', () => {
  it('a value whose transformations make it long', () => {
    const steps = 't:utf8toUnicode,t:hexEncode'
    const made = program(`SecRule ARGS "@rx 656e64$" "id:1,phase:2,${steps}"
      SecRule ARGS "@contains 656e64" "id:2,phase:2,${steps}"
      SecRule ARGS "@contains foo" "id:3,phase:2"
      SecRule ARGS "@contains bar" "id:4,phase:2"`)
    for (const length of [100, 2040])
      assert.deepEqual(found(made, [`${'\xc3\xa9'.repeat(length)}xend`]), [1, 2])
  })

  it('lists of transformations with the same beginning', () => {
    for (let seed = 0; seed < shareOf(450); seed++) {
      const random = randomFrom(130_000 + seed)
      const steps = Array.from({ length: 4 }, () => pick(someSteps, random))
      const rules = Array.from({ length: 4 + random(40) }, () => randomRule(steps, random))
      const requests = Array.from({ length: 25 }, () =>
        Array.from({ length: 1 + random(3) }, () => randomValue(random)),
      )
      compare(rules, requests)
    }
  })

  it('single signs, and signs or words, more than there are bits for', () => {
    const signs = Array.from('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~').filter(sign => !'"\'\\'.includes(sign))
    const words = Array.from(
      { length: 90 },
      (_, index) => `w${String.fromCharCode(97 + (index % 26))}${index}w`,
    )
    const rules: Rule[] = [
      // Without some of these there is no search for words.
      ...words.slice(0, 5).map(parameter => ({ ...plain, parameter })),
      ...signs.map(sign => ({ ...plain, parameter: `[${sign === '^' ? '\\^' : sign}]` })),
      ...words.map((word, index) => ({ ...plain, parameter: `${word}|[${signs[index % 20]}]` })),
      ...words.slice(0, 20).map(word => ({ ...plain, steps: ['urlDecode'], parameter: `${word}y|[~]` })),
    ]
    const random = randomFrom(7)
    const part = (): string =>
      random(3) === 0
        ? pick(words, random) + pick(['', 'z', 'y', 'W'], random)
        : pick([...signs, '%3b', 'z', 'y'], random)
    const requests = Array.from({ length: shareOf(8000) }, () => [
      Array.from({ length: random(6) }, part).join(pick(['', 'z'], random)),
    ])
    // With the same kinds of bytes, but other words.
    const alike = Array.from({ length: shareOf(5000) }, () => [
      `wf1w${Array.from({ length: 2 }, () => pick(words, random)).join('')}wz29w`,
    ])
    compare(rules, [...requests, ...alike])
  })

  it('values that become shorter, and longer again', () => {
    const decoded = [
      '',
      'a',
      '/',
      '//',
      '///',
      '////',
      'ab',
      'abc',
      'abcd',
      'abcde',
      'abcdefgh',
      'AB',
      'zabz',
    ]
    const values = decoded.flatMap(text => [
      text,
      Buffer.from(text).toString('base64'),
      Buffer.from(text).toString('hex'),
      Buffer.from(Buffer.from(text).toString('hex')).toString('base64'),
    ])
    const lists = [
      ['base64Decode'],
      ['base64DecodeExt'],
      ['hexDecode'],
      ['base64Decode', 'hexDecode'],
      ['base64Decode', 'lowercase'],
      ['base64Decode', 'urlEncode'],
      ['hexDecode', 'urlEncode', 'lowercase'],
      ['lowercase', 'hexDecode'],
    ]
    for (const words of [
      ['ab abcdefgh'],
      ['ab', 'abcdefgh', 'abcd', '%2f%2f%2f', '%2f'],
      ['abcdefgh', 'abcd', 'ab'],
      ['%2f%2f%2f'],
      ['abcd'],
    ]) {
      for (const multiMatch of [false, true]) {
        const rules = lists.flatMap(steps =>
          words.map(parameter => ({ ...plain, operator: 'pm', steps, multiMatch, parameter })),
        )
        const each = values.map(value => [value])
        compare(rules, each)
        for (const rule of rules) compare([rule], each)
      }
    }
  })

  it('steps that could change something and do not', () => {
    const lists = [
      ['lowercase', 'trim'],
      ['lowercase', 'urlDecode'],
      ['lowercase', 'jsDecode', 'removeNulls'],
      ['cmdLine', 'htmlEntityDecode'],
      ['trim', 'lowercase'],
      ['uppercase', 'trim', 'lowercase'],
    ]
    const rules = lists.flatMap(steps =>
      ['evil x', 'evil%zz', 'evil&x', 'EVIL X'].map(parameter => ({
        ...plain,
        steps,
        operator: 'streq',
        parameter,
      })),
    )
    const values = ['EVIL X', 'Evil x', 'EVIL%zz', 'Evil%ZZ', 'EVIL&X', 'evil&x', 'EVIL X ', 'evil%zz\\']
    const each = values.map(value => [value])
    compare(rules, each)
    for (const rule of rules) compare([rule], each)
  })

  it('phrases that do not fit among the literals', () => {
    const random = randomFrom(17)
    const phrase = (): string => String.fromCharCode(...Array.from({ length: 8 }, () => 0x61 + random(26)))
    const rules = ['evil', 'bad', 'worse', 'worst'].map(word => ({
      ...plain,
      operator: 'pm',
      parameter: [word, ...Array.from({ length: 6000 }, phrase)].join(' '),
    }))
    compare(rules, [['evil'], ['a bad one'], ['WORSE'], ['worst'], ['ordinary']])
  })

  it('words in alternatives to a byte that do not fit among the literals', () => {
    const random = randomFrom(18)
    const word = () => String.fromCharCode(...Array.from({ length: 8 }, () => 0x61 + random(26)))
    const words = Array.from({ length: wafLimits.literalStatesMax / 3 }, word)
    const alternative = (literals: readonly string[], bit: number): Alternative => ({
      kinds: kindsOf(ByteSet.of([0x21])),
      literals,
      bit,
    })
    const needs = [alternative(words, 0), alternative(['evil'], 1), alternative(words.toReversed(), 33)].map(
      (one): RuleNeeds => ({ lists: [], alternatives: [one], kinds: new Int32Array() }),
    )
    const { automaton, owners } = buildPrefilterTables(new Map(needs.entries()))
    assert.ok(automaton.left.size > 0)
    const prefilter = new Prefilter({ automaton, owners }, 3, 1)
    assert.deepEqual(prefilter.bits.open, { first: 1, second: 2 })
    const texts = new ScannedTexts(automaton, prefilter.bits, owners.length, 3, 1)
    texts.begin({ scansLiterals: true, endOf: () => [] } as never)
    texts.numberOf(words.at(-1)!, true)
    const held = needs.map(need => texts.mayHold(prefilterFacts(need) as never, 0))
    assert.deepEqual(held, [true, false, true])
  })
})

describe('arguments of one name among many', () => {
  const rules = `
    SecRule ARGS:k "@contains evil" "id:1,phase:2"
    SecRule ARGS|!ARGS:k "@contains evil" "id:2,phase:2"
    SecRule ARGS:k "@contains vil" "id:3,phase:2"
    SecRule ARGS|!ARGS:/^x/ "@contains il" "id:4,phase:2"`
  const others = Array.from({ length: 20 }, (_, index) => `x${index}=evil`)
  const rows: [name: string, pairs: readonly string[], want: number[]][] = [
    ['the last', [...others, 'k=evil'], [1, 2, 3, 4]],
    ['the first', ['K=evil', ...others], [1, 2, 3, 4]],
    ['not there', others, [2]],
    ['alone with the value', [...others.map(pair => pair.replace('evil', 'good')), 'k=evil'], [1, 3, 4]],
    ['the only one without it', ['k=good', ...others], [2]],
  ]
  for (const [name, pairs, want] of rows) {
    it(name, () => {
      for (const order of [pairs, pairs.toReversed()]) {
        const { transaction } = send(program(rules), { target: `/?${order.join('&')}` })
        assert.deepEqual(
          transaction.matches.map(match => match.rule.id),
          want,
        )
      }
    })
  }
})
