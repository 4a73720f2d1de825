import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encryptMatchedData, newMatchedDataKeys } from '../../../../../src/kit/matched-data.ts'
import { decryptPayload } from './payload.ts'

const keys = await newMatchedDataKeys()
const rule = { id: '1', ref: '942100', target: 'ARGS:q', value: '1’ or 1=1' }
const text = JSON.stringify({ rules: [rule] })
const encrypted = await encryptMatchedData(keys.publicKey, text)

test('payloads of the edge are decrypted with the key or with keys.json', async () => {
  assert.deepEqual(await decryptPayload(keys.privateKey, encrypted), { text, rules: [rule] })
  const file = JSON.stringify({ private_key: keys.privateKey, public_key: keys.publicKey }, undefined, 2)
  assert.deepEqual((await decryptPayload(file, ` ${encrypted}\n`)).rules, [rule])
})

test('text in another format is shown as it is', async () => {
  const other = await encryptMatchedData(keys.publicKey, 'plain')
  assert.deepEqual(await decryptPayload(keys.privateKey, other), { text: 'plain', rules: [] })
  const odd = await encryptMatchedData(keys.publicKey, '{"rules":[{"id":1},null]}')
  assert.deepEqual((await decryptPayload(keys.privateKey, odd)).rules, [])
})

test('faults are named', async () => {
  const another = await newMatchedDataKeys()
  const changed = Buffer.from(encrypted, 'base64')
  changed[changed.length - 1]! ^= 1
  const rows: readonly [key: string, text: string, want: RegExp][] = [
    [another.privateKey, encrypted, /Wrong key/],
    [keys.privateKey, changed.toString('base64'), /modified/],
    ['short', encrypted, /Not a private key/],
    [keys.privateKey, 'truncated', /too large/],
    [keys.privateKey, '***', /no encrypted payload/],
    [keys.privateKey, '', /Unknown payload format/],
    [keys.privateKey, Buffer.from([2, 0, 0]).toString('base64'), /Unknown payload format/],
    [keys.privateKey, Buffer.from([3, 0, 0]).toString('base64'), /truncated/],
    [keys.privateKey, encrypted.slice(0, -8), /truncated/],
  ]
  for (const [key, payload, want] of rows) await assert.rejects(decryptPayload(key, payload), want, payload)
})
