import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { boundWork, compileRegex, type Matcher, WorkExceededError, workDone } from './index.ts'

afterEach(() => boundWork(Infinity))

function matcher(pattern: string): Matcher {
  const outcome = compileRegex(pattern, { dialect: 'rust' })
  assert.ok(outcome.ok)
  return outcome.matcher
}

/** A new state for nearly each byte, with hundreds of threads in each. */
const costly = 'a[ab]{400}c'
const long = letters(32_000)

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

test('work is counted where states are built, and hardly for texts like earlier ones', () => {
  const pattern = matcher('foo|bar')
  const before = workDone()
  assert.equal(pattern.test('a word, and then foo'), true)
  const first = workDone() - before
  assert.ok(first > 0 && first < 1000, String(first))
  pattern.test('a word, and then foo')
  assert.equal(workDone() - before, first)
})

for (const [name, run] of [
  ['test', (pattern: Matcher) => pattern.test(long)],
  ['exec', (pattern: Matcher) => pattern.exec(long) !== null],
] as const) {
  test(`${name} stops at the bound, and is fit for the next text`, () => {
    const pattern = matcher(costly)
    boundWork(100_000)
    const before = workDone()
    assert.throws(() => run(pattern), WorkExceededError)
    assert.ok(workDone() - before < 110_000)
    boundWork(Infinity)
    assert.equal(run(pattern), false)
    assert.equal(run(matcher('b+')), true)
  })
}
