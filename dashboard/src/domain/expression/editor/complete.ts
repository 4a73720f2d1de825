import { commonFields, fieldLabel } from '../builder/builder-fields.ts'
import { type Piece, scan } from '../scan.ts'
import type { FieldInfo, Language } from '../types.ts'
import { comparisonWords, elementOf, logicWords, operatorWords } from '../words.ts'
import { functionHelp } from './function-help.ts'

export interface Completion {
  /** Text in the list of completions. */
  readonly label: string
  readonly kind: 'field' | 'function' | 'operator' | 'list'
  /** Type of the field, or arguments of the function. */
  readonly detail: string
  readonly info: string
  /** Inserted text, when it differs from the label. */
  readonly insert?: string
  /** Common completions come first. */
  readonly isCommon?: boolean
}

export interface Completions {
  /** Start of the word that the completion replaces. */
  readonly from: number
  readonly options: readonly Completion[]
}

/** Completions at the cursor; undefined inside a string, and where only a value is valid. */
export function completionsAt(text: string, at: number, language: Language): Completions | undefined {
  const pieces = scan(text.slice(0, at))
  const current = pieces.at(-1)
  if (current?.kind === 'string' && !(current.closed && current.to < at)) return undefined
  if (current?.kind === 'list' && current.to === at)
    return { from: current.from, options: listOptions(language) }
  const isWord = current?.kind === 'name' && current.to === at
  const from = isWord ? current.from : at
  const before = isWord ? pieces.slice(0, -1) : pieces
  const options = optionsBehind(before, text, language)
  return options === undefined ? undefined : { from, options }
}

function optionsBehind(
  before: readonly Piece[],
  text: string,
  language: Language,
): readonly Completion[] | undefined {
  const last = before.at(-1)
  if (last === undefined) return startOptions(language)
  const word = text.slice(last.from, last.to)
  if (last.kind === 'string' || last.kind === 'number' || last.kind === 'list' || word === '}')
    return logicOptions
  if (last.kind === 'name') return optionsBehindName(word, language)
  if (word === ']' || word === ')')
    return [...operatorOptions(typeBefore(before, text, language)), ...logicOptions]
  if (word === '{' || word === '[') return undefined
  return startOptions(language)
}

function optionsBehindName(word: string, language: Language): readonly Completion[] | undefined {
  const field = language.fields.get(word)
  if (field !== undefined)
    return field.type === 'Boolean' ? logicOptions : operatorOptions(elementOf(field.type))
  if (word === 'in') return listOptions(language)
  if (operatorWords.has(word)) return undefined
  return word === 'true' || word === 'false' ? logicOptions : startOptions(language)
}

/** The field before the brackets or parentheses; undefined for calls, whose results vary. */
function typeBefore(pieces: readonly Piece[], text: string, { fields }: Language): string | undefined {
  for (const piece of pieces.toReversed()) {
    const word = text.slice(piece.from, piece.to)
    if (word === ')' || word === '(') return undefined
    const field = piece.kind === 'name' ? fields.get(word) : undefined
    if (field !== undefined) return elementOf(field.type)
  }
  return undefined
}

function operatorOptions(type: string | undefined): readonly Completion[] {
  return comparisonWords
    .filter(({ types }) => type === undefined || types.includes(type))
    .map(({ word, text }) => ({ label: word, kind: 'operator', detail: text, info: '', insert: `${word} ` }))
}

const logicOptions: readonly Completion[] = logicWords.map(({ word, text }) => ({
  label: word,
  kind: 'operator',
  detail: text,
  info: '',
  insert: `${word} `,
}))

function startOptions({ fields, functions }: Language): readonly Completion[] {
  const not: Completion = { label: 'not', kind: 'operator', detail: 'negation', info: '', insert: 'not ' }
  return [...[...fields.values()].map(fieldOption), ...[...functions].map(functionOption), not]
}

function fieldOption({ name, type, description }: FieldInfo): Completion {
  const label = fieldLabel(name)
  const info = label === name ? description : `${label}. ${description}`
  return {
    label: name,
    kind: 'field',
    detail: type,
    info: info.replaceAll('`', ''),
    isCommon: commonFields.has(name),
  }
}

function functionOption(name: string): Completion {
  const help = functionHelp.get(name)
  return {
    label: name,
    kind: 'function',
    detail: help?.signature ?? '',
    info: help?.text ?? '',
    insert: `${name}(`,
  }
}

function listOptions({ lists }: Language): readonly Completion[] {
  return (lists ?? [])
    .filter(({ kind }) => kind !== 'redirect')
    .map(({ name, kind, description }) => ({
      label: `$${name}`,
      kind: 'list',
      detail: `${kind} list`,
      info: description ?? '',
    }))
}
