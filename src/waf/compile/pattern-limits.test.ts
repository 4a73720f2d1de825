import assert from 'node:assert/strict'
import { test } from 'node:test'
import { program, run, send } from '../testing/requests.ts'

/** At a limit of a pattern, its match is unknown: that is reported, and never counts as "no match". */

/** Two paths for each letter, and a back-reference, so that nothing can be memoized. */
const explosive = '^(z?)\\1(?:a|a)*$|^a+!$'
const told = `SecRule TX:MSC_PCRE_LIMITS_EXCEEDED "@eq 1" "id:8,phase:2,pass,msg:'limit'"
  SecRule ARGS "@contains a" "id:9,phase:2,pass"`

for (const [name, rule] of [
  ['asked value by value', `SecRule ARGS "@rx ${explosive}" "id:1,phase:2,deny"`],
  ['negated', `SecRule ARGS "!@rx ${explosive}" "id:1,phase:2,deny"`],
  [
    'in a chain',
    `SecRule ARGS "@contains a" "id:1,phase:2,deny,chain"\nSecRule MATCHED_VAR "@rx ${explosive}" "t:none"`,
  ],
] as const) {
  test(`${name}: the rule does not match, the others run, and the request is incomplete each time`, () => {
    const rules = program(`${rule}\n${told}`)
    for (let request = 0; request < 3; request++) {
      const { transaction, interruption, matched } = send(rules, { target: `/?q=${'a'.repeat(64)}!` })
      assert.equal(interruption, undefined)
      assert.deepEqual(matched, ['8 limit', '9'])
      assert.equal(transaction.overBudget, true)
    }
    const { transaction, matched } = send(rules, { target: '/?q=ab' })
    assert.equal(transaction.overBudget, false)
    assert.ok(!matched.includes('8 limit'))
  })
}

test('variables of earlier rules keep their values', () => {
  const counting = `SecAction "id:2,phase:2,nolog,pass,setvar:tx.n=+1"
    SecRule ARGS "@rx ${explosive}" "id:3,phase:2,pass"
    SecAction "id:4,phase:2,pass,setvar:tx.n=+1,msg:'%{tx.n}'"`
  const { matched } = run(`SecAction "id:1,phase:1,nolog,pass,setvar:tx.n=1"\n${counting}`, {
    target: `/?q=${'a'.repeat(64)}!`,
  })
  assert.deepEqual(matched, ['4 3'])
})

test('steps beyond the bytes of a value use up the work of a request', () => {
  let state = 1
  const letters = Array.from({ length: 20_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 16) & 1 ? 'a' : 'b'
  })
  const rules = `SecRule ARGS "@rx a[ab]{400}c" "id:1,phase:2,pass"\nSecAction "id:2,phase:2,pass"`
  const request = { target: `/?q=${letters.join('')}c` }
  const bounded = run(rules, request, { workMax: 1_000_000 })
  assert.deepEqual([bounded.transaction.overBudget, bounded.matched], [true, []])
  const free = run(rules, request)
  assert.equal(free.transaction.overBudget, false)
})

test('a pattern that macros make too long has no answer', () => {
  const rules = `SecAction "id:1,phase:1,nolog,pass,setvar:tx.word=%{ARGS.w}"
    SecRule ARGS:q "@rx ^%{tx.word}$" "id:2,phase:2,deny"`
  const { transaction, interruption } = run(rules, { target: `/?q=x&w=${'a'.repeat(5000)}` })
  assert.deepEqual([interruption, transaction.overBudget], [undefined, true])
})
