import { logpushLimits } from '../kit/limits.ts'
import { nearest } from '../kit/nearest.ts'
import type { Dataset, DatasetField } from '../model/dataset.ts'
import { criterion } from './criterion.ts'
import { type FilterKind, kindOf, operatorKinds } from './operators.ts'
import type { FilterOutcome, FilterProblem, LogPredicate } from './types.ts'

/**
 * Parses, checks and compiles the filter of a log push job.
 * @param filter JSON text `{"where": …}`; see docs/logpush.md for the grammar
 * @param dataset gives each field its type
 * @source Cloudflare, "Logpush filters"; limits and the table of operators as documented there
 */
export function compileFilter(filter: string, dataset: Dataset): FilterOutcome {
  const bytes = new TextEncoder().encode(filter).length
  if (bytes > logpushLimits.filterBytesMax)
    return refused('', `the filter has ${bytes} bytes, the limit is ${logpushLimits.filterBytesMax}`)
  const parsed = parseJson(filter)
  if (!parsed.ok) return refused('', parsed.message)
  const root = parsed.value
  if (!isObject(root)) return refused('', 'a filter is an object: {"where": …}')
  const extra = Object.keys(root).find(key => key !== 'where')
  if (extra !== undefined)
    return refused(`/${escaped(extra)}`, `unknown key "${extra}": a filter has only "where"`)
  if (!('where' in root)) return refused('', 'the filter has no "where"')

  const fields = new Map(dataset.fields.map(field => [field.name, field]))
  const compiler = new FilterCompiler(fields, dataset.name)
  const test = compiler.expression(root['where'], '/where')
  if (compiler.problem !== undefined || test === undefined) return { ok: false, problem: compiler.problem! }
  return { ok: true, test, operators: compiler.operators, bytes }
}

/** Walks one filter; stops at the first problem. Depth is bounded by the filter's bytes. */
class FilterCompiler {
  operators = 0
  problem: FilterProblem | undefined
  readonly #fields: ReadonlyMap<string, DatasetField>
  readonly #dataset: string

  constructor(fields: ReadonlyMap<string, DatasetField>, dataset: string) {
    this.#fields = fields
    this.#dataset = dataset
  }

  expression(node: unknown, pointer: string): LogPredicate | undefined {
    if (!isObject(node))
      return this.#refuse(pointer, 'expected an object: a criterion, {"and": […]} or {"or": […]}')
    this.operators++
    if (this.operators > logpushLimits.filterOperatorsMax)
      return this.#refuse(pointer, `the filter has more than ${logpushLimits.filterOperatorsMax} operators`)
    if ('and' in node) return this.#group(node, 'and', pointer)
    if ('or' in node) return this.#group(node, 'or', pointer)
    return this.#criterion(node, pointer)
  }

  #group(node: JsonNode, word: 'and' | 'or', pointer: string): LogPredicate | undefined {
    const other = Object.keys(node).find(key => key !== word)
    if (other !== undefined)
      return this.#refuse(`${pointer}/${escaped(other)}`, `"${word}" cannot stand beside "${other}"`)
    const children = node[word]
    if (!Array.isArray(children) || children.length === 0)
      return this.#refuse(`${pointer}/${word}`, `"${word}" needs an array of at least one expression`)
    const tests: LogPredicate[] = []
    for (const [index, child] of children.entries()) {
      const test = this.expression(child, `${pointer}/${word}/${index}`)
      if (test === undefined) return undefined
      tests.push(test)
    }
    return word === 'and'
      ? record => tests.every(test => test(record))
      : record => tests.some(test => test(record))
  }

  #criterion(node: JsonNode, pointer: string): LogPredicate | undefined {
    for (const key of ['key', 'operator', 'value'])
      if (!(key in node)) return this.#refuse(pointer, `the criterion has no "${key}"`)
    const other = Object.keys(node).find(key => key !== 'key' && key !== 'operator' && key !== 'value')
    if (other !== undefined)
      return this.#refuse(`${pointer}/${escaped(other)}`, `unknown key "${other}" in a criterion`)
    const field = this.#field(node['key'], `${pointer}/key`)
    if (field === undefined) return undefined
    const kind = kindOf(field.type)
    if (kind === 'none')
      return this.#refuse(
        `${pointer}/key`,
        `fields of type ${field.type} such as ${field.name} cannot be filtered on`,
      )
    const operator = this.#operator(node['operator'], kind, field, `${pointer}/operator`)
    if (operator === undefined) return undefined
    const compiled = criterion(field, kind, operator, node['value'])
    return compiled.ok ? compiled.test : this.#refuse(`${pointer}/value${compiled.at}`, compiled.message)
  }

  #field(key: unknown, pointer: string): DatasetField | undefined {
    if (typeof key !== 'string') return this.#refuse(pointer, '"key" is the name of a log field')
    const field = this.#fields.get(key)
    if (field !== undefined) return field
    const close = nearest(key, this.#fields.keys())
    const hint = close === undefined ? '' : `; did you mean ${close}?`
    return this.#refuse(pointer, `${this.#dataset} has no field "${key}"${hint}`)
  }

  #operator(operator: unknown, kind: FilterKind, field: DatasetField, pointer: string): string | undefined {
    if (typeof operator !== 'string')
      return this.#refuse(pointer, '"operator" is one of the operators, as text')
    const kinds = operatorKinds.get(operator)
    if (kinds === undefined) {
      const known = [...operatorKinds.keys()].join(', ')
      return this.#refuse(pointer, `unknown operator "${operator}"; the operators are ${known}`)
    }
    if (kinds.includes(kind)) return operator
    const possible = [...operatorKinds].filter(([, allowed]) => allowed.includes(kind)).map(([name]) => name)
    return this.#refuse(
      pointer,
      `operator "${operator}" is not for ${field.name}, which is of type ${field.type}; possible are ${possible.join(', ')}`,
    )
  }

  #refuse(pointer: string, message: string): undefined {
    this.problem ??= { pointer, message }
    return undefined
  }
}

type JsonNode = { readonly [key: string]: unknown }

function isObject(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function refused(pointer: string, message: string): FilterOutcome {
  return { ok: false, problem: { pointer, message } }
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, message: `the filter is not JSON: ${(error as Error).message}` }
  }
}
