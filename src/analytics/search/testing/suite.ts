import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { compile, type Scheme, type Value } from '../../../expressions/index.ts'
import { hostNameOf } from '../../../kit/host-name.ts'
import { checkFilter, compileFilter } from '../../../logfilter/index.ts'
import { httpRequests } from '../../../model/datasets/http-requests.ts'
import { httpFields } from '../../../rulesets/index.ts'
import type { EventPosition } from '../../positions.ts'
import type { RecordStore } from '../../records/port.ts'
import { batchOf } from '../../records/testing/suite.ts'
import { eventRecord, requestRecord, zoneA, zoneB } from '../../testing/fill.ts'
import { exportRecords, searchRecords } from '../search.ts'
import type { SearchQuery } from '../types.ts'

const noonMs = Date.UTC(2026, 0, 2, 12)
const range = { sinceMs: noonMs - 3 * 3_600_000, untilMs: noonMs }
const fieldNamed = (name: string) => httpRequests.fields.find(field => field.name === name)!
const fields = ['RayID', 'ClientRequestPath', 'EdgeStartTimestamp', 'RequestHeaders'].map(fieldNamed)

/** Records of three hours, oldest first; some share a millisecond, and values repeat in several combinations. */
const requests = Array.from({ length: 120 }, (_, n) => ({
  EdgeStartTimestamp: `${range.sinceMs + Math.floor(n / 3) * 4 * 60_000}${String(n % 7).padStart(6, '0')}`,
  RayID: n.toString(16).padStart(16, '0'),
  ClientRequestPath: ['/', "/o'k", '/%5C\\', '/ä/🧱'][n % 4]!,
  ClientRequestMethod: n % 5 === 0 ? 'POST' : 'GET',
  EdgeResponseStatus: [200, 403, 500][n % 3]!,
  OriginResponseDurationMs: n,
  EdgeResponseCompressionRatio: n / 8,
  ClientXRequestedWith: n % 2 === 0 ? '' : 'app',
  SecurityActions: n % 6 === 0 ? ['block', 'log'] : n % 6 === 1 ? ['log'] : [],
  EdgeTimeToFirstByteMs: n % 11,
  ClientIP: ['192.0.2.7', '10.200.0.1', '2001:db8::7', '::1', '2001:db8:0:1::ffff'][n % 5]!,
  ClientRequestHost: ['shop.example', 'Shop.Example:8080', 'shop.example.', '[::1]:80', 'blog.example'][
    n % 5
  ]!,
  ClientRequestScheme: n % 4 === 0 ? 'http' : 'https',
  ClientCountry: ['nz', 'xx', 'de'][n % 3]!,
  ClientRequestUserAgent: ['Mozilla/5.0 (X11)', 'CURL/8', 'ä*b\\c', ''][n % 4]!,
  ClientSrcPort: 40_000 + n,
  ...(n % 9 === 0 ? { RequestHeaders: { 'x-a': String(n) } } : {}),
}))

const criteria: readonly (readonly [key: string, operator: string, value: unknown])[] = [
  ['ClientRequestPath', 'eq', "/o'k"],
  ['ClientRequestPath', '!eq', '/'],
  ['ClientRequestPath', 'contains', '\\'],
  ['ClientRequestPath', 'contains', ''],
  ['ClientRequestPath', '!contains', '%'],
  ['ClientRequestPath', 'startsWith', '/ä'],
  ['ClientRequestPath', '!startsWith', '/%5C_'],
  ['ClientRequestPath', 'endsWith', '🧱'],
  ['ClientRequestPath', '!endsWith', "' or 1=1 --"],
  ['ClientRequestMethod', 'in', ['POST', 'PUT']],
  ['ClientXRequestedWith', '!in', ['app', '']],
  ['EdgeResponseStatus', 'geq', 403],
  ['EdgeResponseStatus', 'in', [200, 500]],
  ['EdgeTimeToFirstByteMs', 'lt', '4'],
  ['EdgeResponseCompressionRatio', 'leq', 3.125],
  ['EdgeResponseCompressionRatio', 'gt', 7],
  ['EdgeStartTimestamp', 'gt', `${noonMs - 3_600_000}000003`],
  ['EdgeStartTimestamp', 'eq', `${range.sinceMs}000001`],
  ['SecurityActions', 'contains', 'block'],
  ['SecurityActions', '!in', ['block', 'x']],
  ['BotScore', 'eq', 0],
]

