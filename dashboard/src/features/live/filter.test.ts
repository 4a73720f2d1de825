import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Condition, conditionFault, filterText, readFilter } from './filter.ts'

const path: Condition = { key: 'ClientRequestPath', operator: 'startsWith', value: '/api' }
const status: Condition = { key: 'EdgeResponseStatus', operator: 'geq', value: '400' }

test('conditions are written in the API’s form, and read back', () => {
  const rows: [conditions: readonly Condition[], text: string][] = [
    [[], ''],
    [[path], '{"where":{"key":"ClientRequestPath","operator":"startsWith","value":"/api"}}'],
    [
      [path, status],
      '{"where":{"and":[{"key":"ClientRequestPath","operator":"startsWith","value":"/api"},{"key":"EdgeResponseStatus","operator":"geq","value":400}]}}',
    ],
  ]
  for (const [conditions, text] of rows) {
    assert.equal(filterText(conditions), text)
    assert.deepEqual(readFilter(text), conditions)
  }
})

test('other filters are not read as conditions', () => {
  for (const text of [
    'no json',
    '{}',
    '{"where":null}',
    '{"where":{"or":[{"key":"A","operator":"eq","value":"b"}]}}',
    '{"where":{"and":[{"or":[]}]}}',
    '{"where":{"key":"A","operator":"in","value":["b"]}}',
    '{"where":{"key":"A","operator":"toString","value":"b"}}',
  ])
    assert.equal(readFilter(text), undefined, text)
})

test('a number field needs a number', () => {
  assert.equal(conditionFault(status), undefined)
  assert.equal(conditionFault({ ...status, value: '4xx' }), 'Enter a whole number')
  assert.equal(conditionFault({ ...status, value: '' }), 'Enter a value')
  assert.equal(conditionFault({ ...path, value: '4xx' }), undefined)
})
