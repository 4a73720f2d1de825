import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reach } from '../../model/settings/index.ts'
import { reaching } from '../testing/destinations.ts'
import { checkDestination } from './destination.ts'

test('destinations in refused ranges are not connected to, in every spelling', async () => {
  const rows: [destination: string, reach: Reach, words: RegExp][] = [
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
    ['stdout://', 'public', /does not allow the output of this machine/],
  ]
  for (const [destination, reach, words] of rows) {
    const { valid, message } = await checkDestination(destination, reaching(reach))
    assert.equal(valid, false, destination)
    assert.match(message, words)
  }
})

test('a name with several addresses, none of which has a listener, fails to connect, with any protocol', async () => {
  const channel = 'channel=5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab'
  for (const destination of [
    'http://localhost:1/',
    'https://localhost:1/',
    'loki://localhost:1?tls=false',
    'elastic://localhost:1/logs',
    `splunk://localhost:1/services/collector/raw?${channel}&header_Authorization=Splunk%20t`,
    's3://bucket/a?region=r&endpoint=http://localhost:1&access-key-id=a&secret-access-key=b',
    'kafka://localhost:1/logs',
    'kafka://localhost:1/logs?tls=false',
  ]) {
    const { message } = await checkDestination(destination, reaching('loopback'))
    assert.match(
      message,
      /localhost:1 refuses connections: .*correct the address, or start the receiver.*failed step: connect/,
      destination,
    )
  }
})
