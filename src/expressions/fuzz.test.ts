import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, type Field, format, type Scheme } from './index.ts'
import type { Expression } from './syntax/ast.ts'
import { Lexer } from './syntax/lexer.ts'
import { parseFilter } from './syntax/parser.ts'
import { randomFilter } from './testing/random-expression.ts'

const fields: readonly Field<string>[] = [
  { name: 's', type: 'String', read: text => text },
  { name: 'n', type: 'Integer', read: text => text.length },
  { name: 'b', type: 'Boolean', read: text => text === 'x' },
  { name: 'i', type: 'IP', read: () => '192.0.2.1' },
  { name: 'a', type: 'Array<String>', read: text => [...text] },
  { name: 'flags', type: 'Array<Boolean>', read: text => [...text].map(byte => byte === 'x') },
  { name: 'm', type: 'Map<Array<String>>', read: text => new Map([[text, [text]]]) },
]

const scheme: Scheme<string> = { fields: new Map(fields.map(field => [field.name, field])) }

const pieces = [
  's',
  'n',
  'b',
  'i',
  'a',
  'm',
  '[*]',
  '[0]',
  '["x"]',
  '(',
  ')',
  '{',
  '}',
  ' ',
  ' ',
  ' ',
  'eq ',
  'ne ',
  'in ',
  '< ',
  '& ',
  'contains ',
  'wildcard ',
  '"x"',
  '"\\x41*"',
  'r#"x"#',
  '61:62',
  '5',
  '-010',
  '0x1F',
  '1..9',
  '192.0.2.1',
  '10.0.0.0/8',
  '::1',
  'and ',
  'or ',
  'xor ',
  'not ',
  '!',
  '&&',
  'any(',
  'all(',
  'lower(',
  'len(',
  'starts_with(',
  'concat(',
  'split(',
  'coalesce(',
  'regex_replace(',
  'url_decode(',
  'matches ',
  '(?i)[a-z]+',
  ' $list',
  ',',
  'true',
  'é',
  '\n',
  '\t',
  '"',
  '\\',
  '$x',
]

/** Numbers below 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const seed = Number(process.env['SEED'] ?? 20261121)

test('any text compiles or is refused with a position inside the text; compiled texts evaluate', () => {
  const random = randomFrom(seed)
  let compiledCount = 0
  for (let round = 0; round < 20_000; round++) {
    const length = 1 + Math.floor(random() * 9)
    const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('')
    const shown = `seed ${seed}: ${JSON.stringify(text)}`
    const outcome = compile(text, scheme)
    if (outcome.ok) {
      compiledCount++
      for (const context of ['', 'x', 'Abc']) assert.equal(typeof outcome.test(context), 'boolean', shown)
      requireSameTree(text, shown)
      continue
    }
    const { line, column, length: carets } = outcome.diagnostic
    assert.ok(line >= 1 && line <= text.split('\n').length && column >= 1 && carets >= 1, shown)
    assert.ok(
      outcome.text.startsWith(`Filter parsing error (${line}:${column}):\n`) && outcome.text.endsWith('\n'),
      shown,
    )
  }
  assert.ok(compiledCount > 20, `only ${compiledCount} texts compiled`)
})

test('random expressions compile, and their printed form reads as the same tree', () => {
  const random = randomFrom(seed)
  for (let round = 0; round < 5_000; round++) {
    const text = randomFilter(random)
    const shown = `seed ${seed}: ${text}`
    const outcome = compile(text, scheme)
    assert.ok(outcome.ok, outcome.ok ? '' : `${shown}\n${outcome.text}`)
    const printed = requireSameTree(text, shown)
    const again = compile(printed, scheme)
    assert.ok(again.ok, printed)
    for (const context of ['', 'x', 'Abc']) assert.equal(again.test(context), outcome.test(context), shown)
  }
})

/** @returns the result of `format` for the text */
function requireSameTree(text: string, shown: string): string {
  const printed = format(text, scheme)
  assert.ok(printed.ok, shown)
  assert.deepEqual(treeOf(printed.text), treeOf(text), `${shown}\n${printed.text}`)
  assert.deepEqual(format(printed.text, scheme), printed, shown)
  return printed.text
}

/** Without positions in the text, and with the source of compiled parts. */
function treeOf(text: string): unknown {
  const tree: Expression<string> = parseFilter(new Lexer(text), scheme).tree
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) => {
      if (key === 'span' || typeof value === 'function') return undefined
      if (key === 'matcher') return (value as { source: string }).source
      return typeof value === 'bigint' ? `${value}n` : value
    }),
  )
}
