import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '../model/dataset.ts'
import { compileFilter } from './compile.ts'
import { explainFilter } from './explain.ts'
import { measureFilter } from './measure.ts'
import { filterTree } from './parse.ts'
import { printFilter } from './print.ts'
import { pick, randomFrom, randomRecord, randomTree, smallDataset } from './testing/random-filter.ts'
import type { FilterCriterion, FilterNode, FilterValue } from './types.ts'

const seed = Number(process.env['SEED'] ?? 20261121)

/** The rules of docs/reference/logpush.md, written word by word without regard to speed. */
function keeps(node: FilterNode, record: LogRecord): boolean {
  if (node.kind !== 'criterion') {
    const results = node.nodes.map(child => keeps(child, record))
    return node.kind === 'and' ? !results.includes(false) : results.includes(true)
  }
  const negated = node.operator.startsWith('!')
  return negated !== holds(node, record)
}

function holds({ key, operator, value }: FilterCriterion, record: LogRecord): boolean {
  const isArray = key.startsWith('array')
  const type = isArray ? key.slice(6, -1) : key
  const wanted = (typeof value === 'object' ? value : [value]).map(one => comparable(one, type))
  const empty = isArray ? [] : type === 'string' ? '' : type === 'bool' ? false : 0
  const found = record[key] ?? empty
  if (isArray) return (found as FilterValue[]).some(element => wanted.includes(comparable(element, type)))
  const actual = comparable(found as FilterValue, type)
  const other = wanted[0]!
  switch (operator.replace('!', '')) {
    case 'lt':
      return actual < other
    case 'leq':
      return actual <= other
    case 'gt':
      return actual > other
    case 'geq':
      return actual >= other
    case 'startsWith':
      return (actual as string).startsWith(other as string)
    case 'endsWith':
      return (actual as string).endsWith(other as string)
    case 'contains':
      return (actual as string).includes(other as string)
    default:
      return wanted.includes(actual)
  }
}

function comparable(value: FilterValue, type: string): FilterValue {
  switch (type) {
    case 'string':
      return value
    case 'bool':
      return String(value) === 'true'
    case 'timestamp':
      return BigInt(value)
    default:
      return Number(value)
  }
}

test('random filters keep the same records as the slow evaluator, and survive printing', () => {
  const random = randomFrom(seed)
  let kept = 0
  let tried = 0
  for (let round = 0; round < 3_000; round++) {
    const tree = randomTree(random, 3)
    const text = printFilter(tree)
    const shown = `seed ${seed}: ${text}`
    const size = measureFilter(text)
    const outcome = compileFilter(text, smallDataset)
    const fits = size.bytes <= size.bytesMax && size.operators <= size.operatorsMax
    assert.equal(outcome.ok, fits, shown)
    if (!outcome.ok) continue
    assert.equal(outcome.operators, size.operators, shown)
    assert.deepEqual(filterTree(text), { ok: true, tree }, shown)
    for (let i = 0; i < 10; i++) {
      const record = randomRecord(random)
      const want = keeps(tree, record)
      assert.equal(outcome.test(record), want, `${shown} ${JSON.stringify(record)}`)
      tried++
      if (want) kept++
    }
  }
  assert.ok(kept > tried / 10 && kept < (tried * 9) / 10, `${kept} of ${tried}`)
})

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"where":',
  '{"where":',
  '"and":',
  '{"or":[',
  '"key":"int"',
  '"key":"string"',
  '"operator":"eq"',
  '"operator":"!in"',
  '"operator":"neq"',
  '"value":',
  '"a"',
  '1',
  '-0',
  '1e400',
  '99999999999999999999',
  'null',
  'true',
  '"\\ud800"',
  '"__proto__":',
  '\\',
  '"',
  ' ',
  'é',
  '{"key":"array[int]","operator":"in","value":[1]}',
]

test('any text is a filter or is refused with a position in it', () => {
  const random = randomFrom(seed)
  let compiled = 0
  for (let round = 0; round < 20_000; round++) {
    const text = mutated(random)
    const shown = `seed ${seed}: ${JSON.stringify(text)}`
    const outcome = compileFilter(text, smallDataset)
    const explained = explainFilter(text, smallDataset)
    if (text !== '') assert.equal(outcome.ok, explained.ok, shown)
    if (outcome.ok) {
      compiled++
      for (const record of [{}, randomRecord(random)])
        assert.equal(typeof outcome.test(record), 'boolean', shown)
    } else if (outcome.problem.pointer !== '') assertPosition(text, outcome.problem.pointer, shown)
  }
  assert.ok(compiled > 100, `only ${compiled} texts compiled`)
})

/** Pieces in any order, or a valid filter with some characters changed. */
function mutated(random: () => number): string {
  if (random() < 0.5)
    return Array.from({ length: Math.floor(random() * 12) }, () => pick(random, pieces)).join('')
  let text = printFilter(randomTree(random, 2))
  for (let i = Math.floor(random() * 3); i > 0; i--) {
    const at = Math.floor(random() * text.length)
    text = text.slice(0, at) + (random() < 0.5 ? '' : pick(random, pieces)) + text.slice(at + 1)
  }
  return text
}

function assertPosition(text: string, pointer: string, shown: string): void {
  let value: unknown = JSON.parse(text)
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    assert.ok(typeof value === 'object' && value !== null && Object.hasOwn(value, key), `${shown} ${pointer}`)
    value = (value as Record<string, unknown>)[key]
  }
}
