import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonValue, readJson } from './json.ts'

function valueIn(text: string): JsonValue {
  const outcome = readJson(text)
  assert.ok(outcome.ok, `${text}: ${outcome.ok ? '' : outcome.message}`)
  return outcome.value
}

test('values are read as the platform reads them', () => {
  const texts = [
    'null',
    ' true ',
    'false',
    '0',
    '-1',
    '12.5e-1',
    '1E3',
    '""',
    '"a\\u00e9\\n\\"\\\\"',
    '[]',
    '[1, [2]]',
    '9007199254740991',
    '-9007199254740991',
  ]
  for (const text of texts) assert.deepEqual(valueIn(text), JSON.parse(text), text)
  assert.deepEqual(
    valueIn('{"a": {}, "b": [1]}'),
    new Map<string, JsonValue>([
      ['a', new Map()],
      ['b', [1]],
    ]),
  )
})

test('whole numbers beyond 2^53 keep every digit', () => {
  assert.equal(valueIn('1777593600000000001'), 1777593600000000001n)
  assert.equal(valueIn('-9007199254740993'), -9007199254740993n)
  assert.equal(valueIn('9007199254740992'), 9007199254740992n)
})

test('invalid JSON is refused with the position of the mistake', () => {
  const rows: [string, string][] = [
    ['', 'it ends too early, at character 1'],
    ['{', 'expected a key in quotes, at character 2'],
    ['{"a"}', 'expected a colon, at character 5'],
    ['{"a":1,}', 'expected a key in quotes, at character 8'],
    ['{"a":1 "b":2}', 'expected "," or "}", at character 8'],
    ['{"a":1,"a":2}', 'the key "a" is repeated, at character 11'],
    ['[1,]', 'expected a value, at character 4'],
    ['[1', 'expected "," or "]", at character 3'],
    ['01', 'something follows the end, at character 2'],
    ['.5', 'expected a value, at character 1'],
    ['+1', 'expected a value, at character 1'],
    ['1e999', 'a number that is too large, at character 1'],
    ['nul', 'expected a value, at character 1'],
    ['"a', 'a text without its closing quote, at character 1'],
    ['"\\x"', 'a text with a wrong escape or a control character, at character 1'],
    ['"\n"', 'a text with a wrong escape or a control character, at character 1'],
    ["{'a':1}", 'expected a key in quotes, at character 2'],
    ['[1] x', 'something follows the end, at character 5'],
  ]
  for (const [text, message] of rows) assert.deepEqual(readJson(text), { ok: false, message }, text)
})

test('nesting has a limit, tested on both sides', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.ok(readJson(nested(128)).ok)
  const outcome = readJson(nested(129))
  assert.ok(!outcome.ok && /deeper than 128/.test(outcome.message))
})
