import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from './resource.ts'
import { defaultZoneSettings, zoneSettingsOf } from './zone-settings.ts'

const settingsWith = (values: Readonly<Record<string, Json>>) =>
  zoneSettingsOf(Object.entries(values).map(([id, value]) => ({ id, value, modifiedOn: '' })))

test('stored values become settings, and defaults hold for the others', () => {
  const stored = settingsWith({
    security_level: 'under_attack',
    browser_check: 'on',
    hotlink_protection: 'on',
    challenge_ttl: 300,
    pseudo_ipv4: 'add_header',
    websockets: 'off',
  })
  const { underAttack, browserCheck, hotlinkProtection, challengeSeconds, pseudoIpv4, websockets } = stored
  assert.deepEqual(
    [underAttack, browserCheck, hotlinkProtection, challengeSeconds, pseudoIpv4, websockets],
    [true, true, true, 300, 'add_header', false],
  )
  assert.deepEqual(settingsWith({ security_level: 'high', always_use_https: 'off' }), defaultZoneSettings)
})

test('security_header becomes the value of Strict-Transport-Security', () => {
  const rows: [Json, object | undefined][] = [
    [
      { enabled: true, max_age: 300 },
      { hsts: 'max-age=300', nosniff: false },
    ],
    [
      { enabled: true, max_age: 300, include_subdomains: true, preload: true, nosniff: true },
      { hsts: 'max-age=300; includeSubDomains; preload', nosniff: true },
    ],
    [{ enabled: true }, { hsts: 'max-age=0', nosniff: false }],
    [{ enabled: false, max_age: 300, nosniff: true }, undefined],
  ]
  for (const [strict_transport_security, want] of rows)
    assert.deepEqual(settingsWith({ security_header: { strict_transport_security } }).securityHeader, want)
  assert.equal(settingsWith({ security_header: {} }).securityHeader, undefined)
})

test('only ciphers of the edge count', () => {
  const known = 'ECDHE-RSA-AES128-GCM-SHA256'
  assert.deepEqual(settingsWith({ ciphers: ['AES128-SHA', known] }).ciphers, [known])
  assert.equal(settingsWith({ ciphers: ['AES128-SHA'] }).ciphers, undefined)
  assert.equal(settingsWith({ ciphers: [] }).ciphers, undefined)
})

test('true_client_ip_header sends the header of the managed transform', () => {
  const transform = 'add_true_client_ip_headers'
  assert.ok(settingsWith({ true_client_ip_header: 'on' }).managedTransforms.has(transform))
  assert.ok(
    settingsWith({ true_client_ip_header: 'off', [transform]: true }).managedTransforms.has(transform),
  )
  assert.ok(!settingsWith({ true_client_ip_header: 'off' }).managedTransforms.has(transform))
})

test('a managed transform is on under either spelling of its name', () => {
  const [name, other] = ['remove_x-powered-by_header', 'remove_x_powered_by_headers'] as const
  assert.ok(settingsWith({ [name]: true, [other]: null }).managedTransforms.has(name))
  assert.ok(settingsWith({ [name]: null, [other]: true }).managedTransforms.has(name))
  assert.ok(!settingsWith({ [name]: null, [other]: false }).managedTransforms.has(name))
})
