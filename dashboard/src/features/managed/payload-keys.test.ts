import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptMatchedData, encryptMatchedData } from '../../../../src/kit/matched-data.ts'
import { isPayloadKey, makePayloadKeys } from './payload-keys.ts'

test('the private key decrypts payloads that the edge encrypts for the public key', async () => {
  Object.assign(globalThis, { isSecureContext: true })
  const { private_key, public_key } = await makePayloadKeys()
  assert.ok(isPayloadKey(private_key) && isPayloadKey(public_key))
  assert.equal(await decryptMatchedData(private_key, await encryptMatchedData(public_key, 'it’s')), 'it’s')
})

test('where the page does not come safely, no keys are made', async () => {
  Object.assign(globalThis, { isSecureContext: false })
  await assert.rejects(makePayloadKeys(), /HTTPS/)
})

test('a key is the base64 of 32 bytes', () => {
  const key = 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8='
  for (const [text, is] of [
    [key, true],
    [key.slice(1), false],
    [`${key}=`, false],
    [key.replace('8=', '9='), false],
    ['', false],
  ] as const)
    assert.equal(isPayloadKey(text), is, text)
})
