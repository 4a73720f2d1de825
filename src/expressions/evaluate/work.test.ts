import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundWork, compileRegex } from '../../regex/index.ts'
import { compile, compileValue, type Scheme, WorkExceededError } from '../index.ts'

const scheme: Scheme<string> = {
  fields: new Map([['body', { name: 'body', type: 'String', read: (body: string) => body }]]),
}

/** Thousands of states with hundreds of threads each: some 60 million instructions for 128 KiB. */
const costly = 'a[ab]{500}c'
const hostile = letters(128 * 1024)

/** Letters a and b without a period. */
function letters(count: number): string {
  let state = 1
  let text = ''
  while (text.length < count) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    text += (state >>> 16) & 1 ? 'a' : 'b'
  }
  return text
}

function testOf(expression: string): (body: string) => boolean {
  const outcome = compile(expression, scheme)
  assert.ok(outcome.ok)
  return outcome.test
}

test('an expression with too costly patterns throws instead of taking its time', () => {
  const matches = testOf(`body matches "${costly}"`)
  assert.equal(matches(hostile.slice(0, 2000)), false)
  assert.throws(() => matches(hostile), WorkExceededError)
  assert.equal(matches(`${'a'.repeat(600)}c`), true)
})

test('the bound is for all patterns of an expression together', () => {
  const body = hostile.slice(0, 2000)
  const once = `body matches "${costly}"`
  assert.equal(testOf(once)(body), false)
  const all = Array.from({ length: 40 }, (_, at) => `body matches "${costly}${at}"`).join(' or ')
  assert.throws(() => testOf(all)(body), WorkExceededError)
})

test('the same holds for a value expression', () => {
  const outcome = compileValue(`regex_replace(body, "${costly}", "")`, scheme)
  assert.ok(outcome.ok)
  assert.throws(() => outcome.read(hostile), WorkExceededError)
})

test('other matching in this thread has no bound from it', () => {
  assert.throws(() => testOf(`body matches "${costly}"`)(hostile), WorkExceededError)
  const outcome = compileRegex(costly, { dialect: 'rust' })
  assert.ok(outcome.ok)
  assert.equal(outcome.matcher.test(hostile), false)
  boundWork(Infinity)
})
