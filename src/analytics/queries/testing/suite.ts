import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { type WhatIfSample, whatIfSamplesDataset } from '../../../model/what-if-sample.ts'
import { answersOf } from '../../answers.ts'
import { analyticsLimits } from '../../limits.ts'
import type { EventPosition } from '../../positions.ts'
import type { RecordStore } from '../../records/port.ts'
import { batchOf } from '../../records/testing/suite.ts'
import {
  accountA,
  eventRecord,
  managedMetadata,
  matchedRules,
  rayOf,
  requestRecord,
  zoneA,
  zoneB,
} from '../../testing/fill.ts'
import type { EventFilter, Grouping, TopQuery } from '../../types.ts'

const noonMs = Date.UTC(2026, 0, 2, 12)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const day = { sinceMs: noonMs - 24 * hourMs, untilMs: noonMs }
const lastHour = { sinceMs: noonMs - hourMs, untilMs: noonMs }
const zoneLarge = 'e'.repeat(32)

/** Events of the last day, newest first: every kind of value occurs in several hours. */
const times = Array.from({ length: 400 }, (_, n) => noonMs - 1 - n * 3 * minuteMs)
const events = times.map((timeMs, n) => {
  const managed = n % 4 === 0
  return {
    timeMs,
    Action: ['block', 'log', 'managedchallenge'][n % 3]!,
    Source: managed ? 'firewallmanaged' : 'firewallcustom',
    RuleID: managed ? 'verdict' : `custom-${n % 2}`,
    ClientIP: `198.51.100.${n % 7}`,
    ClientCountry: ['nz', 'de'][n % 2]!,
    ClientRequestPath: `/${n % 12}`,
    ClientRequestMethod: n % 5 === 0 ? 'POST' : 'GET',
    ClientRequestHost: `${n % 2}.example`,
    ClientRequestUserAgent: 'curl/8',
    Metadata: managed ? managedMetadata('942100', ...(n % 8 === 0 ? ['941100'] : [])) : { type: 'customer' },
  }
})

const requests = [
  requestRecord(noonMs - 1, { MatchedRules: matchedRules('942100', '920350') }),
  requestRecord(noonMs - 2, {
    MatchedRules: matchedRules('920350'),
    EdgeResponseStatus: 404,
    OriginResponseStatus: 404,
  }),
  requestRecord(noonMs - 3, {
    MatchedRules: matchedRules('942100'),
    SecurityAction: 'managedChallenge',
    SecurityActions: ['log', 'managedChallenge'],
    SecurityRuleIDs: ['custom-0', 'verdict'],
    SecuritySources: ['firewallCustom', 'firewallManaged'],
    EdgeResponseStatus: 403,
    OriginResponseStatus: 0,
  }),
  requestRecord(noonMs - 2 * hourMs, { SecurityActions: ['log'], SecurityRuleIDs: ['custom-0'] }),
  requestRecord(noonMs - 30 * hourMs, { MatchedRules: matchedRules('942100') }),
  requestRecord(noonMs - 1, { EdgeResponseStatus: 0, OriginResponseStatus: 0 }, { zone: zoneB }),
]

type Event = (typeof events)[number]

const valuesOf: { readonly [D in TopQuery['by']]: (event: Event) => readonly string[] } = {
  rule: event => [event.RuleID],
  matched_rule: ({ Metadata }) =>
    ('rules' in Metadata ? (Metadata.rules as { id: string }[]) : []).map(({ id }) => id),
  path: event => [event.ClientRequestPath],
  client: event => [event.ClientIP],
  country: event => [event.ClientCountry],
  user_agent: event => [event.ClientRequestUserAgent],
  host: event => [event.ClientRequestHost],
}

function countedBy(
  by: TopQuery['by'],
  from: readonly Event[],
): Map<string, { events: number; mitigated: number }> {
  const counts = new Map<string, { events: number; mitigated: number }>()
  for (const event of from)
    for (const value of valuesOf[by](event)) {
      const count = counts.get(value) ?? { events: 0, mitigated: 0 }
      count.events++
      if (event.Action !== 'log') count.mitigated++
      counts.set(value, count)
    }
  return counts
}

const groupings: readonly Grouping[] = ['none', 'action', 'rule', 'matched_rule', 'path', 'client', 'country']

