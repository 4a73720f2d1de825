import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { searchLimits } from '../../analytics/limits.ts'
import { eventRecord, ingest, logOf, rayOf, requestRecord } from '../../analytics/testing/fill.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

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
    requestRecord(noonMs - 1, {}, { zone: 'd'.repeat(32), account: 'e'.repeat(32) }),
    eventRecord(noonMs - 1, {}, here),
  ]
  await ingest(api.recordStore, logOf([...requests, ...others]))
})
after(() => api.close())

const search = (query: Record<string, string>) =>
  api.send('GET', `${api.zonePath}/logs/search?${new URLSearchParams(query)}`)

test('an expression narrows a search, beside a filter', async () => {
  const expression = 'http.response.code ge 500 and http.request.uri.path in {"/1" "/2" "/3"}'
  const filter = '{"where":{"key":"ClientRequestPath","operator":"!eq","value":"/1"}}'
  for (const [query, want] of [
    [{ expression }, ['/1', '/3']],
    [{ expression, filter }, ['/3']],
    [{ expression: '' }, Array.from({ length: 25 }, (_, n) => `/${n}`)],
  ] as const) {
    const { status, body } = await search({ ...query, fields: 'ClientRequestPath' })
    assert.equal(status, 200)
    assert.deepEqual(
      body.result.map((one: Record<string, string>) => one['ClientRequestPath']),
      want,
    )
  }
})

test('an expression that a search cannot evaluate is refused with the reason', async () => {
  const rows: readonly (readonly [expression: string, reason: RegExp, dataset?: string])[] = [
    ['http.request.uri.path contains', /Filter parsing error \(1:31\)/],
    ['http.request.uri.paht eq "/"', /did you mean http\.request\.uri\.path\?/],
    ['ip.src.asnum eq 1', /records of http_requests do not keep it/],
    ['http.request.headers["x"][0] eq "1"', /records of http_requests do not keep it/],
    ['http.referer eq ""', /records of firewall_events do not keep it/, 'firewall_events'],
    ['http.request.uri.path matches "a"', /matches is not available in searches/],
    ['ip.src in $office', /lists are not available in searches/],
    ['ip.src lt 10.0.0.1', /order of addresses is not available in searches/],
    ['http.host eq http.request.method', /compared with a literal in searches/],
    ['len(http.host) gt 3', /searches have lower, upper, starts_with, ends_with/],
    [`http.response.code in {${'1 '.repeat(101)}}`, /has 101 comparisons, items and calls/],
    [`${'lower('.repeat(100)}http.host${')'.repeat(100)} eq "a"`, /has 101 comparisons, items and calls/],
    [`ssl${' or ssl'.repeat(100)}`, /has 101 comparisons, items and calls/],
    [`http.host eq "${'x'.repeat(4100)}"`, /expression/],
  ]
  for (const [expression, reason, dataset = 'http_requests'] of rows) {
    const { status, body } = await search({ expression, dataset })
    assert.equal(status, 400, expression)
    assert.match(body.errors[0].message, reason)
    if (expression.length < 4096) assert.equal(body.errors[0].source?.pointer, '/expression', expression)
  }
})

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
  const unknown = await search({ fields: 'BotTags', limit: '2' })
  assert.deepEqual(unknown.body.result, [{}, {}], 'no record has it')
  const { result } = (await search({ limit: '1' })).body
  assert.equal(result[0].ClientRequestPath, undefined, 'the default fields are those of Logpush')
  assert.equal(result[0].RayID, rayOf(noonMs - 1))
})

/** Rows of a Parquet file, as another program reads them. */
async function rowsOf(file: Buffer, columns: string): Promise<unknown> {
  const path = join(api.directory, 'read.parquet')
  writeFileSync(path, file)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  return (await connection.runAndReadAll(`select ${columns} from '${path}' order by all`)).getRowsJson()
}

const exported = (url: string, body?: object) =>
  api.app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/client/v4${url}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  })

