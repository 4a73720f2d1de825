import { isAlphanumeric } from '../../kit/ascii.ts'
import type { Requirements } from '../../regex/index.ts'
import { holding } from './literals.ts'
import { type Operator, type OperatorFactory, type OperatorOutcome, ready } from './operator.ts'
import { expandTemplate, literalOf, macrosOf, parseTemplate } from './template.ts'

/** Compares bytes; the parameter may hold macros. */

export const streq: OperatorFactory = parameter =>
  testing(parameter, (value, text) => value === text, holding)

/** The value is a part of the parameter; an empty value always is. */
export const within: OperatorFactory = parameter =>
  testing(parameter, (value, text) => text.includes(value), nothing)

export const beginsWith: OperatorFactory = parameter =>
  testing(parameter, (value, text) => value.startsWith(text), holding)

export const endsWith: OperatorFactory = parameter =>
  testing(parameter, (value, text) => value.endsWith(text), holding)

export const contains: OperatorFactory = parameter =>
  testing(parameter, (value, text) => value.includes(text), holding)

/** Contained without a letter, digit or `_` on either side. An empty parameter always is. */
export const containsWord: OperatorFactory = parameter => testing(parameter, hasWord, holding)

/** Same as `contains`, but the parameter is taken literally. */
export const strmatch: OperatorFactory = parameter =>
  ready(value => value.includes(parameter), { requirements: holding(parameter) })

/** @param requirements conditions that every value with a matching text meets */
function testing(
  parameter: string,
  holds: (value: string, text: string) => boolean,
  requirements: (text: string) => Requirements,
): OperatorOutcome {
  const template = parseTemplate(parameter)
  const literal = literalOf(template)
  if (literal !== undefined) {
    return ready(value => holds(value, literal), { requirements: requirements(literal) })
  }
  const test: Operator['test'] = (value, view) => holds(value, expandTemplate(template, view))
  return ready(test, { macros: macrosOf(template) })
}

function nothing(): Requirements {
  return []
}

function hasWord(value: string, word: string): boolean {
  if (word === '') return true
  for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + 1)) {
    if (!isWordByte(value.charCodeAt(at - 1)) && !isWordByte(value.charCodeAt(at + word.length))) return true
  }
  return false
}

function isWordByte(code: number): boolean {
  return isAlphanumeric(code) || code === 0x5f
}
