import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wafLimits } from '../../limits.ts'
import { readInAnyParts } from '../../testing/body-parts.ts'
import { type BodyOptions, jsonReader } from '../index.ts'

const read = (json: string, options?: BodyOptions, complete?: boolean) =>
  readInAnyParts(() => jsonReader(options), json, complete)

const flat = (json: string, complete = true) => {
  const parsed = read(json, undefined, complete)
  return [parsed.args.map(({ name, value }) => `${name}=${value}`).join(' '), parsed.error !== undefined]
}

test('scalars and their names', () => {
  const rows: [string, string][] = [
    ['{"a":"x","b":{"c":[1,{"d":true},null]},"e":1.50}', 'a=x b.c.c=1 b.c.c.d=true b.c.c= e=1.50'],
    ['[1,{"x":"y"},[3]]', 'array.array=1 array.array.x=y array.array.array=3'],
    ['[[1],2]', 'array.array.array=1 array.array=2'],
    ['{"a":{"b":1},"c":[2],"d":3}', 'a.b=1 c.c=2 d=3'],
    ['{"a":{},"b":[],"c":[[],{}]}', ''],
    ['{"a":1,"a":2}', 'a=1 a=2'],
    ['{"":{"":1}}', '.=1'],
    ['"s"', '=s'],
    ['-1.5E+10', '=-1.5E+10'],
    ['0', '=0'],
    [' \r\n\t{ "a" : [ 1 , false ] } \n', 'a.a=1 a.a=false'],
    ['\xef\xbb\xbf{"a":1}', 'a=1'],
    ['', ''],
    [' \n', ''],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '="\\/\b\f\n\r\t'],
    ['"\\u0041\\u00e9\\u4e2d\\ud83d\\ude00\\u0000"', '=A\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\0'],
    ['{"a\\"b":1,"a":2,"a\\u0022b":3}', 'a"b=1 a=2 a"b=3'],
    ['"\\ud83dx\\ude00\\ud83d\\u0041"', '=?x??A'],
    ['"\xc3\xa9\xff"', '=\xc3\xa9\xff'],
  ]
  for (const [json, want] of rows) assert.deepEqual(flat(json), [want, false], json)
})

test('objects in a list with different keys', () => {
  const rows: [string, string][] = [
    ['[{"a":1,"b":2},{"a":3,"b":4}]', 'a=1 b=2 a=3 b=4'],
    ['[{"a":1,"b":2},{"b":3,"a":4},{"a":5}]', 'a=1 b=2 b=3 a=4 a=5'],
    ['[{"a":1},{"ab":2},{"a\\u0062":3},{"ab":4},{"a":5}]', 'a=1 ab=2 ab=3 ab=4 a=5'],
    ['[{"a":{"x":1},"b":2},{"a":[3],"b":4},{"":5},{"a":6,"b":7}]', 'a.x=1 b=2 a.a=3 b=4 =5 a=6 b=7'],
    ['[{"a":{"x":1},"b":2},{"a":{"x":3,"b":4},"x":5}]', 'a.x=1 b=2 a.x=3 a.b=4 x=5'],
    ['[{"q\\"":1},{"q\\"":2},{"q":3}]', 'q"=1 q"=2 q=3'],
  ]
  for (const [json, want] of rows) {
    const { args, error } = read(json)
    assert.equal(error, undefined, json)
    const inList = args.map(({ name, value }) => `${name.slice('array.array.'.length)}=${value}`)
    assert.equal(inList.join(' '), want, json)
  }
})

test('broken documents keep the part before the error', () => {
  const rows: [string, string][] = [
    ['{"a":1,"b"', 'a=1'],
    ['{"a":1,}', 'a=1'],
    ['[1,]', 'array.array=1'],
    ['[1 2]', 'array.array=1'],
    ['{"a" 1}', ''],
    ['{a:1}', ''],
    ["{'a':1}", ''],
    ['{"a":"x', 'a=x'],
    ['{"a":"x\n"}', 'a=x'],
    ['{"a":"x\\q"}', 'a=x'],
    ['{"a":"x\\u12"}', 'a=x'],
    ['{"a":01}', ''],
    ['{"a":1.}', ''],
    ['{"a":.5}', ''],
    ['{"a":1e}', ''],
    ['{"a":+1}', ''],
    ['{"a":NaN}', ''],
    ['{"a":1}x', 'a=1'],
    ['1 2', '=1'],
    ['[1}', 'array.array=1'],
    ['{"a":1]', 'a=1'],
    ['[{"q\\"":1},{"q"":2}]', 'array.array.q"=1'],
    ['/**/1', ''],
    ['\0', ''],
  ]
  for (const [json, want] of rows) assert.deepEqual(flat(json), [want, true], json)
})

test('a cut body ends without an error', () => {
  const rows: [string, string, boolean][] = [
    ['{"a":1,"b"', 'a=1', false],
    ['{"a":"part of a long tex', 'a=part of a long tex', false],
    ['{"a":[1,2', 'a.a=1 a.a=2', false],
    ['{"a":123456789012345678901.', '', false],
    ['{"a":tru', '', false],
    ['{"a" 1,"b":"something else"', '', true],
  ]
  for (const [json, want, error] of rows) assert.deepEqual(flat(json, false), [want, error], json)
})

test('limits', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.equal(read(nested(wafLimits.jsonDepthMax)).error, undefined)
  assert.match(read(nested(wafLimits.jsonDepthMax + 1)).error ?? '', /inside one another/)
  assert.equal(read('[[1]]', { jsonDepthMax: 2 }).error, undefined)
  assert.notEqual(read('[[1]]', { jsonDepthMax: 1 }).error, undefined)
  const list = (size: number) => `[${Array(size).fill('1').join()}]`
  assert.equal(read(list(wafLimits.argumentsMax)).error, undefined)
  const over = read(list(wafLimits.argumentsMax + 1))
  assert.notEqual(over.error, undefined)
  assert.equal(over.args.length, wafLimits.argumentsMax)
  const key = (size: number) => `{"${'k'.repeat(size)}":1}`
  assert.equal(read(key(wafLimits.jsonNameBytesMax)).error, undefined)
  assert.notEqual(read(key(wafLimits.jsonNameBytesMax + 1)).error, undefined)
  const longNames = (count: number) =>
    `{"${'k'.repeat(1021)}":{${Array.from({ length: count }, (_, i) => `"${10 + i}":1`).join()}}}`
  assert.equal(read(longNames(80)).error, undefined)
  assert.equal(read(`[${Array(6).fill(longNames(80)).join()}]`).error, undefined)
  assert.match(read(`[${Array(7).fill(longNames(80)).join()}]`).error ?? '', /names are longer/)
  assert.notEqual(read(`{"${'k'.repeat(5000)}":{"${'l'.repeat(5000)}":1}}`).error, undefined)
})
