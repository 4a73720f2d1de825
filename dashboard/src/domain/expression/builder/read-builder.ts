import type { FieldInfo, Language } from '../types.ts'
import type { Builder, Group, Operator, Row } from './builder.ts'
import { kindOf, operatorsOf } from './builder-fields.ts'
import { printBuilder } from './print-builder.ts'
import { type Token, tokensOf } from './tokens.ts'

/**
 * Reads an expression into the builder.
 * @returns undefined for an invalid expression, or one that rows cannot represent. Any other result prints as the
 *   same expression, which the engine confirms.
 */
export function readBuilder(text: string, language: Language): Builder | undefined {
  const canonical = language.canonical(text)
  if (canonical === undefined) return undefined
  if (canonical === 'true') return { kind: 'all' }
  const tokens = tokensOf(canonical)
  const groups = tokens === undefined ? undefined : new Reader(tokens, language.fields).groups()
  if (groups === undefined || !groups.flat().every(row => isOffered(row, language.fields))) return undefined
  const builder: Builder = { kind: 'groups', groups }
  return language.canonical(printBuilder(builder, language.fields)) === canonical ? builder : undefined
}

function isOffered({ field, operator }: Row, fields: ReadonlyMap<string, FieldInfo>): boolean {
  return operatorsOf(fields.get(field)!).includes(operator)
}

/** Reads the canonical spelling only. It has parentheses around calls and around parts that rows cannot represent. */
class Reader {
  readonly #tokens: readonly Token[]
  readonly #fields: ReadonlyMap<string, FieldInfo>
  #at = 0

  constructor(tokens: readonly Token[], fields: ReadonlyMap<string, FieldInfo>) {
    this.#tokens = tokens
    this.#fields = fields
  }

  groups(): readonly Group[] | undefined {
    const groups: Row[][] = [[]]
    for (;;) {
      const row = this.#row()
      if (row === undefined) return undefined
      groups.at(-1)!.push(row)
      if (this.#at === this.#tokens.length) return groups
      if (this.#take('or')) groups.push([])
      else if (!this.#take('and')) return undefined
    }
  }

  #row(): Row | undefined {
    const negated = this.#take('not')
    if (!this.#takes('any', '(')) return withNot(this.#test(), negated)
    const test = this.#test()
    if (test === undefined || !this.#take(')')) return undefined
    return test.operator === 'eq' && negated ? { ...test, operator: 'ne' } : withNot(test, negated)
  }

  #test(): Row | undefined {
    if (this.#takes('len', '(')) return this.#presence()
    for (const operator of ['starts_with', 'ends_with'] as const) {
      if (this.#takes(operator, '(')) return this.#call(operator)
    }
    const operand = this.#operand()
    if (operand === undefined) return undefined
    const next = this.#tokens[this.#at]?.text
    if (next === undefined || next === 'and' || next === 'or')
      return { ...operand, operator: 'is on', values: [] }
    return this.#comparison(operand)
  }

  #presence(): Row | undefined {
    const operand = this.#operand()
    if (operand === undefined || !this.#takes(')', 'gt', '0')) return undefined
    return { ...operand, operator: 'is present', values: [] }
  }

  #call(operator: Operator): Row | undefined {
    const operand = this.#operand()
    if (operand === undefined || !this.#take(',')) return undefined
    const value = this.#text()
    return value === undefined || !this.#take(')') ? undefined : { ...operand, operator, values: [value] }
  }

  #comparison(operand: Operand): Row | undefined {
    const operator = this.#operator()
    if (operator === undefined) return undefined
    if (operator === 'in') return this.#set(operand)
    const value = this.#literal()
    return value === undefined ? undefined : { ...operand, operator, values: [value] }
  }

  #set(operand: Operand): Row | undefined {
    const list = this.#tokens[this.#at]
    if (list?.kind === 'bare' && list.text.startsWith('$')) {
      this.#at++
      return { ...operand, operator: 'in list', values: [list.text.slice(1)] }
    }
    if (!this.#take('{')) return undefined
    const values: string[] = []
    while (!this.#take('}')) {
      const value = this.#literal()
      if (value === undefined) return undefined
      values.push(value)
    }
    return { ...operand, operator: 'in', values }
  }

  #operand(): Operand | undefined {
    const name = this.#tokens[this.#at]
    const field = name?.kind === 'bare' ? this.#fields.get(name.text) : undefined
    const kind = field && kindOf(field)
    if (field === undefined || kind === undefined) return undefined
    this.#at++
    let key = ''
    if (kind === 'map') {
      if (!this.#take('[')) return undefined
      const text = this.#text()
      if (text === undefined || !this.#take(']')) return undefined
      key = text
    }
    // Printing the row again verifies the field and the operator.
    this.#takes('[', '*', ']')
    return { field: field.name, key }
  }

  #operator(): Operator | undefined {
    const word = this.#tokens[this.#at]?.text ?? ''
    if (this.#takes('strict', 'wildcard')) return 'strict wildcard'
    if (!comparisons.has(word)) return undefined
    this.#at++
    return word as Operator
  }

  #text(): string | undefined {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'text') return undefined
    this.#at++
    return token.text
  }

  #literal(): string | undefined {
    const token = this.#tokens[this.#at]
    if (token === undefined || token.kind === 'symbol') return undefined
    this.#at++
    return token.text
  }

  #take(word: string): boolean {
    return this.#takes(word)
  }

  #takes(...words: readonly string[]): boolean {
    const follow = words.every((word, index) => {
      const token = this.#tokens[this.#at + index]
      return token?.text === word && token.kind !== 'text'
    })
    if (follow) this.#at += words.length
    return follow
  }
}

type Operand = Pick<Row, 'field' | 'key'>

const comparisons: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'in',
  'contains',
  'matches',
  'wildcard',
])

const opposites: Partial<Readonly<Record<Operator, Operator>>> = {
  'is on': 'is off',
  'is present': 'is absent',
}

function withNot(row: Row | undefined, negated: boolean): Row | undefined {
  if (row === undefined || !negated) return row
  const operator = opposites[row.operator] ?? (`not ${row.operator}` as Operator)
  return { ...row, operator }
}
