import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '../compile/compile.ts'
import { run } from '../testing/requests.ts'

/** SecDefaultAction, accepted and refused as in ModSecurity 2. */

test('the last disruptive action counts, and block stands for none', () => {
  const status = (defaults: string) =>
    run(`SecDefaultAction "phase:2,${defaults}"\nSecRule ARGS "@rx ." "id:1,phase:2,block"`, {
      target: '/?a=1',
    }).interruption?.status
  assert.equal(status('log,deny,block'), 403)
  assert.equal(status('block,log,deny,status:406'), 406)
  assert.equal(status('deny,pass'), undefined)
  assert.equal(status('pass,deny'), 403)
  assert.equal(status('deny,t:none'), 403)
})

test('actions that belong to rules are refused', () => {
  for (const actions of [
    'log',
    'log,block',
    'pass,t:lowercase',
    'pass,id:1',
    'pass,msg:a',
    'pass,rev:1',
    'pass,logdata:a',
    'pass,chain',
    'pass,skip:1',
    'pass,skipAfter:END',
  ]) {
    const text = `SecDefaultAction "phase:2,${actions}"`
    const outcome = compile([{ name: 'a.conf', text }], { readData: () => undefined })
    assert.equal(outcome.ok, false, actions)
  }
})

test('the logging phase sees the status of a refusal', () => {
  const rules = (action: string) => `SecRule ARGS "@rx ." "id:1,phase:2,${action}"
    SecRule RESPONSE_STATUS "@rx ^[34]" "id:2,phase:5,pass,msg:'%{RESPONSE_STATUS}'"`
  const seen = (action: string) => run(rules(action), { target: '/?a=1' }).matched
  assert.deepEqual(seen('deny,status:406'), ['1', '2 406'])
  assert.deepEqual(seen('redirect:/x'), ['1', '2 302'])
  const late = `SecRule RESPONSE_STATUS "@streq 200" "id:1,phase:3,deny"
    SecRule RESPONSE_STATUS "@streq 403" "id:2,phase:5,pass"`
  assert.deepEqual(run(late).matched, ['1', '2'])
})

test('lines with Content-Type stay apart', () => {
  const { matched } = run(
    `SecRule &REQUEST_HEADERS:Content-Type "@gt 1" "id:1,phase:1,pass"
     SecRule REQUEST_HEADERS:Content-Type "@streq text/plain" "id:2,phase:1,pass"`,
    {
      headers: [
        ['Content-Type', 'application/json'],
        ['content-type', 'text/plain'],
      ],
    },
  )
  assert.deepEqual(matched, ['1', '2'])
})

test('a backslash in quotes is written twice, as in Apache', () => {
  const rules = `SecRule ARGS "@rx (?:^|[^\\\\\\\\])\\\\\\\\[cd]" "id:1,phase:2,pass"
    SecRule ARGS "@rx ^a\\\\d$" "id:2,phase:2,pass"
    SecRule ARGS "@streq C:\\\\x" "id:3,phase:2,pass"
    SecRule ARGS "@rx ^a\\d$" "id:4,phase:2,pass"`
  const matched = (value: string) => run(rules, { target: `/?a=${encodeURIComponent(value)}` }).matched
  assert.deepEqual(matched('x\\c'), ['1'])
  assert.deepEqual(matched('x\\\\c'), [])
  assert.deepEqual(matched('a1'), ['2', '4'])
  assert.deepEqual(matched('C:\\x'), ['3'])
})
