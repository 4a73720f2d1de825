import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findJsonFault, jsonIsDeeperThan } from './json-fault.ts'

test('the first error is found', async t => {
  const rows: [text: string, line: number, column: number, reason: string][] = [
    ['', 1, 1, 'it ends where a value should be'],
    ['{', 1, 2, "it ends where a name in quotes or '}' should be"],
    ['{"a" 1}', 1, 6, "unexpected '1' where ':' should be"],
    ['{"a":1,}', 1, 8, "unexpected '}' where a name in quotes should be"],
    ['{a:1}', 1, 2, "unexpected 'a' where a name in quotes or '}' should be"],
    ['[1 2]', 1, 4, "unexpected '2' where ',' or ']' should be"],
    ['[1,]', 1, 4, "unexpected ']' where a value should be"],
    ['{"a":1]', 1, 7, "unexpected ']' where ',' or '}' should be"],
    ['{"a":1}}', 1, 8, "unexpected '}' after the end"],
    ['{\n  "a": tru\n}', 2, 8, "unexpected 't' where a value should be"],
    ['["a\nb"]', 1, 2, 'a string is not closed or has an invalid escape'],
    ['["\\x"]', 1, 2, 'a string is not closed or has an invalid escape'],
    ['[01]', 1, 3, "unexpected '1' where ',' or ']' should be"],
    ['\n\n nonsense', 3, 2, "unexpected 'n' where a value should be"],
  ]
  for (const [text, line, column, reason] of rows) {
    await t.test(JSON.stringify(text), () => {
      assert.throws(() => JSON.parse(text))
      assert.deepEqual(findJsonFault(text), { line, column, reason })
    })
  }
})

test('depth counts objects and arrays, not brackets in strings', () => {
  assert.equal(jsonIsDeeperThan('[[1]]', 2), false)
  assert.equal(jsonIsDeeperThan('[[1]]', 1), true)
  assert.equal(jsonIsDeeperThan('{"a":[{}]}', 3), false)
  assert.equal(jsonIsDeeperThan('{"a":[{}]}', 2), true)
  assert.equal(jsonIsDeeperThan('[[1],[2],[3]]', 2), false)
  assert.equal(jsonIsDeeperThan('["[[[[\\"[[["]', 1), false)
  assert.equal(jsonIsDeeperThan('["[[[', 1), false)
})
