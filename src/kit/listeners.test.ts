import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { leadsTo } from './listeners.ts'

const rows: readonly [listener: string, host: string, leads: boolean][] = [
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '::ffff:127.0.0.1', true],
  ['127.0.0.1', '[::ffff:7f00:1]', true],
  ['127.0.0.1', 'localhost', true],
  ['127.0.0.1', 'localhost.', true],
  ['127.0.0.1', 'shop.localhost', true],
  ['127.0.0.1', 'notlocalhost', false],
  ['::1', '[0:0:0:0:0:0:0:1]', true],
  ['127.0.0.1', '0.0.0.0', true],
  ['localhost', '127.0.0.1', false],
  ['127.0.0.1', '127.0.0.2', false],
  ['127.0.0.1', '192.0.2.1', false],
  ['0.0.0.0', '127.0.0.2', true],
  ['0.0.0.0', 'localhost', true],
  ['0.0.0.0', '192.0.2.1', false],
  ['::', '[::1]', true],
  ['::', '127.0.0.1', true],
  ['::1', '[::1]', true],
  ['::1', '127.0.0.1', false],
  ['127.0.0.1', 'shop.example', false],
]
for (const [host, to, leads] of rows)
  test(`a connection to ${to} ${leads ? 'leads' : 'does not lead'} to a listener on ${host}`, () => {
    assert.equal(leadsTo({ host, port: 8080 }, to, 8080), leads)
    assert.equal(leadsTo({ host, port: 8080 }, to, 8081), false)
  })

test('a listener on all addresses is reached at each of this machine', () => {
  for (const { address } of Object.values(networkInterfaces()).flatMap(list => list ?? []))
    assert.ok(leadsTo({ host: '0.0.0.0', port: 80 }, address, 80), address)
})