/** Every criterion alone, with its successor, and a tree of several. */
const filters = [
  ...criteria.map(([key, operator, value]) => ({ key, operator, value })),
  ...criteria.map(([key, operator, value], at) => {
    const [key2, operator2, value2] = criteria[(at + 7) % criteria.length]!
    return {
      [at % 2 === 0 ? 'and' : 'or']: [
        { key, operator, value },
        { or: [{ key: key2, operator: operator2, value: value2 }] },
      ],
    }
  }),
].map(where => JSON.stringify({ where }))

/** As rules see them. */
const readers: Readonly<Record<string, (record: (typeof requests)[number]) => Value>> = {
  'http.host': ({ ClientRequestHost }) => hostNameOf(ClientRequestHost),
  'http.request.method': ({ ClientRequestMethod }) => ClientRequestMethod,
  'http.request.uri.path': ({ ClientRequestPath }) => bytesOf(ClientRequestPath),
  'http.user_agent': ({ ClientRequestUserAgent }) => bytesOf(ClientRequestUserAgent),
  'http.response.code': ({ EdgeResponseStatus }) => EdgeResponseStatus,
  'ip.src': ({ ClientIP }) => ClientIP,
  'ip.src.country': ({ ClientCountry }) => (ClientCountry === 'xx' ? '' : ClientCountry.toUpperCase()),
  'cf.edge.client_port': ({ ClientSrcPort }) => ClientSrcPort,
  'cf.ray_id': ({ RayID }) => RayID,
  ssl: ({ ClientRequestScheme }) => ClientRequestScheme === 'https',
}
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')
const scheme: Scheme<(typeof requests)[number]> = {
  fields: new Map(
    httpFields.flatMap(({ name, type }) => {
      const read = readers[name]
      return read === undefined ? [] : [[name, { name, type, read }]]
    }),
  ),
}

const expressions = [
  'http.request.uri.path contains "/o\'k" and ip.src in {10.0.0.0/8}',
  'http.request.uri.path contains ""',
  'http.request.uri.path eq "/ä/🧱" or http.request.method in {"POST" "PUT"}',
  'not http.request.uri.path wildcard "/%5c*"',
  'http.request.uri.path wildcard r"/%5C\\\\"',
  'http.request.uri.path strict wildcard "/%5c*"',
  'http.request.uri.path ne "/" xor ssl',
  'ssl xor http.request.method eq "POST" xor http.response.code ge 400 xor true',
  `ip.src in {${'::1 '.repeat(99)}10.0.0.0/8}`,
  'http.request.uri.path lt "/a" and http.request.uri.path ge "/%"',
  'http.user_agent wildcard "mozilla/*(x11)"',
  String.raw`http.user_agent wildcard r"ä\*b\\c"`,
  'http.user_agent eq ""',
  'lower(http.user_agent) contains "curl" or upper(http.user_agent) eq "MOZILLA/5.0 (X11)"',
  'lower(http.user_agent) contains "Ä"',
  'starts_with(http.host, "shop.") and not ends_with(http.host, ".test")',
  'http.host eq "[::1]"',
  'http.host in {"shop.example" "blog.example"} and not ssl',
  'ip.src in {2001:db8::/48 192.0.2.0/24}',
  'ip.src in {2001:db8::7..2001:db8::8}',
  'ip.src eq ::1 or ip.src eq 10.200.0.1',
  'ip.src ne 2001:db8:0:0:0:0:0:7',
  'ip.src.country in {"NZ" "DE"}',
  'ip.src.country eq ""',
  'http.response.code ge 400 and http.response.code lt 500',
  'http.response.code in {200 500..599}',
  'cf.edge.client_port gt 40060 and not (ssl and http.response.code ne 403)',
  'cf.ray_id eq "0000000000000007"',
  'ssl or true and false',
  'http.request.method eq "x\' or 1=1 --"',
]

