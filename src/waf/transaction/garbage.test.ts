import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectNew, oldBytes } from '../../kit/testing/garbage.ts'
import { program, send } from '../testing/requests.ts'

test('a matching request leaves no garbage that only a full collection finds', () => {
  const rules = Array.from(
    { length: 10 },
    (_, i) =>
      `SecRule ARGS "@rx (e)vil" "id:${i + 1},phase:2,capture,msg:'m',logdata:'%{TX.1} in %{MATCHED_VAR}'"`,
  )
  const made = program(rules.join('\n'))
  const target = `/?a=evil&${Array.from({ length: 100 }, (_, i) => `name${i}=value${i}`).join('&')}`
  const requests = 200
  const run = () => {
    for (let i = 0; i < requests; i++) {
      assert.equal(send(made, { target }).transaction.matches.length, rules.length)
      if (i % 10 === 0) collectNew()
    }
    collectNew()
    collectNew()
  }
  run()
  run()
  const before = oldBytes()
  run()
  const left = (oldBytes() - before) / requests
  assert.ok(left < 2000, `${left} bytes a request`)
})
