import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileExpression } from './compile-expression.ts'
import type { Field, Scheme } from './types.ts'

const fields: readonly Field<string>[] = [
  { name: 's', type: 'String', read: text => text },
  { name: 'n', type: 'Integer', read: text => text.length },
  { name: 'b', type: 'Boolean', read: text => text === 'x' },
  { name: 'i', type: 'IP', read: () => '192.0.2.1' },
  { name: 'a', type: 'Array<String>', read: text => [...text] },
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

test('any text compiles or is refused with its place inside the text; what compiles evaluates', () => {
  const seed = Number(process.env['SEED'] ?? 20261121)
  const random = randomFrom(seed)
  let compiledCount = 0
  for (let round = 0; round < 20_000; round++) {
    const length = 1 + Math.floor(random() * 9)
    const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('')
    const shown = `seed ${seed}: ${JSON.stringify(text)}`
    const outcome = compileExpression(text, scheme)
    if (outcome.ok) {
      compiledCount++
      for (const context of ['', 'x', 'Abc']) assert.equal(typeof outcome.test(context), 'boolean', shown)
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
