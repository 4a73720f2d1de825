import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsRecord } from '../../model/dns-record.ts'
import type { Zone } from '../../model/resource.ts'
import { defaultZoneSettings, type SslMode } from '../../model/zone-settings.ts'
import { zoneOrigins } from './host-origins.ts'

const zone = { name: 'shop.test', originUrl: 'https://127.0.0.1:9000' } as Zone

/** `www A 192.0.2.1`, with ` -` at its end for a record that is not proxied. */
function recordsOf(lines: readonly string[]): readonly DnsRecord[] {
  return lines.map(line => {
    const [name, type, content, unproxied] = line.split(' ')
    return {
      name: name === '@' ? zone.name : `${name}.${zone.name}`,
      type,
      content,
      proxied: !unproxied,
    } as DnsRecord
  })
}

function serversOf(lines: readonly string[], host: string): readonly string[] {
  const group = zoneOrigins({ zone, dnsRecords: recordsOf(lines) }).of(host)
  assert.ok('servers' in group)
  return group.servers.map(({ url }) => url)
}

const own = [zone.originUrl]

test('the servers of a host are its proxied records, at the scheme and port of the zone’s origin', () => {
  const lines = [
    '@ A 192.0.2.1',
    'two A 192.0.2.1',
    'two AAAA 2001:db8::1',
    'away CNAME Lb.provider.test.',
    '* A 192.0.2.9',
    '*.deep A 192.0.2.8',
    'dns A 192.0.2.7 -',
  ]
  for (const [host, want] of [
    ['shop.test', ['https://192.0.2.1:9000']],
    ['SHOP.test.:8443', ['https://192.0.2.1:9000']],
    ['two.shop.test', ['https://192.0.2.1:9000', 'https://[2001:db8::1]:9000']],
    ['away.shop.test', ['https://lb.provider.test:9000']],
    ['any.shop.test', ['https://192.0.2.9:9000']],
    ['a.b.shop.test', ['https://192.0.2.9:9000']],
    ['a.deep.shop.test', ['https://192.0.2.8:9000']],
    ['other.test', own],
    ['', own],
  ] as const)
    assert.deepEqual(serversOf(lines, host), want, host)
})

test('a zone without an origin has the servers of its records alone, at the port of the scheme', () => {
  const serversFor = (host: string, ssl?: SslMode) => {
    const dnsRecords = recordsOf(['www A 192.0.2.1'])
    const group = zoneOrigins({
      zone: { ...zone, originUrl: undefined },
      settings: { ...defaultZoneSettings, ssl },
      dnsRecords,
    }).of(host)
    return 'servers' in group && group.servers.map(({ url }) => url)
  }
  assert.deepEqual(serversFor('www.shop.test'), ['http://192.0.2.1'])
  assert.deepEqual(serversFor('www.shop.test', 'full'), ['https://192.0.2.1'])
  assert.deepEqual(serversFor('shop.test'), [])
})

test('names without a proxied record have the zone’s origin', () => {
  for (const lines of [[], ['www A 192.0.2.1 -'], ['other A 192.0.2.1']])
    assert.deepEqual(serversOf(lines, 'www.shop.test'), own)
})

test('a CNAME for a name of the zone leads to the records of that name, and never back to the edge', () => {
  const lines = [
    'www CNAME shop.test',
    '@ A 192.0.2.1 -',
    '@ A 192.0.2.2 -',
    'chain CNAME www.shop.test',
    'wild CNAME x.pool.shop.test',
    '*.pool A 192.0.2.5 -',
    'bare CNAME nothing.shop.test',
    'self CNAME self.shop.test',
    'one CNAME other.shop.test',
    'other CNAME one.shop.test',
  ]
  const both = ['https://192.0.2.1:9000', 'https://192.0.2.2:9000']
  for (const [host, want] of [
    ['www', both],
    ['chain', both],
    ['wild', ['https://192.0.2.5:9000']],
    ['bare', own],
    ['self', own],
    ['one', own],
  ] as const)
    assert.deepEqual(serversOf(lines, `${host}.shop.test`), want, host)
})

test('a chain of CNAMEs may have eight records', () => {
  const chain = (links: number) => [
    ...Array.from({ length: links }, (_, at) => `n${at} CNAME n${at + 1}.shop.test`),
    `n${links} A 192.0.2.1`,
  ]
  assert.deepEqual(serversOf(chain(7), 'n0.shop.test'), ['https://192.0.2.1:9000'])
  assert.deepEqual(serversOf(chain(8), 'n0.shop.test'), own)
})
