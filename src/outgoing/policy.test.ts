import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Agent } from 'undici'
import type { Reach } from '../model/settings/index.ts'
import { guardedConnector } from './connector.ts'
import { guardedLookup } from './lookup.ts'
import { AddressRefusedError, refusedAddress } from './policy.ts'

const reaches: readonly Reach[] = ['public', 'loopback', 'private']

test('which addresses may be connected to', () => {
  /** Of public, loopback, private: `y` where it may. */
  const rows: [address: string, want: string][] = [
    ['8.8.8.8', 'yyy'],
    ['2606:4700::1111', 'yyy'],
    ['192.0.2.1', 'yyy'],
    ['172.15.255.255', 'yyy'],
    ['172.32.0.0', 'yyy'],
    ['100.63.255.255', 'yyy'],
    ['100.128.0.0', 'yyy'],
    ['126.255.255.255', 'yyy'],
    ['128.0.0.0', 'yyy'],
    ['127.0.0.1', 'nyy'],
    ['127.255.255.255', 'nyy'],
    ['::1', 'nyy'],
    ['::ffff:127.0.0.1', 'nyy'],
    ['::ffff:7f00:1', 'nyy'],
    ['64:ff9b::7f00:1', 'nyy'],
    ['10.0.0.0', 'nny'],
    ['10.255.255.255', 'nny'],
    ['172.16.0.0', 'nny'],
    ['172.31.255.255', 'nny'],
    ['192.168.255.255', 'nny'],
    ['100.64.0.0', 'nny'],
    ['100.127.255.255', 'nny'],
    ['198.18.0.1', 'nny'],
    ['fc00::1', 'nny'],
    ['fdff::1', 'nny'],
    ['fec0::1', 'nny'],
    ['::ffff:10.0.0.1', 'nny'],
    ['64:ff9b::10.0.0.1', 'nny'],
    ['2002:a00:1::', 'nny'],
    ['169.254.169.254', 'nnn'],
    ['::ffff:169.254.169.254', 'nnn'],
    ['64:ff9b::a9fe:a9fe', 'nnn'],
    ['2002:a9fe:a9fe::', 'nnn'],
    ['::169.254.169.254', 'nnn'],
    ['64:ff9b:1::a9fe:a9fe', 'nnn'],
    ['fe80::1', 'nnn'],
    ['0.0.0.0', 'nnn'],
    ['::', 'nnn'],
    ['224.0.0.1', 'nnn'],
    ['255.255.255.255', 'nnn'],
    ['100.100.100.200', 'nnn'],
    ['168.63.129.16', 'nnn'],
    ['fd00:ec2::254', 'nnn'],
    ['192.0.0.192', 'nnn'],
    ['2001::1', 'nnn'],
    ['fe80::1%eth0', 'nnn'],
  ]
  for (const [address, want] of rows) {
    const got = reaches.map(reach => (refusedAddress(address, reach) === undefined ? 'y' : 'n')).join('')
    assert.equal(got, want, address)
  }
})

test('a name is refused for its address, at the moment of connecting', async () => {
  const look = (name: string, reach: Reach) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      guardedLookup({ reach, setting: 'SLUICE_DESTINATIONS' })(name, { all: true }, (error, addresses) =>
        error === null ? resolve(addresses as LookupAddress[]) : reject(error),
      ),
    )
  assert.ok((await look('localhost', 'loopback')).length > 0)
  assert.ok((await look('a.b.localhost', 'loopback')).some(({ address }) => address === '127.0.0.1'))
  await assert.rejects(look('localhost', 'public'), /has a loopback address, and SLUICE_DESTINATIONS=public/)
})

test('a client connects to allowed addresses, and names the setting that refuses others', async t => {
  const server = createServer((_, response) => response.end('here'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const get = async (host: string, reach: Reach) => {
    const agent = new Agent({ connect: guardedConnector({ reach, setting: 'SLUICE_ORIGINS' }) })
    try {
      const { body } = await agent.request({ origin: `http://${host}:${port}`, path: '/', method: 'GET' })
      return await body.text()
    } finally {
      await agent.destroy()
    }
  }
  for (const host of ['127.0.0.1', 'localhost', 'a.localhost', '[::ffff:127.0.0.1]']) {
    assert.equal(await get(host, 'private'), 'here')
    await assert.rejects(get(host, 'public'), (error: Error) => {
      assert.ok(error instanceof AddressRefusedError, String(error))
      assert.match(error.message, /has a loopback address, and SLUICE_ORIGINS=public does not allow those/)
      return true
    })
  }
  for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '[fd00:ec2::254]'])
    await assert.rejects(get(host, 'private'), /link-local or reserved address, which is never connected to/)
})