/** A record of `what_if_samples` of one client in the last minute. */
function sampleRecord(sample: Partial<WhatIfSample>): string {
  const fields: WhatIfSample = {
    time: noonMs - 1,
    ray: rayOf(1),
    client: '198.51.100.7',
    country: 'nz',
    host: 'shop.example',
    method: 'GET',
    path: '/',
    rate: 1,
    leftOut: 0,
    cpuMicros: 100,
    action: '',
    scores: [0, 0, 0, 0],
    stops: 0,
    incomplete: false,
    rules: [],
    ...sample,
  }
  return JSON.stringify({ zone: zoneA, account: accountA, dataset: whatIfSamplesDataset, fields })
}

/**
 * Every query of the API, with the same answers from every engine.
 * @param open an empty store
 */
export function querySuite(open: () => Promise<RecordStore>): void {
  let store: RecordStore
  const answers = () => answersOf(store, tmpdir())
  before(async () => {
    store = await open()
    const large = Array.from({ length: 30 }, (_, n) =>
      eventRecord(noonMs - 1, { MatchIndex: n }, { zone: zoneLarge }),
    )
    const records = events.map(({ timeMs, ...fields }) => eventRecord(timeMs, fields))
    await store.append(batchOf([...records, ...requests, ...large]))
  })
  after(() => store.close())

  async function allPages(
    zone: string,
    filter: EventFilter,
    limit: number,
    range = day,
  ): Promise<EventPosition[]> {
    const found: EventPosition[] = []
    let from: { before?: EventPosition } = {}
    for (let pages = 0; pages < 1000; pages++) {
      const { events: page, next } = await answers().events(zone, { range, filter, limit, ...from })
      assert.ok(page.length <= limit)
      found.push(...page.map(({ position }) => position))
      if (next === undefined) return found
      from = { before: next }
    }
    throw new Error('the pages have no end')
  }

  test('pages hold every event once, newest first, of any size', async () => {
    for (const limit of [37, 399, 400, 401])
      assert.deepEqual(
        (await allPages(zoneA, {}, limit)).map(({ timeMs }) => timeMs),
        times,
      )
  })

  test('events of the same time are paged too', async () => {
    const ids = (await allPages(zoneLarge, {}, 4)).map(({ id }) => id)
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
        (await allPages(zoneA, {}, 10, { sinceMs, untilMs })).map(({ timeMs }) => timeMs),
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
          (await allPages(zoneA, filter, limit)).map(({ timeMs }) => timeMs),
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

  test('top lists have the most frequent values', async () => {
    for (const by of Object.keys(valuesOf) as TopQuery['by'][])
      for (const range of [lastHour, { sinceMs: noonMs - 20 * hourMs, untilMs: noonMs }]) {
        const own = events.filter(({ timeMs }) => timeMs >= range.sinceMs)
        const counts = countedBy(by, own)
        const {
          values,
          totalEvents,
          otherEvents,
          range: answered,
        } = await answers().top(zoneA, { range, by, limit: 100 })
        assert.deepEqual(answered, range)
        assert.deepEqual(
          Object.fromEntries(
            values.map(({ value, events: n, mitigated }) => [value, { events: n, mitigated }]),
          ),
          Object.fromEntries(counts),
          by,
        )
        assert.equal(totalEvents, own.length)
        assert.equal(otherEvents, 0)
        const sizes = values.map(one => one.events)
        assert.deepEqual(
          sizes,
          sizes.toSorted((a, b) => b - a),
        )
        const [first] = (await answers().top(zoneA, { range, by, limit: 1 })).values
        assert.deepEqual(first, values[0])
        const rest = (await answers().top(zoneA, { range, by, limit: 1 })).otherEvents
        assert.equal(
          rest,
          sizes.slice(1).reduce((sum, n) => sum + n, 0),
        )
      }
    const [rule] = (await answers().top(zoneA, { range: day, by: 'matched_rule', limit: 1 })).values
    assert.deepEqual([rule?.value, rule?.ref], ['id-942100', '942100'])
  })

  test('time series add up to the events, in every step and grouping', async () => {
    const groupings: readonly Exclude<Grouping, 'none' | 'action'>[] = [
      'rule',
      'matched_rule',
      'path',
      'client',
      'country',
    ]
    for (const groupBy of groupings)
      for (const [range, stepMs] of [
        [lastHour, 5 * minuteMs],
        [day, hourMs],
        [day, 6 * hourMs],
      ] as const) {
        const answer = await answers().timeseries(zoneA, { range, groupBy, stepMs })
        assert.equal(answer.stepMs, stepMs)
        assert.deepEqual(answer.range, range)
        const steps = (range.untilMs - range.sinceMs) / stepMs
        assert.ok(answer.series.length <= analyticsLimits.seriesMax)
        for (const series of [...answer.series, answer.other!]) {
          assert.equal(series.counts.length, steps)
          for (const [step, count] of series.counts.entries()) {
            const own = events.filter(
              ({ timeMs }) =>
                timeMs >= range.sinceMs + step * stepMs && timeMs < range.sinceMs + (step + 1) * stepMs,
            )
            const counts = countedBy(groupBy, own)
            const named = answer.series.map(({ value }) => value)
            const want =
              series === answer.other
                ? [...counts].reduce(
                    (sum, [value, { events: n }]) => sum + (named.includes(value) ? 0 : n),
                    0,
                  )
                : (counts.get(series.value)?.events ?? 0)
            assert.equal(count, want, `${groupBy} ${series.value} ${step}`)
          }
        }
      }
  })

  test('matching events are counted separately', async () => {
    const wanted = events.filter(event => event.Action === 'log' && event.ClientCountry === 'de')
    const filter = { action: 'log', country: 'de' }
    const whole = { sinceMs: noonMs - 20 * hourMs, untilMs: noonMs }
    const top = await answers().top(zoneA, { range: whole, filter, by: 'path', limit: 100 })
    assert.equal(top.totalEvents, wanted.length)
    assert.deepEqual(
      Object.fromEntries(
        top.values.map(({ value, events: n, mitigated }) => [value, { events: n, mitigated }]),
      ),
      Object.fromEntries(countedBy('path', wanted)),
    )
    for (const groupBy of ['none', 'action', 'path', 'matched_rule'] as const) {
      const { series, other } = await answers().timeseries(zoneA, {
        range: whole,
        filter,
        groupBy,
        stepMs: hourMs,
      })
      const total = series.reduce((sum, one) => sum + one.total, other?.total ?? 0)
      const managed = wanted.flatMap(event => valuesOf.matched_rule(event)).length
      assert.equal(total, groupBy === 'matched_rule' ? managed : wanted.length, groupBy)
    }
    const byClient = { client: '198.51.100.3', path: '/10' }
    const own = events.filter(
      one => one.ClientIP === byClient.client && one.ClientRequestPath === byClient.path,
    )
    assert.ok(own.length > 0)
    assert.equal(
      (await answers().top(zoneA, { range: whole, filter: byClient, by: 'host', limit: 9 })).totalEvents,
      own.length,
    )
    const noMatch = { path: '/nowhere' }
    assert.deepEqual(
      (await answers().top(zoneA, { range: whole, filter: noMatch, by: 'path', limit: 9 })).values,
      [],
    )
    const none = await answers().timeseries(zoneA, {
      range: whole,
      filter: noMatch,
      groupBy: 'path',
      stepMs: hourMs,
    })
    assert.deepEqual([none.series, none.other?.total], [[], 0])
  })

  test('every filter narrows every list, series and page, and two of them narrow one of each', async () => {
    const one: { readonly [F in keyof Required<EventFilter>]: readonly [string, (event: Event) => boolean] } =
      {
        action: ['block', event => event.Action === 'block'],
        source: ['firewallmanaged', event => event.Source === 'firewallmanaged'],
        rule: ['verdict', event => event.RuleID === 'verdict'],
        matchedRule: ['id-942100', event => valuesOf.matched_rule(event).includes('id-942100')],
        ray: [rayOf(times[0]!), event => event.timeMs === times[0]],
        client: ['198.51.100.0', event => event.ClientIP === '198.51.100.0'],
        country: ['nz', event => event.ClientCountry === 'nz'],
        path: ['/0', event => event.ClientRequestPath === '/0'],
        method: ['POST', event => event.ClientRequestMethod === 'POST'],
        host: ['0.example', event => event.ClientRequestHost === '0.example'],
        userAgent: ['curl/8', event => event.ClientRequestUserAgent === 'curl/8'],
      }
    const names = Object.keys(one) as (keyof typeof one)[]
    for (const [at, first] of names.entries())
      for (const second of [first, names[(at + 1) % names.length]!]) {
        const filter = { [first]: one[first][0], [second]: one[second][0] }
        const wanted = events.filter(event => one[first][1](event) && one[second][1](event))
        const what = `${first} and ${second}`
        assert.equal((await allPages(zoneA, filter, 1000)).length, wanted.length, what)
        const tops = Object.keys(valuesOf) as TopQuery['by'][]
        for (const by of first === second ? tops : [tops[at % tops.length]!]) {
          const { values, totalEvents } = await answers().top(zoneA, { range: day, filter, by, limit: 100 })
          const counts = values.map(({ value, events: n, mitigated }) => [value, { events: n, mitigated }])
          assert.deepEqual(
            Object.fromEntries(counts),
            Object.fromEntries(countedBy(by, wanted)),
            `${what} by ${by}`,
          )
          assert.equal(totalEvents, wanted.length, `${what} by ${by}`)
        }
        for (const groupBy of first === second ? groupings : [groupings[at % groupings.length]!]) {
          const { series, other } = await answers().timeseries(zoneA, {
            range: day,
            filter,
            groupBy,
            stepMs: hourMs,
          })
          const total = series.reduce((sum, { total: own }) => sum + own, other?.total ?? 0)
          const ofRules = wanted.flatMap(event => valuesOf.matched_rule(event)).length
          assert.equal(total, groupBy === 'matched_rule' ? ofRules : wanted.length, `${what} by ${groupBy}`)
        }
      }
  })

  test('without a grouping there are requests, mitigated requests, and events', async () => {
    const { series, other } = await answers().timeseries(zoneA, {
      range: day,
      groupBy: 'none',
      stepMs: hourMs,
    })
    assert.deepEqual(
      series.map(({ value, total, counts }) => [value, total, counts.length, counts.at(-1)]),
      [
        ['requests', 4, 24, 3],
        ['mitigated', 1, 24, 1],
        ['events', 400, 24, 20],
      ],
    )
    assert.equal(other, undefined)
  })

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

  test('samples count for every level and threshold that would have acted', async () => {
    const samples = [
      sampleRecord({
        scores: [0, 5, 5, 10],
        rules: [
          ['z', '942100', 2, 5],
          ['b', '941100', 4, 5],
        ],
      }),
      sampleRecord({ scores: [5, 5, 5, 5], rules: [['a', '942100', 1, 5]], action: 'block', cpuMicros: 0 }),
      sampleRecord({ stops: 3, incomplete: true, leftOut: 4, path: '/b' }),
      sampleRecord({ time: noonMs + 1 }),
    ]
    await store.append(batchOf(samples, 0, 'samples'))
    const {
      samples: n,
      evaluated,
      cpuMs,
      leftOut,
      incomplete,
      heldUp,
      range,
      levels,
    } = await answers().whatIf(zoneA, {
      range: day,
      thresholds: [5, 10],
    })
    assert.deepEqual(range, { sinceMs: noonMs - minuteMs, untilMs: noonMs })
    assert.deepEqual([n, evaluated, cpuMs, leftOut, incomplete, heldUp], [3, 2, 0.2, 4, 1, 1])
    assert.deepEqual(levels, [
      [1, 0],
      [2, 0],
      [3, 1],
      [3, 2],
    ])
    const cell = await answers().whatIfCell(zoneA, {
      range: day,
      level: 4,
      threshold: 10,
      limit: 5,
      examples: 1,
    })
    assert.deepEqual([cell.acted, cell.actedAnew, cell.letThrough], [2, 2, 1])
    assert.deepEqual(cell.paths, [
      { value: '/', samples: 1 },
      { value: '/b', samples: 1 },
    ])
    assert.deepEqual(cell.clients, [{ value: '198.51.100.7', samples: 2 }])
    // Equal counts: the lower level first.
    assert.deepEqual(cell.rules, [
      { value: 'z 942100', samples: 1 },
      { value: 'b 941100', samples: 1 },
    ])
    assert.deepEqual(
      [cell.examples[0]?.stops, cell.examples[0]?.path, cell.examples[0]?.rules],
      [3, '/b', []],
    )
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
