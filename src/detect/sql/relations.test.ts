import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordinaryValues } from '../testing/ordinary-values.ts'
import { sqlAttacks } from '../testing/sql-attacks.ts'
import { detectSqli } from './detect.ts'

/** Changes that databases ignore. They must not change whether a value is detected. */

/** Text outside strings, quoted names and comments. */
function outside(value: string, change: (text: string) => string): string {
  return value
    .split(/('[^']*'?|"[^"]*"?|`[^`]*`|--.*|#.*|\/\*.*?(?:\*\/|$))/s)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

const blanks = (blank: string) => (value: string) => outside(value, text => text.replaceAll(/\s+/g, blank))
const alternate = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter, at: number) =>
    at % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase(),
  )

const relations: Readonly<Record<string, (value: string) => string>> = {
  'upper case': value => value.toUpperCase(),
  'alternating case': alternate,
  'tabs for blanks': blanks('\t'),
  'line feeds for blanks': blanks('\n'),
  'vertical tabs for blanks': blanks('\v'),
  'no-break spaces for blanks': blanks('\xa0'),
  'many blanks': blanks(' '.repeat(300)),
  'comments for blanks': blanks('/**/'),
  'long comments for blanks': blanks(`/*${'x '.repeat(300)}*/`),
  'line comments for blanks': blanks(' -- x\n'),
  'blanks in front': value => `  \t${value}`,
  'a long string in front': value => (/^\w*'/.test(value) ? `${'lorem ipsum '.repeat(200)}${value}` : value),
  'a blank before parentheses': value => outside(value, text => text.replaceAll(/(\w)\(/g, '$1 (')),
  'a comment before parentheses': value => outside(value, text => text.replaceAll(/(\w)\(/g, '$1/*x*/(')),
  'numbers in hexadecimal': value =>
    outside(value, text =>
      text.replaceAll(/(?<![\w.@])\d+(?![\w.])/g, digits => `0x${Number(digits).toString(16)}`),
    ),
  'numbers with an exponent': value =>
    outside(value, text => text.replaceAll(/(?<![\w.@])\d+(?![\w.])/g, digits => `${digits}e0`)),
  'numbers in parentheses': value =>
    outside(value, text => text.replaceAll(/(?<=[=<>]\s*)\d+(?![\w.])/g, digits => `((${digits}))`)),
  'signs before numbers': value =>
    outside(value, text => text.replaceAll(/(?<=[=<>]\s*)\d+(?![\w.])/g, digits => `- -${digits}`)),
  '|| for OR, && for AND': value =>
    outside(value, text => text.replaceAll(/\bor\b/gi, '||').replaceAll(/\band\b/gi, '&&')),
}

for (const [name, change] of Object.entries(relations)) {
  test(`attacks with ${name}`, () => {
    const lost = sqlAttacks.filter(value => detectSqli(change(value)) === null)
    assert.deepEqual(lost, [])
  })
}

test('ordinary values in another case and with other blanks', () => {
  for (const name of [
    'upper case',
    'alternating case',
    'tabs for blanks',
    'many blanks',
    'blanks in front',
  ]) {
    const alarms = ordinaryValues.filter(value => detectSqli(relations[name]!(value)) !== null)
    assert.deepEqual(alarms, [], name)
  }
})

/** Numbers below a bound, reproducible. */
function randomBelow(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
}

/** Conditions that are always true in the databases. */
class Generator {
  readonly #random: (below: number) => number

  constructor(seed: number) {
    this.#random = randomBelow(seed)
  }

  pick(list: readonly string[]): string {
    return list[this.#random(list.length)]!
  }

  gap(): string {
    return this.pick([' ', '  ', '\t', '\n', '/**/', '/* x */', '\r\n', ' \x0b', ' -- x\n'])
  }

  constant(depth: number): string {
    const simple = () =>
      this.pick(['1', '-7', '0x41', '1e1', '.5', '1.', "'a'", "x'41'", '@a', '@@version', 'null', 'true'])
    if (depth === 0) return simple()
    switch (this.#random(6)) {
      case 0:
        return `(${this.constant(depth - 1)})`
      case 1:
        return `${this.constant(depth - 1)}${this.pick(['+', ' - ', '*', ' div ', '|', '%'])}${this.constant(depth - 1)}`
      case 2:
        return `${this.pick(['- ', '~', '+', 'binary '])}${this.constant(depth - 1)}`
      default:
        return simple()
    }
  }

  condition(depth: number): string {
    const sign = this.pick([
      '=',
      '<',
      '>=',
      '<>',
      '!=',
      ' like ',
      ' not like ',
      ' regexp ',
      '<=>',
      ' sounds like ',
    ])
    const comparison = `${this.constant(depth)}${sign}${this.constant(depth)}`
    if (depth === 0) return comparison
    switch (this.#random(5)) {
      case 0:
        return `(${this.condition(depth - 1)})`
      case 1:
        return `not${this.gap()}(${this.condition(depth - 1)})`
      case 2:
        return `${comparison}${this.gap()}${this.pick(['or', 'and', 'xor', '||', '&&'])}${this.gap()}${this.condition(depth - 1)}`
      default:
        return comparison
    }
  }

  attack(): string {
    const host = this.pick([
      '1',
      '-1',
      'x',
      "x'",
      'x"',
      "x')",
      '1)',
      '1))',
      "x'))",
      "it's 5 o'clock",
      'red blue x',
    ])
    const tail = this.pick(['', ' ', '-- ', '#', '/*', ';', ' -- x', ' and 1=1'])
    const logic = this.pick(['or', 'and', 'OR', '||', '&&', 'xor'])
    return `${host}${this.gap()}${logic}${this.gap()}${this.condition(this.#random(4))}${tail}`
  }
}

test('generated conditions after all kinds of operands', () => {
  const generator = new Generator(942_100)
  const lost: string[] = []
  for (let round = 0; round < 20_000; round++) {
    const value = generator.attack()
    if (detectSqli(value) === null) lost.push(value)
  }
  assert.deepEqual(lost.slice(0, 20), [])
})
