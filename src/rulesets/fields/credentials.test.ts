import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldLimits } from '../limits.ts'
import { viewOf } from '../testing/request-view.ts'
import { commonCredentials } from './credentials.ts'

function signIn(raw: string, type = 'application/x-www-form-urlencoded') {
  const headers = [['Content-Type', type]] as const
  const body = { raw, truncated: false, size: raw.length }
  return { ...viewOf({ headers, rawHeaders: headers, body }), method: 'POST', derived: [] }
}

test('names and values of a form are decoded to bytes', () => {
  const escaped = signIn('login%5busername%5D=ann+b%2B&%70assword=&pwd=%E4%2x+&pwd=2')
  assert.deepEqual(commonCredentials(escaped), { username: 'ann b+', password: '\xe4%2x ' })
  assert.equal(commonCredentials(signIn('user=ann&x=password')), undefined)
})

test('values of JSON are UTF-8, and only texts count', () => {
  const json = (value: unknown) =>
    signIn(Buffer.from(JSON.stringify(value)).toString('latin1'), 'application/json')
  assert.deepEqual(commonCredentials(json({ user: 1, email: 'ä', password: 'p' })), {
    username: '\xc3\xa4',
    password: 'p',
  })
  for (const other of [null, ['password'], { __proto__: { user: 'a', pass: 'b' } }])
    assert.equal(commonCredentials(json(other)), undefined)
})

test('arguments of a form beyond the limit are not searched', () => {
  const after = (count: number) => signIn(`${'a&'.repeat(count)}user=ann&pwd=p&z`)
  assert.notEqual(commonCredentials(after(fieldLimits.argumentsMax - 3)), undefined)
  assert.equal(commonCredentials(after(fieldLimits.argumentsMax)), undefined)
})

test('the body is searched once for all phases', () => {
  const view = signIn('user=ann&pwd=p')
  assert.equal(commonCredentials(view), commonCredentials(view))
})