test('an export is a Parquet file with all records that pass', async () => {
  const filter = '{"where":{"key":"EdgeResponseStatus","operator":"eq","value":200}}'
  const fields = 'EdgeStartTimestamp,ClientRequestPath,BotTags'
  const query = new URLSearchParams({ filter, fields, since: '2026-01-02T11:56:30Z' })
  const answer = await exported(`${api.zonePath}/logs/search/export?${query}`)
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'application/vnd.apache.parquet')
  assert.deepEqual(await rowsOf(answer.rawPayload, 'EdgeStartTimestamp, ClientRequestPath'), [
    [`${noonMs - 1 - 2 * 60_000}000000`, '/2'],
    [`${noonMs - 1}000000`, '/0'],
  ])
  assert.deepEqual(readdirSync(join(api.directory, 'exported')), [], 'the file is removed')
})

test('queries are answered while exports run', async t => {
  const { exportRowsMax } = searchLimits
  const written = Promise.withResolvers<number>()
  const exportRows = t.mock.method(api.recordStore, 'exportRows', () => written.promise)
  const answers = Promise.all([1, 2, 3].map(() => exported(`${api.zonePath}/logs/search/export`)))
  while (exportRows.mock.callCount() === 0) await setImmediate()
  assert.equal((await search({ limit: '1' })).status, 200)
  assert.equal(exportRows.mock.callCount(), 1)
  written.resolve(exportRowsMax + 1)
  assert.deepEqual(
    (await answers).map(({ statusCode }) => statusCode),
    [400, 400, 400],
  )
})

const sqlPath = () => `/accounts/${api.accountId}/logs/sql`
const ask = (body: object) => api.send('POST', sqlPath(), body)

test('a statement answers with rows of the account', async () => {
  const sql =
    'select EdgeResponseStatus as status, count(*) as n, max(time) as last from http_requests group by all order by n'
  const { status, body } = await ask({ sql, since: '2026-01-02T11:00:00Z' })
  assert.equal(status, 200)
  assert.deepEqual(body.result, {
    since: '2026-01-02T11:00:00.000000Z',
    until: '2026-01-02T12:00:00.000000Z',
    columns: [
      { name: 'status', type: 'BIGINT' },
      { name: 'n', type: 'BIGINT' },
      { name: 'last', type: 'TIMESTAMP' },
    ],
    rows: [
      [503, 12, '2026-01-02 11:58:59.999'],
      [200, 14, '2026-01-02 11:59:59.999'],
    ],
    more: false,
  })
  const limited = await ask({ sql: 'select zone from http_requests', limit: 3 })
  assert.deepEqual([limited.body.result.rows.length, limited.body.result.more], [3, true])
  const file = await exported(`${sqlPath()}/export`, { sql })
  assert.deepEqual(await rowsOf(file.rawPayload, 'status, n'), [
    ['200', '14'],
    ['503', '12'],
  ])
})

test('a statement that has no answer is refused with the reason', async () => {
  const rows: readonly (readonly [object, string | undefined, RegExp])[] = [
    [{ sql: 'select nothing from http_requests' }, '/sql', /"nothing" not found/],
    [{ sql: 'delete from http_requests' }, '/sql', /has to be a SELECT/],
    [{ sql: "select repeat('x', 1000000) from range(30)" }, '/sql', /answer has more than \d+ bytes/],
    [{ sql: 'select 1', since: 'x' }, undefined, /'x' is not a valid value for since/],
    [{ sql: 'select 1', limit: 0 }, '/limit', /limit/],
    [{ sql: 7 }, '/sql', /sql/],
  ]
  for (const [body, pointer, message] of rows) {
    const answer = await ask(body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.errors[0].message, message)
    assert.equal(answer.body.errors[0].source?.pointer, pointer, JSON.stringify(body))
  }
})

test('a wrong search is refused with the position and the reason', async () => {
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
