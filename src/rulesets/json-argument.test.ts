import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonArgumentName } from './json-argument.ts'

test('names of values in JSON bodies', () => {
  const rows: readonly (readonly [path: string, name: string | undefined])[] = [
    ['$.user.name', 'user.name'],
    ['user.name', 'user.name'],
    ['$.items[*].id', 'items.items.id'],
    ['items[0][12]', 'items.items.items'],
    ['$[*]', 'array.array'],
    ['$[0].id', 'array.array.id'],
    ['first name.straße', 'first name.straße'],
    ['', undefined],
    ['$', undefined],
    ['a..b', undefined],
    ['a.', undefined],
    ['a[', undefined],
    ['a[x]', undefined],
    ['a]b', undefined],
  ]
  for (const [path, name] of rows) assert.equal(jsonArgumentName(path), name, path)
})
