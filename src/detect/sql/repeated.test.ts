import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectSqli } from './detect.ts'

const attacks = ['insert users values(1,2)--', "insert logins values('a','b')--", 'replace users values(1)--']
const before = ['a or b', 'a=b', 'a+b', 'id, name', 'a/b/c', '1 or 1', "x' or 1=1--", '42']
const harmless = '42#&&)[--\n'

test('a value gives the same result after any other value', () => {
  for (const value of [...attacks, harmless]) {
    const alone = detectSqli(value) !== null
    assert.equal(alone, value !== harmless, value)
    for (const other of before) {
      detectSqli(other)
      assert.equal(detectSqli(value) !== null, alone, `${value} after ${other}`)
    }
  }
})
