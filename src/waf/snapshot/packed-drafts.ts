import { stringOfBytes } from '../../kit/bytes.ts'
import type { PackReader, PackWriter } from '../../kit/packing.ts'
import type { Action, OperatorCall, Selector, Span, VariableSelector } from '../../seclang/ast.ts'
import type { Draft, LinkDraft, Phase, RuleDraft } from '../program/draft.ts'
import { Numbering } from './numbering.ts'

/**
 * Rules before compilation, as rows of numbers. Most texts, actions and variables are in many rules and are stored
 * once. Positions within a rule are not stored, because there are no mistakes left to report.
 */
export function packDrafts(drafts: readonly Draft[], pack: PackWriter): void {
  const tables = new Tables()
  const rows = drafts.flatMap(draft =>
    draft.kind === 'marker' ? [marker, tables.strings.of(draft.name)] : tables.rule(draft),
  )
  tables.pack(pack)
  pack.numbers(Int32Array.from(rows))
  const texts = drafts.flatMap(draft => (draft.kind === 'rule' ? [draft.text()] : []))
  pack.text(texts.join(''))
  pack.numbers(Int32Array.from(endsOf(texts)))
}

export function unpackDrafts(pack: PackReader): readonly Draft[] {
  return new DraftReader(pack).drafts()
}

/** In the field of a rule's phase. */
const marker = 0
/** In the field of a number, for an absent thing. */
const absent = -1
const selectorKinds = ['all', 'key', 'regex', 'xpath'] as const

class Tables {
  readonly strings = new Numbering<string>(text => text)
  readonly #actions = new Numbering<Action>(({ name, value }) => JSON.stringify([name, value]))
  readonly #variables = new Numbering<VariableSelector>(({ span, ...variable }) => JSON.stringify(variable))
  readonly #lists = new Numbering<readonly number[]>(numbers => numbers.join())

  rule({ id, phase, span, links, defaults, text: _, kind: __ }: RuleDraft): number[] {
    return [
      phase,
      id,
      this.strings.of(span.source),
      span.line,
      this.#actionsOf(defaults),
      links.length,
      ...links.flatMap(link => this.#link(link)),
    ]
  }

  #link({ operator, variables, actions }: LinkDraft): number[] {
    return [
      operator === undefined ? absent : this.strings.of(operator.name),
      operator?.negated === true ? 1 : 0,
      operator === undefined ? absent : this.strings.of(operator.parameter),
      this.#lists.of(variables.map(variable => this.#variables.of(variable))),
      this.#actionsOf(actions),
    ]
  }

  #actionsOf(actions: readonly Action[]): number {
    return this.#lists.of(actions.map(action => this.#actions.of(action)))
  }

  pack(pack: PackWriter): void {
    const actions = this.#actions.things.flatMap(({ name, value }) => [
      this.strings.of(name),
      this.#text(value),
    ])
    const variables = this.#variables.things.flatMap(variable => this.#variable(variable))
    pack.text(JSON.stringify(this.strings.things))
    pack.numbers(Int32Array.from(actions))
    pack.numbers(Int32Array.from(variables))
    pack.number(this.#lists.things.length)
    for (const list of this.#lists.things) pack.numbers(Int32Array.from(list))
  }

  #variable({ name, exclude, count, selector }: VariableSelector): number[] {
    const kind = selectorKinds.indexOf(selector.kind)
    return [this.strings.of(name), exclude ? 1 : 0, count ? 1 : 0, kind, this.#text(textOf(selector))]
  }

  #text(text: string | undefined): number {
    return text === undefined ? absent : this.strings.of(text)
  }
}

function textOf(selector: Selector): string | undefined {
  switch (selector.kind) {
    case 'all':
      return undefined
    case 'key':
      return selector.key
    case 'regex':
      return selector.pattern
    case 'xpath':
      return selector.path
  }
}

function selectorOf(kind: Selector['kind'], text: string): Selector {
  switch (kind) {
    case 'all':
      return { kind }
    case 'key':
      return { kind, key: text }
    case 'regex':
      return { kind, pattern: text }
    case 'xpath':
      return { kind, path: text }
  }
}

