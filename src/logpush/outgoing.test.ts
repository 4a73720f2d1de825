import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { test } from 'node:test'
import type { DestinationReach } from '../model/settings.ts'
import { checkDestination } from './destination.ts'
import { refusedAddress } from './outgoing-address.ts'
import { guardedLookup } from './outgoing-connect.ts'

const reaches: readonly DestinationReach[] = ['public', 'loopback', 'private']

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
  const look = (name: string, reach: DestinationReach) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      guardedLookup(reach)(name, { all: true }, (error, addresses) =>
        error === null ? resolve(addresses as LookupAddress[]) : reject(error),
      ),
    )
  assert.ok((await look('localhost', 'loopback')).length > 0)
  assert.ok((await look('a.b.localhost', 'loopback')).some(({ address }) => address === '127.0.0.1'))
  await assert.rejects(look('localhost', 'public'), /has a loopback address, and SLUICE_DESTINATIONS=public/)
})

test('destinations in refused ranges are not connected to, however they are written', async () => {
  const rows: [destination: string, reach: DestinationReach, words: RegExp][] = [
    ['https://10.0.0.1/', 'loopback', /private address.*failed step: connect/],
    ['https://[::ffff:10.0.0.1]/', 'loopback', /private address/],
    ['https://0x0a000001/', 'loopback', /private address/],
    ['https://169.254.169.254/latest', 'private', /link-local or reserved address/],
    ['http://localhost:1/', 'public', /loopback address/],
    ['http://127.1:1/', 'public', /loopback address/],
    [
      's3://bucket/a?region=r&endpoint=http://[::1]:1&access-key-id=a&secret-access-key=b',
      'public',
      /loopback address/,
    ],
    ['file:///tmp/sluice-refused', 'public', /does not allow files/],
  ]
  for (const [destination, reach, words] of rows) {
    const { valid, message } = await checkDestination(destination, reach)
    assert.equal(valid, false, destination)
    assert.match(message, words)
  }
})
