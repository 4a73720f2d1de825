import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CipherError, newCipher } from './cipher.ts'

const cipher = newCipher(new Uint8Array(32).fill(1))

test('a sealed text can be opened, and differs each time', () => {
  for (const text of [
    '',
    'a',
    's3://bucket?secret-access-key=a/b+c=',
    'NUL \0, lone \ud800, 🧱',
    'x'.repeat(5000),
  ]) {
    const sealed = cipher.seal(text)
    assert.match(sealed, /^v1:[A-Za-z0-9_-]+$/)
    assert.equal(cipher.open(sealed), text)
    assert.notEqual(cipher.seal(text), sealed)
  }
})

test('another key, an altered text and one that was never sealed are refused', () => {
  const sealed = cipher.seal('secret')
  const other = newCipher(new Uint8Array(32).fill(2))
  assert.throws(() => other.open(sealed), CipherError)
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes)
    altered[at]! ^= 1
    assert.throws(() => cipher.open(`v1:${altered.toString('base64url')}`), CipherError, `byte ${at}`)
  }
  const shortened = bytes.subarray(0, -1).toString('base64url')
  for (const text of ['', 'v1:', 'secret', sealed.slice(3), `v2:${sealed.slice(3)}`, `v1:${shortened}`])
    assert.throws(() => cipher.open(text), CipherError, text)
})

test('a key has 32 bytes', () => {
  for (const bytes of [0, 16, 31, 33]) assert.throws(() => newCipher(new Uint8Array(bytes)), CipherError)
})
