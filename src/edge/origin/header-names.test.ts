import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerNameLimits } from '../limits.ts'
import { headerName } from './header-names.ts'

test('the owner of a header name stays the same when a client sends more names than are remembered', () => {
  const rows = [
    ['X-Real-IP', { lower: 'x-real-ip', hopByHop: false, owner: 'edge' }],
    ['X_Real_IP', { lower: 'x_real_ip', hopByHop: false, owner: 'look-alike' }],
    ['Accept', { lower: 'accept', hopByHop: false, owner: 'client' }],
    ['Transfer-Encoding', { lower: 'transfer-encoding', hopByHop: true, owner: 'client' }],
  ] as const
  const { namesKept, rememberedCharactersMax } = headerNameLimits
  const long = `x-${'a'.repeat(rememberedCharactersMax)}-client-ip`
  for (let at = 0; at <= namesKept; at++) {
    for (const [name, found] of rows) assert.deepEqual(headerName(name), found)
    assert.equal(headerName(`X-Name-${at}`).lower, `x-name-${at}`)
    assert.equal(headerName(long).owner, 'edge')
  }
})
