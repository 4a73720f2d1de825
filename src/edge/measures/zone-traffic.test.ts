import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureLimits } from '../limits.ts'
import { ZoneTraffic } from './zone-traffic.ts'

const zone = (name: string) => ({ id: `id of ${name}`, name })

test('requests are counted by class of status and action', () => {
  const traffic = new ZoneTraffic()
  traffic.add(zone('shop.test'), 200, 'none')
  traffic.add(zone('shop.test'), 204, 'none')
  traffic.add(zone('shop.test'), 403, 'block')
  traffic.add(zone('shop.test'), 0, 'connectionClose')
  assert.deepEqual(
    [...traffic.entries()],
    [
      { zone: 'shop.test', status: '2xx', action: 'none', requests: 2 },
      { zone: 'shop.test', status: '4xx', action: 'block', requests: 1 },
      { zone: 'shop.test', status: 'none', action: 'connectionClose', requests: 1 },
    ],
  )
})

test('a zone that becomes busy takes the place of a quiet one, and the sum does not fall', () => {
  const traffic = new ZoneTraffic(2)
  const named = () =>
    Object.fromEntries([...traffic.entries()].map(({ zone: name, requests }) => [name, requests]))
  for (const name of ['first.test', 'second.test', 'late.test']) traffic.add(zone(name), 200, 'none')
  assert.deepEqual(named(), { 'first.test': 1, 'second.test': 1, other: 1 })
  // The last one is the next choice.
  for (let sent = 3; sent < measureLimits.requestsPerChoice - 1; sent++)
    traffic.add(zone(sent % 3 === 0 ? 'first.test' : 'late.test'), 200, 'none')
  const before = named()
  traffic.add(zone('late.test'), 200, 'none')
  const other = before['other']! + before['second.test']!
  assert.deepEqual(named(), { 'first.test': before['first.test'], 'late.test': 1, other })
})