/** A search gives the records that a job's filter passes, whichever the engine. */
export function searchSuite(open: () => Promise<RecordStore>): void {
  let store: RecordStore
  before(async () => {
    store = await open()
    const own = requests.map(record => requestRecord(0, record))
    await store.append(
      batchOf([...own, requestRecord(noonMs - 1, {}, { zone: zoneB }), eventRecord(noonMs - 1)]),
    )
  })
  after(() => store.close())

  async function everyPage(query: Omit<SearchQuery, 'dataset' | 'range' | 'fields'>): Promise<unknown[]> {
    const rays: unknown[] = []
    let from: EventPosition | undefined
    do {
      const page = await searchRecords(store, zoneA, {
        dataset: 'http_requests',
        range,
        fields,
        ...query,
        ...(from === undefined ? {} : { after: from }),
      })
      rays.push(...page.records.map(({ RayID }) => RayID))
      assert.ok(page.records.length === query.limit || page.next === undefined)
      from = page.next
    } while (from !== undefined)
    return rays
  }

  test('a filter passes the same records as in a job', async () => {
    for (const text of filters) {
      const predicate = compileFilter(text, httpRequests)
      const filter = checkFilter(text, httpRequests)
      assert.ok(predicate.ok && filter.ok, text)
      const want = requests.filter(predicate.test).map(({ RayID }) => RayID)
      assert.deepEqual(await everyPage({ filter: filter.node, order: 'asc', limit: 1000 }), want, text)
    }
  })

  test('an expression passes the records for which it is true, and a filter narrows them', async () => {
    const filter = checkFilter(filters[0]!, httpRequests)
    const filtered = compileFilter(filters[0]!, httpRequests)
    assert.ok(filter.ok && filtered.ok)
    for (const expression of expressions) {
      const predicate = compile(expression, scheme)
      assert.ok(predicate.ok, expression)
      const want = requests.filter(predicate.test)
      const rays = (records: typeof want) => records.map(({ RayID }) => RayID)
      const query = { expression, order: 'asc', limit: 1000 } as const
      assert.deepEqual(await everyPage(query), rays(want), expression)
      const both = await everyPage({ ...query, filter: filter.node })
      assert.deepEqual(both, rays(want.filter(filtered.test)), expression)
    }
  })

  test('pages of any size and both orders hold every record once', async () => {
    const rays = requests.map(({ RayID }) => RayID)
    for (const limit of [7, 119, 120, 121]) {
      assert.deepEqual(await everyPage({ order: 'asc', limit }), rays)
      assert.deepEqual(await everyPage({ order: 'desc', limit }), rays.toReversed())
    }
  })

  test('an export filtered by a time that it contains has the records that pass', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-export-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'found.parquet')
    const after = `${noonMs - 3_600_000}000003`
    const where = { key: 'EdgeStartTimestamp', operator: 'gt', value: after }
    const filter = checkFilter(JSON.stringify({ where }), httpRequests)
    assert.ok(filter.ok)
    const query = { dataset: 'http_requests', range, fields, filter: filter.node } as const
    const want = requests.filter(({ EdgeStartTimestamp }) => EdgeStartTimestamp > after)
    assert.equal(await exportRecords(store, zoneA, query, 1000, path), want.length)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const found = await connection.runAndReadAll(
      `select "RayID", "EdgeStartTimestamp" from '${path}' order by "RayID"`,
    )
    assert.deepEqual(
      found.getRowsJson(),
      want.map(({ RayID, EdgeStartTimestamp }) => [RayID, EdgeStartTimestamp]),
    )
  })

  test('records have the asked fields, with exact times', async () => {
    const query = { dataset: 'http_requests', range, fields, order: 'asc', limit: 2 } as const
    const { records } = await searchRecords(store, zoneA, query)
    const pick = ({ RayID, ClientRequestPath, EdgeStartTimestamp }: (typeof requests)[number]) => ({
      RayID,
      ClientRequestPath,
      EdgeStartTimestamp,
    })
    assert.deepEqual(records, [{ ...pick(requests[0]!), RequestHeaders: { 'x-a': '0' } }, pick(requests[1]!)])
    const none = { ...query, range: { sinceMs: 0, untilMs: range.sinceMs } }
    assert.deepEqual(await searchRecords(store, zoneA, none), { records: [], next: undefined })
  })
}
