import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asciiLower } from '../../kit/ascii.ts'
import type { Requirements } from '../../regex/index.ts'
import { type Random, randomFrom } from '../../regex/testing/patterns.ts'
import { type MacroView, operators } from './index.ts'

/**
 * The prefilter excludes a value that does not meet an operator's requirements, so every matching value must meet them.
 */

const view: MacroView = { expand: () => '', limitReached: () => {} }

function meets(requirements: Requirements, value: string): boolean {
  const lower = asciiLower(value)
  return requirements.every(clause =>
    clause.kind === 'literals'
      ? clause.literals.some(literal => lower.includes(literal))
      : Array.from(value).some(byte => clause.bytes.has(byte.charCodeAt(0))),
  )
}

const files: Readonly<Record<string, string>> = {
  'words.data': 'evil\n# no\nMozilla/5.0 (compatible; Long Phrase/1.0)\nx\n',
  'long.data': 'a rather long phrase of words\nanother rather long phrase\n',
  'ip.data': '192.0.2.0/24\n::1\n',
}

function compiled(name: string, parameter: string) {
  const outcome = operators.get(name)!(parameter, { readData: file => files[file] })
  assert.ok(outcome.ok, `${name} ${parameter}`)
  return outcome.operator
}

/** Parameters to try each operator with. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  beginsWith: ['Evil', 'a', '', 'A long text of many bytes', '\xe9', '%41', '0x'],
  contains: ['Evil', 'a', '', 'A long text of many bytes', '\xe9X', '%{', '-'],
  containsWord: ['cat', 'C', '', 'two words', 'A long text of many bytes'],
  detectSQLi: [''],
  detectXSS: [''],
  endsWith: ['Evil', 'a', '', 'A long text of many bytes', '\0', 'x/'],
  eq: ['0', '5', '-1'],
  ge: ['1'],
  geoLookup: [''],
  gt: ['1'],
  ipMatch: ['192.0.2.0/24,::1'],
  ipMatchF: ['ip.data'],
  ipMatchFromFile: ['ip.data'],
  le: ['1'],
  lt: ['1'],
  noMatch: [''],
  pm: ['evil Cat', 'evil x', 'x', 'a|2e|b', 'Mozilla/5.0-and-more-of-it evil', '-- /*', 'aa aaa', '\xe9\xc9'],
  pmFromFile: ['words.data', 'long.data', 'words.data long.data'],
  pmf: ['long.data'],
  rbl: ['list.example'],
  rx: [
    'evil',
    '(?i)Evil|cat',
    'ev.l',
    '^cat$',
    '[;<]x',
    'a{2,}',
    '(?:union|select).*(?:from|where)',
    'x?',
    '\\bcat\\b',
    '[^a-z]',
    '(?i:sel)ect\\s+\\d',
    '(evil)|[\\x80-\\xff]',
    'abc*d+',
    '(?:a|b)(?:c|d)(?:e|f)',
    '^$',
    '.',
    '(?=.*cat)evil',
    '(?!cat)c',
    '(a)b\\1',
  ],
  rxGlobal: ['evil', '(?i)Evil|cat', '[;<]x'],
  streq: ['Evil', 'a', '', 'A long text of many bytes', '1'],
  strmatch: ['Evil', 'a', '', '%{x}'],
  unconditionalMatch: [''],
  validateByteRange: ['32-126', '0-255', '1-255', '97', '9,10,13,32-126'],
  validateUrlEncoding: [''],
  validateUtf8Encoding: [''],
  verifyCC: ['\\d{13,16}', '(?:^|[^\\d])\\d{4}-?\\d{4}-?\\d{4}-?\\d{4}'],
  verifySSN: ['\\d{9}', '\\d{3}-\\d{2}-\\d{4}'],
  within: ['a b evil', '', 'GET POST'],
}

const pieces =
  `evil Evil EVIL cat CAT x a A aa ab - -- /* %41 %4 % 0 1 5 -1 192.0.2.7 ::1 ; < <x ;x union select from where
  <script> ' or 1=1 javascript: union\tselect a.b 4111111111111111 5484605089158216 078051120 219-09-9999 GET
  Mozilla/5.0 long phrase of words another abcd acd ace bdf select\v1 two words ava aba A long text of many bytes
  \xe9X \xe9 \xc3 \xc9 \x7f \x1f %{x} %{`.split(/[ \n]+/)

const glue = ['', '', '', ' ', '.', '_', '\0', '\n', '\xa0']

/** Half of the values hold the parameter, or a part of it, in some case. */
function randomValue(parameter: string, random: Random): string {
  if (random(6) === 0) return pieces[random(pieces.length)]!
  let value = ''
  for (let count = random(5); count > 0; count--)
    value += pieces[random(pieces.length)]! + glue[random(glue.length)]!
  if (random(2) > 0) return value
  const words = parameter.split(files[parameter] === undefined ? /[ ,|()]/ : / (?=\S+\.data)/)
  const word = words[random(words.length)]!
  const lines = (files[word] ?? word).split('\n')
  const text = random(2) === 0 ? parameter : lines[random(lines.length)]!
  const cased = [text, text.toLowerCase(), text.toUpperCase()][random(3)]!
  return [value + cased, cased + value, cased, value + cased + value][random(4)]!
}

describe('matching values meet all requirements', () => {
  it('every operator is tried', () => {
    assert.deepEqual(Object.keys(parameters).sort(), [...operators.keys()].sort())
  })

  for (const [name, tried] of Object.entries(parameters)) {
    it(name, () => {
      const random = randomFrom(name.length * 31 + name.charCodeAt(0))
      for (const parameter of tried) {
        const operator = compiled(name, parameter)
        let matches = 0
        for (let round = 0; round < 800; round++) {
          const value = randomValue(parameter, random)
          if (!operator.test(value, view)) continue
          matches++
          assert.ok(meets(operator.requirements, value), JSON.stringify({ parameter, value }))
        }
        const never = ['noMatch', 'rbl', 'geoLookup'].includes(name) || parameter === '0-255'
        assert.equal(matches > 0, !never, `${parameter} has matched ${matches} values`)
      }
    })
  }

  it('requirements exclude ordinary values', () => {
    const rows: [name: string, parameter: string, value: string][] = [
      ['streq', 'Evil', 'ordinary'],
      ['contains', '/*', 'ordinary'],
      ['beginsWith', 'a long text', 'long text'],
      ['endsWith', 'x', 'ordinary'],
      ['containsWord', 'cat', 'dog'],
      ['strmatch', 'evil', 'ordinary'],
      ['pm', 'evil cat', 'ordinary'],
      ['pm', 'evil x', 'ordinary'],
      ['pmFromFile', 'long.data', 'ordinary'],
      ['rx', '(?i)evil|cat', 'ordinary'],
      ['rxGlobal', '[;<]', 'ordinary'],
      ['validateByteRange', '32-126', 'ordinary'],
      ['validateUrlEncoding', '', 'ordinary'],
      ['validateUtf8Encoding', '', 'ordinary'],
      ['verifyCC', '-\\d{13}', 'ordinary'],
      ['detectSQLi', '', 'ordinary'],
      ['detectXSS', '', 'ordinary'],
    ]
    for (const [name, parameter, value] of rows)
      assert.equal(meets(compiled(name, parameter).requirements, value), false, `${name} ${parameter}`)
  })
})
