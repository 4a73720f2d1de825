import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaultRedaction } from '../../model/redaction.ts'
import { credentialParameters } from './credential-parameters.ts'
import { redactionOf } from './redaction.ts'

const own = ['voucher', 'Reset-Code']

test('by default everything is redacted', () => {
  const { parameters, ...kinds } = redactionOf(undefined)
  assert.deepEqual(kinds, { authorization: true, cookies: true, cardNumbers: true })
  assert.equal(parameters, credentialParameters)
  assert.equal(redactionOf(undefined), redactionOf(undefined))
  assert.deepEqual(redactionOf(defaultRedaction), redactionOf(undefined))
})

test('each kind of redaction is carried over', () => {
  for (const kind of ['authorization', 'cookies', 'cardNumbers'] as const) {
    const plan = redactionOf({ ...defaultRedaction, [kind]: false })
    assert.deepEqual(plan, { ...redactionOf(undefined), [kind]: false })
  }
})

test('parameters: known ones, those of the zone, both, none', () => {
  const parametersOf = (queryCredentials: boolean, queryParameters: readonly string[]) =>
    redactionOf({ ...defaultRedaction, queryCredentials, queryParameters }).parameters
  assert.equal(parametersOf(false, []), undefined)
  assert.equal(parametersOf(true, []), credentialParameters)
  assert.deepEqual([...parametersOf(false, own)!], ['voucher', 'reset-code'])
  assert.deepEqual(parametersOf(true, own), new Set([...credentialParameters, 'voucher', 'reset-code']))
})

test('known names have the form of the look-up', () => {
  for (const name of credentialParameters) assert.match(name, /^[a-z0-9]+$/)
})

test('docs/reference/zones.md lists the known names', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/zones.md'), 'utf8')
  const list = page.split('\n').find(line => line.startsWith('`accesskey`'))!
  assert.deepEqual(list.replaceAll('`', '').split(' '), [...credentialParameters])
})
