import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepFor } from '../chart/steps.ts'
import { readFilter, readRayId, typedValue } from './filter.ts'

test('the address holds the filter under its names', () => {
  assert.deepEqual(readFilter({ action: 'block', path: '/a', range: '7d', host: '', why: 'x', method: 3 }), {
    action: 'block',
    path: '/a',
  })
})

test('a Ray ID is found in pasted text', () => {
  const id = '9f2d61e0c3a4b587'
  for (const text of [id, id.toUpperCase(), `${id}-AKL`, ` ${id} `, `Ray ID: ${id}`, `cf-ray:${id}-AKL`])
    assert.equal(readRayId(text), id, text)
  for (const text of ['', id.slice(1), `${id}0`, `${id} and more`, 'g'.repeat(16)])
    assert.equal(readRayId(text), undefined, text)
})

test('typed values are normalised like events', () => {
  assert.equal(typedValue('country', ' NZ '), 'nz')
  assert.equal(typedValue('method', 'post'), 'POST')
  assert.equal(typedValue('path', ' /A '), '/A')
  assert.equal(typedValue('ray_id', 'none'), undefined)
  assert.equal(typedValue('host', '  '), undefined)
})

test('a chart has a hundred bars at most', () => {
  const rows: readonly [minutes: number, step: number][] = [
    [15, 60],
    [100, 60],
    [101, 300],
    [360, 300],
    [1440, 900],
    [7 * 1440, 7200],
    [30 * 1440, 43_200],
    [31 * 1440, 43_200],
  ]
  const since = Date.parse('2026-01-02T00:00:00Z')
  for (const [minutes, step] of rows) {
    const until = new Date(since + minutes * 60_000).toISOString()
    assert.equal(stepFor(new Date(since).toISOString(), until), step, `${minutes} minutes`)
  }
})