function endsOf(texts: readonly string[]): number[] {
  let end = 0
  return texts.map(text => (end += text.length))
}

class DraftReader {
  readonly #strings: readonly string[]
  readonly #actions: readonly Action[]
  readonly #variables: readonly VariableSelector[]
  readonly #lists: readonly Int32Array[]
  readonly #variableLists: (readonly VariableSelector[])[] = []
  readonly #actionLists: (readonly Action[])[] = []
  readonly #rows: Int32Array
  readonly #texts: RuleTexts
  #at = 0
  #rules = 0

  constructor(pack: PackReader) {
    const strings: readonly string[] = JSON.parse(pack.text())
    this.#strings = strings
    const text = (number: number): string => strings[number] ?? ''
    this.#actions = rowsOf(pack.numbers(), 2, (row, at) => ({
      span: nowhere,
      name: text(row[at]!),
      ...(row[at + 1] === absent ? {} : { value: text(row[at + 1]!) }),
    }))
    this.#variables = rowsOf(pack.numbers(), 5, (row, at) => ({
      span: nowhere,
      name: text(row[at]!),
      exclude: row[at + 1] === 1,
      count: row[at + 2] === 1,
      selector: selectorOf(selectorKinds[row[at + 3]!]!, text(row[at + 4]!)),
    }))
    this.#lists = Array.from({ length: pack.number() }, () => pack.numbers())
    this.#rows = pack.numbers()
    this.#texts = new RuleTexts(pack.bytes(), pack.numbers())
  }

  drafts(): readonly Draft[] {
    const drafts: Draft[] = []
    while (this.#at < this.#rows.length) drafts.push(this.#draft())
    return drafts
  }

  #draft(): Draft {
    const phase = this.#next()
    if (phase === marker) return { kind: 'marker', name: this.#string() }
    const id = this.#next()
    const span = { source: this.#string(), line: this.#next(), column: 1, length: 1 }
    const defaults = this.#actionsHere()
    const links = Array.from({ length: this.#next() }, () => this.#link(span))
    const text = this.#texts.of(this.#rules++)
    return { kind: 'rule', id, phase: phase as Phase, span, text, links, defaults }
  }

  #link(span: Span): LinkDraft {
    const operator = this.#operator(span)
    return { span, operator, variables: this.#variablesHere(), actions: this.#actionsHere() }
  }

  #operator(span: Span): OperatorCall | undefined {
    const name = this.#next()
    const negated = this.#next() === 1
    const parameter = this.#next()
    if (name === absent) return undefined
    return { span, name: this.#strings[name]!, negated, parameter: this.#strings[parameter]! }
  }

  #variablesHere(): readonly VariableSelector[] {
    const list = this.#next()
    this.#variableLists[list] ??= Array.from(this.#lists[list]!, number => this.#variables[number]!)
    return this.#variableLists[list]
  }

  #actionsHere(): readonly Action[] {
    const list = this.#next()
    this.#actionLists[list] ??= Array.from(this.#lists[list]!, number => this.#actions[number]!)
    return this.#actionLists[list]
  }

  #string(): string {
    return this.#strings[this.#next()]!
  }

  #next(): number {
    return this.#rows[this.#at++]!
  }
}

/** The texts of the packed drafts in a program. They are read at each use, because only people need them. */
class RuleTexts {
  readonly #bytes: Uint8Array
  readonly #ends: Int32Array

  constructor(bytes: Uint8Array, ends: Int32Array) {
    this.#bytes = bytes
    this.#ends = ends
  }

  of(rule: number): () => string {
    const start = rule === 0 ? 0 : this.#ends[rule - 1]!
    return () => stringOfBytes(this.#bytes.subarray(start, this.#ends[rule]))
  }
}

const nowhere: Span = { source: '', line: 1, column: 1, length: 1 }

function rowsOf<T>(numbers: Int32Array, width: number, read: (numbers: Int32Array, at: number) => T): T[] {
  const rows: T[] = []
  for (let at = 0; at < numbers.length; at += width) rows.push(read(numbers, at))
  return rows
}
