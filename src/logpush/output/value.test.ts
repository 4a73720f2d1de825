import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import { ndjsonWriter } from './value.ts'

const field = (name: string) => httpRequests.fields.find(candidate => candidate.name === name)!

test('NDJSON has every value in the form of JSON.stringify', () => {
  const numbers = [0, -0, 1, -1, 200, 1.5, 1e21, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 5e-324]
  const texts = ['', 'a', '"', '\\', '\n', '\u2028', '\ud800', '😀', '${x}']
  const containers = [[], [[]], [''], ['a"b', 'c'], {}, { a: [] }, { '': null }]
  const rows: [string, readonly unknown[]][] = [
    ['EdgeResponseStatus', numbers],
    ['EdgeResponseCompressionRatio', numbers],
    ['RayID', texts],
    ['SecurityActions', containers],
    ['MatchedRules', containers],
    ['RequestHeaders', containers],
    ['CacheReserveUsed', [true, false]],
    // A value of another type than its field is written all the same.
    ['RayID', [...numbers, ...containers, true]],
  ]
  for (const [name, values] of rows) {
    const write = ndjsonWriter(field(name), 'unixnano')
    for (const value of values) assert.equal(write(value), JSON.stringify(value), name)
  }
})

test('NDJSON escapes the characters that JSON.stringify escapes', () => {
  const write = ndjsonWriter(field('RayID'), 'unixnano')
  for (let code = 0; code <= 0xffff; code++) {
    const text = `a${String.fromCharCode(code)}`
    if (write(text) !== JSON.stringify(text)) assert.fail(`U+${code.toString(16)}`)
  }
})

test('a missing value is the empty one of the type', () => {
  const rows: [string, string][] = [
    ['RayID', '""'],
    ['EdgeResponseStatus', '0'],
    ['EdgeResponseCompressionRatio', '0'],
    ['CacheReserveUsed', 'false'],
    ['SecurityActions', '[]'],
    ['RequestHeaders', '{}'],
  ]
  for (const [name, want] of rows)
    for (const value of [undefined, null])
      assert.equal(ndjsonWriter(field(name), 'unixnano')(value), want, name)
})
