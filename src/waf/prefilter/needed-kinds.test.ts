import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ByteSet, type Requirements } from '../../regex/index.ts'
import { highKind, lowKind } from './byte-kinds.ts'
import { coarseHigh, mayHaveKinds, neededKinds } from './needed-kinds.ts'

function mayMeet(requirements: Requirements, text: string): boolean {
  let low = 0
  let high = 0
  for (const byte of Buffer.from(text, 'latin1')) {
    low |= lowKind[byte]!
    high |= highKind[byte]!
  }
  return mayHaveKinds(neededKinds(requirements), { low, high: coarseHigh(high) })
}

describe('needed kinds of bytes', () => {
  it('all of a literal, or of another one', () => {
    const requirements: Requirements = [{ kind: 'literals', literals: ['eval(', 'exec(x', '${a'] }]
    for (const text of ['eval(', '(EVAL', 'x(', '${a', '$ab{', '(b$'])
      assert.ok(mayMeet(requirements, text), text)
    for (const text of ['', 'eval', '((', '$x', '{x', 'x)', '${9'])
      assert.ok(!mayMeet(requirements, text), text)
  })

  it('any byte of a set', () => {
    const requirements: Requirements = [{ kind: 'bytes', bytes: ByteSet.of([0x00, 0x3b, 0x7a]) }]
    for (const text of ['\0', 'a;', 'b']) assert.ok(mayMeet(requirements, text), text)
    for (const text of ['', ' ', ':', '5']) assert.ok(!mayMeet(requirements, text), text)
  })

  it('of every clause', () => {
    const requirements: Requirements = [
      { kind: 'literals', literals: ['select'] },
      { kind: 'bytes', bytes: ByteSet.of([0x27]) },
    ]
    assert.ok(mayMeet(requirements, "x'"))
    assert.ok(!mayMeet(requirements, 'select'))
    assert.ok(!mayMeet(requirements, "'"))
  })

  it('nothing without requirements', () => {
    assert.ok(mayMeet([], ''))
  })
})
