import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountA, zoneA, zoneB } from '../../testing/fill.ts'
import type { Answers } from '../../types.ts'
import { day, hourMs, noonMs } from './records.ts'

/** Counts of rules, of a zone and of an account. */
export function testOverview(answers: () => Answers): void {
  test('rules have hits by requests, regardless of the action', async () => {
    assert.deepEqual(await answers().ruleHits(zoneA, day), [
      { rule: 'custom-0', ref: '', hits: 2, mitigated: 1, passedWell: 1 },
      { rule: 'id-920350', ref: '920350', hits: 2, mitigated: 0, passedWell: 1 },
      { rule: 'id-942100', ref: '942100', hits: 2, mitigated: 1, passedWell: 1 },
      { rule: 'verdict', ref: '', hits: 1, mitigated: 1, passedWell: 0 },
    ])
    const longer = await answers().ruleHits(zoneA, { ...day, sinceMs: day.sinceMs - 24 * hourMs })
    assert.deepEqual([longer[0]?.rule, longer[0]?.hits], ['id-942100', 3])
  })

  test('the overview of a zone', async () => {
    assert.deepEqual(await answers().zoneOverview(zoneA, day), {
      range: day,
      requests: 4,
      mitigated: 1,
      events: 400,
      bytes: 4000,
      requestBytes: 400,
      statuses: [0, 0, 2, 0, 2, 0],
      mitigatedByAction: [{ value: 'managedchallenge', requests: 1 }],
      mitigatedBySource: [{ value: 'firewallmanaged', requests: 1 }],
    })
    assert.deepEqual((await answers().zoneOverview(zoneB, day)).statuses, [1, 0, 0, 0, 0, 0])
    assert.equal((await answers().zoneOverview('f'.repeat(32), day)).requests, 0)
  })

  test('the overview of an account', async () => {
    const zones = new Map(
      (await answers().accountOverview(accountA, noonMs)).map(zone => [zone.zoneId, zone]),
    )
    assert.deepEqual(zones.get(zoneA), {
      zoneId: zoneA,
      day: { requests: 4, mitigated: 1 },
      hour: { requests: 3, mitigated: 1 },
    })
    assert.deepEqual(zones.get(zoneB)?.hour, { requests: 1, mitigated: 0 })
    assert.equal(zones.size, 2)
    assert.deepEqual(await answers().accountOverview('d'.repeat(32), noonMs), [])
  })
}
