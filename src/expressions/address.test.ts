import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, addressText, blockOf, parseAddress } from './address.ts'

test('addresses have one canonical text', () => {
  const rows: readonly (readonly [text: string, want: string])[] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:0:2:2:0:0:3', '1::2:2:0:0:3'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::ffff:192.0.2.1', '::ffff:c000:201'],
  ]
  for (const [text, want] of rows) assert.equal(addressText(parseAddress(text)!), want, text)
})

test('a text with a colon is IPv6, also when it carries an IPv4 address', () => {
  assert.equal(parseAddress('::ffff:192.0.2.1')!.version, 6)
  assert.equal(parseAddress('192.0.2.1')!.version, 4)
  assert.equal(parseAddress('192.0.2.1')!.v4, 0xc0000201)
  assert.equal(parseAddress('192.0.2'), undefined)
})

test('blocks begin and end at their prefix', () => {
  const ends = (text: string, prefix: number) => {
    const { first, last } = blockOf(parseAddress(text)!, prefix)
    return [addressText(first), addressText(last), first.v4, last.v4]
  }
  assert.deepEqual(ends('10.1.2.3', 8), ['10.0.0.0', '10.255.255.255', 0x0a000000, 0x0affffff])
  assert.deepEqual(ends('10.1.2.3', 32), ['10.1.2.3', '10.1.2.3', 0x0a010203, 0x0a010203])
  assert.deepEqual(ends('10.1.2.3', 0), ['0.0.0.0', '255.255.255.255', 0, 0xffffffff])
  assert.deepEqual(ends('2001:db8::1', 127).slice(0, 2), ['2001:db8::', '2001:db8::1'])
})

test('the last two addresses are remembered, in any order', () => {
  for (const text of [
    '192.0.2.1',
    '192.0.2.2',
    '192.0.2.1',
    '192.0.2.3',
    '192.0.2.1',
    '',
    'x',
    '192.0.2.2',
  ]) {
    assert.deepEqual(addressOf(text), parseAddress(text), text)
  }
})
