import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CidrSet,
  canonicalIp,
  cidrContains,
  clientNetwork,
  ipText,
  listedBlock,
  parseCidr,
  parseIp,
} from './cidr.ts'

const hex = (bytes: string) => Buffer.from(bytes, 'latin1').toString('hex')

test('addresses', () => {
  const rows: [string, string | undefined][] = [
    ['0.0.0.0', '00000000'],
    ['255.255.255.255', 'ffffffff'],
    ['192.0.2.1', 'c0000201'],
    ['256.0.0.1', undefined],
    ['1.2.3', undefined],
    ['1.2.3.4.5', undefined],
    ['01.2.3.4', undefined],
    ['1.2.3.4 ', undefined],
    ['1.2.3.-4', undefined],
    ['', undefined],
    ['::', '00'.repeat(16)],
    ['::1', `${'00'.repeat(15)}01`],
    ['2001:db8::', `20010db8${'00'.repeat(12)}`],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
    ['1:2:3:4:5:6:1.2.3.4', '00010002000300040005000601020304'],
    ['1::1.2.3.4', '00010000000000000000000001020304'],
    ['::ffff:1.2.3.4', '01020304'],
    ['::FFFF:102:304', '01020304'],
    ['1:2:3:4:5:6:7', undefined],
    ['1:2:3:4:5:6:7:8:9', undefined],
    ['1:2:3:4:5:6:7:8::', undefined],
    ['1::2::3', undefined],
    [':::', undefined],
    [':1:2:3:4:5:6:7', undefined],
    ['1.2.3.4::', undefined],
    ['12345::', undefined],
    ['fe80::1%eth0', undefined],
    ['[::1]', undefined],
  ]
  for (const [text, want] of rows) {
    const address = parseIp(text)
    assert.equal(address && hex(address.bytes), want, text)
  }
})

test('blocks', () => {
  const rows: [string, string, boolean | undefined][] = [
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.9.9.9/8', '10.1.1.1', true],
    ['192.0.2.128/25', '192.0.2.127', false],
    ['192.0.2.128/25', '192.0.2.128', true],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '::ffff:203.0.113.9', false],
    ['::ffff:192.0.2.0/120', '192.0.2.77', true],
    ['::ffff:192.0.2.0/120', '192.0.3.1', false],
    ['2001:db8::/33', '2001:db8:7fff::', true],
    ['2001:db8::/33', '2001:db8:8000::', false],
    ['192.0.2.0/33', '192.0.2.0', undefined],
    ['::ffff:192.0.2.0/95', '192.0.2.0', undefined],
    ['2001:db8::/129', '::1', undefined],
    ['192.0.2.0/', '192.0.2.0', undefined],
    ['192.0.2.0/08', '192.0.2.0', undefined],
  ]
  for (const [block, address, want] of rows) {
    const parsed = parseCidr(block)
    assert.equal(parsed && cidrContains(parsed, parseIp(address)!), want, `${block} ${address}`)
    if (parsed) assert.equal(new CidrSet([parsed]).has(address), want, `set ${block} ${address}`)
  }
})

test('a set answers like its blocks', () => {
  let state = 20127
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
  const address = () => `10.${random(2)}.${random(4)}.${random(256)}`
  const blocks = Array.from({ length: 60 }, () => parseCidr(`${address()}/${20 + random(13)}`)!)
  const set = new CidrSet([...blocks, parseCidr('2001:db8::/32')!])
  for (let i = 0; i < 2000; i++) {
    const text = address()
    assert.equal(
      set.has(text),
      blocks.some(block => cidrContains(block, parseIp(text)!)),
      text,
    )
  }
  assert.equal(set.has('2001:db8::9'), true)
  assert.equal(set.has('nonsense'), false)
  assert.equal(new CidrSet([]).has('10.0.0.1'), false)
})

test('an address has one canonical spelling', () => {
  const rows: [address: string, want: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['fe80:0:0:0:0:0:0:0', 'fe80::'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ]
  for (const [address, want] of rows) assert.equal(ipText(parseIp(address)!), want)
})

test('a single IPv6 address in a list covers its /64', () => {
  const rows: [item: string, address: string, want: boolean][] = [
    ['2001:db8::1', '2001:db8::ffff:0:0:2', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['192.0.2.1', '192.0.2.2', false],
  ]
  for (const [item, address, want] of rows) {
    assert.equal(cidrContains(listedBlock(item)!, parseIp(address)!), want, `${item} ${address}`)
  }
  assert.equal(listedBlock('example.com'), undefined)
})

test('one spelling of an address, and the network of a client', () => {
  for (const [text, ip, network] of [
    ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0::0001', '2001:db8::1', '2001:db8::'],
    ['fe80::1%eth0', 'fe80::1', 'fe80::1%eth0'],
    ['::1', '::1', '::'],
    ['x', undefined, 'x'],
    ['', undefined, ''],
    ['192.0.2.01', undefined, '192.0.2.01'],
  ] as const) {
    assert.equal(canonicalIp(text), ip, text)
    assert.equal(clientNetwork(text), network, text)
  }
})
