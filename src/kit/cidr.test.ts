import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CidrSet, parseCidr, parseIp } from './cidr.ts'

test('addresses are read in their legal spellings only', () => {
  for (const good of [
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '1::',
    '2001:db8::1',
    '::ffff:1.2.3.4',
    '1:2:3:4:5:6:7:8',
  ])
    assert.ok(parseIp(good), good)
  for (const bad of [
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4.5',
    ':::',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '::1%eth0',
    '1::2::3',
    '::1.2.3',
    '1.2.3.4:80',
  ])
    assert.equal(parseIp(bad), undefined, bad)
})

test('both spellings of one IPv6 address are the same bits', () => {
  assert.equal(parseIp('2001:db8::1')!.bits, parseIp('2001:0DB8:0:0:0:0:0:1')!.bits)
})

test('blocks know their ends', () => {
  assert.deepEqual(parseCidr('10.1.2.3/8'), {
    family: 4,
    first: 0x0a000000n,
    last: 0x0affffffn,
    prefix: 8,
    aligned: false,
  })
  assert.equal(parseCidr('10.0.0.0/33'), undefined)
  assert.equal(parseCidr('::/129'), undefined)
  assert.equal(parseCidr('::/0')!.last, (1n << 128n) - 1n)
})

test('a set has what its blocks have, at both ends, and keeps the families apart', () => {
  const set = new CidrSet(
    ['10.0.0.0/8', '192.168.1.0/24', '192.168.0.0/16', '::1/128'].map(text => parseCidr(text)!),
  )
  for (const inside of ['10.0.0.0', '10.255.255.255', '192.168.0.0', '192.168.255.255', '::1'])
    assert.ok(set.has(inside), inside)
  for (const outside of [
    '9.255.255.255',
    '11.0.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '::2',
    '::',
    '::ffff:10.0.0.1',
    'no',
  ])
    assert.ok(!set.has(outside), outside)
})
