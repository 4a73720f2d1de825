import { nearest } from '../kit/nearest.ts'
import { type JsonValue, readJson } from './json.ts'
import { logFilterLimits } from './limits.ts'
import { isOperator, meantOperator, operatorKinds } from './operators.ts'
import type {
  FilterCriterion,
  FilterGroup,
  FilterNode,
  FilterOperator,
  FilterProblem,
  FilterTreeOutcome,
  FilterValue,
} from './types.ts'

/**
 * The filter as a tree, checked as far as possible without a dataset: shape, operators and limits.
 * @param filter JSON text `{"where": …}`
 * @source Cloudflare, "Logpush filters"; docs/reference/logpush.md has the grammar
 */
export function filterTree(filter: string): FilterTreeOutcome {
  const bytes = bytesOf(filter)
  if (bytes > logFilterLimits.filterBytesMax)
    return refused('', `the filter has ${bytes} bytes, the limit is ${logFilterLimits.filterBytesMax}`)
  const json = readJson(filter)
  if (!json.ok) return refused('', `the filter is not JSON: ${json.message}`)
  const reader = new TreeReader()
  const tree = reader.root(json.value)
  return tree === undefined ? { ok: false, problem: reader.problem! } : { ok: true, tree }
}

/** UTF-8 bytes of a text; a lone surrogate counts as its replacement character. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Criteria, `and` and `or`: each counts. */
export function operatorsIn(node: FilterNode): number {
  if (node.kind === 'criterion') return 1
  return node.nodes.reduce((sum, child) => sum + operatorsIn(child), 1)
}

type JsonObject = ReadonlyMap<string, JsonValue>

const criterionKeys = ['key', 'operator', 'value'] as const

/** Reads one document; stops at the first problem. */
class TreeReader {
  problem: FilterProblem | undefined
  #operators = 0

  root(json: JsonValue): FilterNode | undefined {
    if (!isObject(json)) return this.#refuse('', 'a filter is an object: {"where": …}')
    const where = json.get('where')
    if (where === undefined) return this.#refuse('', `the filter has no "where": ${whereHint(json)}`)
    const extra = otherKey(json, ['where'])
    if (extra !== undefined)
      return this.#refuse(`/${escaped(extra)}`, `unknown key "${shown(extra)}": a filter has only "where"`)
    return this.#node(where, '/where')
  }

  #node(json: JsonValue, pointer: string): FilterNode | undefined {
    if (!isObject(json))
      return this.#refuse(pointer, 'expected an object: a criterion, {"and": […]} or {"or": […]}')
    this.#operators++
    if (this.#operators > logFilterLimits.filterOperatorsMax)
      return this.#refuse(pointer, `the filter has more than ${logFilterLimits.filterOperatorsMax} operators`)
    if (json.has('and')) return this.#group(json, 'and', pointer)
    if (json.has('or')) return this.#group(json, 'or', pointer)
    return this.#criterion(json, pointer)
  }

  #group(json: JsonObject, kind: 'and' | 'or', pointer: string): FilterGroup | undefined {
    const other = otherKey(json, [kind])
    if (other !== undefined)
      return this.#refuse(`${pointer}/${escaped(other)}`, `"${kind}" cannot stand beside "${shown(other)}"`)
    const children = json.get(kind)
    if (!isArray(children) || children.length === 0)
      return this.#refuse(`${pointer}/${kind}`, `"${kind}" needs an array of at least one expression`)
    const nodes: FilterNode[] = []
    for (const [index, child] of children.entries()) {
      const node = this.#node(child, `${pointer}/${kind}/${index}`)
      if (node === undefined) return undefined
      nodes.push(node)
    }
    return { kind, nodes }
  }

  #criterion(json: JsonObject, pointer: string): FilterCriterion | undefined {
    const other = otherKey(json, criterionKeys)
    if (other !== undefined) return this.#refuse(`${pointer}/${escaped(other)}`, unknownKey(other))
    const missing = criterionKeys.find(name => !json.has(name))
    if (missing !== undefined) return this.#refuse(pointer, `the criterion has no "${missing}"`)
    const key = json.get('key')
    if (typeof key !== 'string') return this.#refuse(`${pointer}/key`, '"key" is the name of a log field')
    const operator = this.#operator(json.get('operator')!, `${pointer}/operator`)
    if (operator === undefined) return undefined
    const isSet = operator === 'in' || operator === '!in'
    const value = isSet
      ? this.#set(json.get('value')!, operator, `${pointer}/value`)
      : this.#scalar(json.get('value')!, operator, `${pointer}/value`)
    return value === undefined ? undefined : { kind: 'criterion', key, operator, value }
  }

  #operator(json: JsonValue, pointer: string): FilterOperator | undefined {
    if (typeof json !== 'string') return this.#refuse(pointer, '"operator" is one of the operators, as text')
    if (isOperator(json)) return json
    const meant = meantOperator(json)
    const hint =
      meant === undefined
        ? `the operators are ${[...operatorKinds.keys()].join(', ')}`
        : `here it is written "${meant}"`
    return this.#refuse(pointer, `unknown operator "${shown(json)}"; ${hint}`)
  }

  #scalar(json: JsonValue, operator: FilterOperator, pointer: string): FilterValue | undefined {
    if (isArray(json))
      return this.#refuse(
        pointer,
        `"${operator}" compares with one value; arrays are for "in" and "!in"${operator.endsWith('eq') ? ', for several values' : ''}`,
      )
    if (!isObject(json) && json !== null) return json
    return this.#refuse(pointer, 'a value is text, a number, true or false')
  }

  #set(json: JsonValue, operator: FilterOperator, pointer: string): readonly FilterValue[] | undefined {
    if (!isArray(json))
      return this.#refuse(
        pointer,
        `"${operator}" needs an array of values${typeof json === 'string' && json.includes(',') ? ': not a text with commas, but ["a", "b"]' : ''}`,
      )
    if (json.length === 0) return this.#refuse(pointer, 'the array is empty')
    const values: FilterValue[] = []
    for (const [index, element] of json.entries()) {
      if (isObject(element) || isArray(element) || element === null)
        return this.#refuse(`${pointer}/${index}`, 'a value is text, a number, true or false')
      values.push(element)
    }
    return values
  }

  #refuse(pointer: string, message: string): undefined {
    this.problem = { pointer, message }
    return undefined
  }
}

function isObject(json: JsonValue): json is JsonObject {
  return json instanceof Map
}

function isArray(json: JsonValue | undefined): json is readonly JsonValue[] {
  return Array.isArray(json)
}

function otherKey(json: JsonObject, known: readonly string[]): string | undefined {
  for (const key of json.keys()) if (!known.includes(key)) return key
  return undefined
}

/** The hint for a filter without `where`. */
function whereHint(json: JsonObject): string {
  const isExpression = ['key', 'and', 'or'].some(name => json.has(name))
  return isExpression ? 'put the criterion under it, {"where": {…}}' : 'it is {"where": …}'
}

function unknownKey(key: string): string {
  if (key === 'not') return 'there is no "not": operators are negated, as in "!eq"'
  const close = nearest(key.slice(0, 64), [...criterionKeys, 'and', 'or'])
  return `unknown key "${shown(key)}" in a criterion${close === undefined ? '' : `; did you mean "${close}"?`}`
}

/** Quotes a text of the filter in a message. */
function shown(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64)}…` : text
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function refused(pointer: string, message: string): FilterTreeOutcome {
  return { ok: false, problem: { pointer, message } }
}
