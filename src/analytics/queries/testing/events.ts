import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rayOf, zoneA, zoneB } from '../../testing/fill.ts'
import type { Answers, EventFilter } from '../../types.ts'
import { allPages } from './pages.ts'
import { type Event, events, noonMs, times, zoneLarge } from './records.ts'

/** Pages and filters of events. */
export function testEvents(answers: () => Answers): void {
  test('pages hold every event once, newest first, of any size', async () => {
    for (const limit of [37, 399, 400, 401])
      assert.deepEqual(
        (await allPages(answers(), zoneA, {}, limit)).map(({ timeMs }) => timeMs),
        times,
      )
  })

  test('events of the same time are paged too', async () => {
    const ids = (await allPages(answers(), zoneLarge, {}, 4)).map(({ id }) => id)
    assert.equal(new Set(ids).size, 30)
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => b - a),
    )
  })

  test('a range includes its start and not its end', async () => {
    const [newest, second, third] = times as [number, number, number]
    const rows: readonly (readonly [since: number, until: number, want: number[]])[] = [
      [third, newest, [second, third]],
      [third + 1, newest + 1, [newest, second]],
      [newest, newest + 1, [newest]],
      [newest + 1, newest + 2, []],
    ]
    for (const [sinceMs, untilMs, want] of rows)
      assert.deepEqual(
        (await allPages(answers(), zoneA, {}, 10, { sinceMs, untilMs })).map(({ timeMs }) => timeMs),
        want,
      )
  })

  test('filters match their conditions', async () => {
    const rows: readonly (readonly [EventFilter, (event: Event) => boolean])[] = [
      [{ action: 'log' }, event => event.Action === 'log'],
      [{ source: 'firewallmanaged' }, event => event.Source === 'firewallmanaged'],
      [
        { action: 'block', source: 'firewallcustom' },
        event => event.Action === 'block' && event.Source === 'firewallcustom',
      ],
      [{ rule: 'custom-1' }, event => event.RuleID === 'custom-1'],
      [{ matchedRule: 'id-941100' }, event => JSON.stringify(event.Metadata).includes('941100')],
      [{ matchedRule: 'id-94110' }, () => false],
      [{ client: '198.51.100.3' }, event => event.ClientIP === '198.51.100.3'],
      [
        { client: '198.51.100.3', action: 'log', path: '/10' },
        event =>
          event.ClientIP === '198.51.100.3' && event.Action === 'log' && event.ClientRequestPath === '/10',
      ],
      [{ country: 'de' }, event => event.ClientCountry === 'de'],
      [{ path: '/5' }, event => event.ClientRequestPath === '/5'],
      [{ method: 'POST' }, event => event.ClientRequestMethod === 'POST'],
      [{ host: '1.example' }, event => event.ClientRequestHost === '1.example'],
      [{ userAgent: 'curl/8', path: '/5' }, event => event.ClientRequestPath === '/5'],
      [{ userAgent: 'curl' }, () => false],
      [{ ray: rayOf(times[17]!) }, event => event.timeMs === times[17]],
      [{ ray: 'f'.repeat(16) }, () => false],
      [{ ray: 'none' }, () => false],
      [{ path: '/nowhere' }, () => false],
    ]
    for (const [filter, passes] of rows)
      for (const limit of [60, 1000])
        assert.deepEqual(
          (await allPages(answers(), zoneA, filter, limit)).map(({ timeMs }) => timeMs),
          events.filter(passes).map(({ timeMs }) => timeMs),
          JSON.stringify(filter),
        )
  })

  test('events of one request are in the order in which they happened', async () => {
    const found = await answers().eventsOfRay(zoneLarge, rayOf(noonMs - 1))
    assert.equal(found.length, 30)
    assert.deepEqual(
      found.map(({ fields }) => fields['MatchIndex']),
      Array.from({ length: 30 }, (_, n) => n),
    )
    assert.deepEqual(await answers().eventsOfRay(zoneB, rayOf(noonMs - 1)), [])
  })
}
