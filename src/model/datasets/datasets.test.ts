import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FieldType } from '../dataset.ts'
import { datasets } from './table.ts'

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

const counts: Readonly<Record<string, number>> = { http_requests: 123, firewall_events: 47, audit_logs: 15 }

for (const [name, dataset] of datasets) {
  test(`${name}: every field is complete, and names are unique`, () => {
    assert.equal(dataset.name, name)
    assert.equal(dataset.fields.length, counts[name])
    assert.equal(new Set(dataset.fields.map(field => field.name)).size, counts[name])
    for (const field of dataset.fields) {
      assert.ok(types.includes(field.type), `${field.name}: ${field.type}`)
      assert.ok(field.description.length > 0 && field.from.length > 0, field.name)
    }
  })

  test(`${name}: default fields are fields`, () => {
    const names = new Set(dataset.fields.map(field => field.name))
    for (const field of dataset.defaultFields) assert.ok(names.has(field), field)
  })

  // The reference lists the fields of the request datasets; it describes the audit trail only in prose.
  if (name === 'audit_logs') continue
  test(`${name}: names and types equal the reference`, t => {
    const wanted = referenceOf(name)
    if (wanted === undefined) return t.skip('the reference is not here')
    assert.deepEqual(
      dataset.fields.map(({ name, type }) => [name, type]),
      wanted,
    )
  })
}

/** Name and type of each field. The reference's `int or string` is our timestamp. */
function referenceOf(dataset: string): readonly (readonly [string, string])[] | undefined {
  const path = join(import.meta.dirname, '../../../../shared/reference/datasets', `${dataset}.json`)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const fields = JSON.parse(text) as readonly { readonly name: string; readonly type: string }[]
  return fields.map(({ name, type }) => [name, type.startsWith('int or string') ? 'timestamp' : type])
}
