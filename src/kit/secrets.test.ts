import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, newKey, newToken, sameHash } from './secrets.ts'

test('new secrets have their form and differ', () => {
  for (const [make, form] of [
    [newToken, /^sluice_[A-Za-z0-9]{40}$/],
    [newKey, /^[0-9a-f]{40}$/],
  ] as const) {
    const made = Array.from({ length: 50 }, make)
    for (const secret of made) assert.match(secret, form)
    assert.equal(new Set(made).size, made.length)
  }
})

test('hashes are SHA-256 and compared whole', () => {
  const hash = hashSecret('abc')
  assert.equal(hash, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.equal(sameHash(hash, hashSecret('abc')), true)
  assert.equal(sameHash(hash, hashSecret('abd')), false)
  assert.equal(sameHash('', hash), false)
  assert.equal(sameHash(hash.slice(0, 63), hash), false)
})
