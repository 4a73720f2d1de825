import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyticsLimits } from '../../limits.ts'
import { rayOf, zoneA } from '../../testing/fill.ts'
import type { Answers, EventFilter, Grouping, TopQuery } from '../../types.ts'
import { allPages } from './pages.ts'
import {
  countedBy,
  day,
  type Event,
  events,
  hourMs,
  lastHour,
  minuteMs,
  noonMs,
  times,
  valuesOf,
} from './records.ts'

const groupings: readonly Grouping[] = ['none', 'action', 'rule', 'matched_rule', 'path', 'client', 'country']

/** Top lists and time series. */
export function testCounts(answers: () => Answers): void {
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
        assert.equal((await allPages(answers(), zoneA, filter, 1000)).length, wanted.length, what)
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
}
