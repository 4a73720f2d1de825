import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldType } from '../dataset.ts'
import { httpRequests } from './http-requests.ts'

const types: readonly FieldType[] = [
  'string',
  'int',
  'bool',
  'float',
  'timestamp',
  'array[string]',
  'array[int]',
  'array[object]',
  'object',
]

test('every field is whole, and names stand once', () => {
  assert.equal(httpRequests.fields.length, 123)
  assert.equal(new Set(httpRequests.fields.map(field => field.name)).size, 123)
  for (const field of httpRequests.fields) {
    assert.ok(types.includes(field.type), `${field.name}: ${field.type}`)
    assert.ok(field.description.length > 0 && field.from.length > 0, field.name)
  }
})

test('default fields are fields', () => {
  const names = new Set(httpRequests.fields.map(field => field.name))
  for (const name of httpRequests.defaultFields) assert.ok(names.has(name), name)
})
