import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventRecord, ingest, logOf, rayOf, requestRecord } from '../../analytics/testing/fill.ts'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

const noonMs = Date.UTC(2026, 0, 2, 12)

let api: TestApi
before(async () => {
  api = await openTestApi({ clock: { nowMs: () => noonMs } })
  const here = { zone: api.zoneId, account: api.accountId }
  const requests = Array.from({ length: 25 }, (_, n) =>
    requestRecord(
      noonMs - 1 - n * 60_000,
      { EdgeResponseStatus: n % 2 === 0 ? 200 : 503, ClientRequestPath: `/${n}` },
      here,
    ),
  )
  const others = [
    requestRecord(noonMs - 1, {}, { ...here, zone: 'f'.repeat(32) }),
    eventRecord(noonMs - 1, {}, here),
  ]
  await ingest(api.recordStore, logOf([...requests, ...others]))
})
after(() => api.close())

const search = (query: Record<string, string>) =>
  api.send('GET', `${api.zonePath}/logs/search?${new URLSearchParams(query)}`)

test('a search gives the records of the zone that pass, page by page in either order', async () => {
  const filter = '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":500}}'
  const failed = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23].map(n => `/${n}`)
  for (const [order, want] of [
    ['desc', failed],
    ['asc', failed.toReversed()],
  ] as const) {
    const paths: string[] = []
    let from: Record<string, string> = {}
    for (let pages = 0; pages < 3; pages++) {
      const { status, body } = await search({
        filter,
        fields: 'ClientRequestPath',
        order,
        limit: '5',
        ...from,
      })
      assert.equal(status, 200)
      paths.push(...body.result.map((one: Record<string, string>) => one['ClientRequestPath']))
      from = { cursor: body.result_info?.cursors.after ?? '' }
    }
    assert.deepEqual(paths, want)
    assert.deepEqual(from, { cursor: '' }, 'the last page has no next')
  }
})

test('dataset, range and fields choose', async () => {
  const newest = { since: '2026-01-02T11:59:59Z', fields: 'RayID,EdgeStartTimestamp' }
  assert.deepEqual((await search(newest)).body.result, [
    { RayID: rayOf(noonMs - 1), EdgeStartTimestamp: `${noonMs - 1}000000` },
  ])
  const { body } = await search({ dataset: 'firewall_events', fields: 'Action' })
  assert.deepEqual(body.result, [{ Action: 'block' }])
  const { result } = (await search({ limit: '1' })).body
  assert.equal(result[0].ClientRequestPath, undefined, 'the default fields are those of Logpush')
  assert.equal(result[0].RayID, rayOf(noonMs - 1))
})

test('a wrong search is refused with the place and the reason', async () => {
  const rows: readonly (readonly [Record<string, string>, string | undefined, RegExp])[] = [
    [{ fields: 'RayId' }, '/fields', /did you mean RayID/],
    [{ filter: '{' }, '/filter', /the filter is not valid/],
    [
      { filter: '{"where":{"key":"X","operator":"eq","value":1}}' },
      '/filter',
      /the filter is not valid at \/where\/key/,
    ],
    [{ cursor: 'MTI' }, undefined, /no page has this cursor/],
    [{ since: 'x' }, undefined, /'x' is not a valid value for since/],
    [{ dataset: 'audit_logs' }, undefined, /dataset/],
    [{ limit: '1001' }, undefined, /1000/],
    [{ order: 'up' }, undefined, /order/],
  ]
  for (const [query, pointer, message] of rows) {
    const { status, body } = await search(query)
    assert.equal(status, 400, JSON.stringify(query))
    assert.match(body.errors[0].message, message)
    assert.equal(body.errors[0].source?.pointer, pointer, JSON.stringify(query))
  }
})
