import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, mock, test } from 'node:test'
import { ingest, logOf, requestRecord } from '../../../analytics/testing/fill.ts'
import { openTestApi, type TestApi, token } from '../../../api/testing/test-api.ts'
import { systemClock } from '../../../kit/clock.ts'
import { bareEnvironment } from '../../../kit/testing/bare-environment.ts'
import { UsageError } from '../../usage.ts'
import { sqlCommand } from '../sql.ts'
import { logsCommand } from './logs.ts'

const count = 1010

let api: TestApi
let lines: string[]

before(async () => {
  api = await openTestApi()
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  mock.property(process, 'env', {
    ...bareEnvironment,
    CLOUDFLARE_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    CLOUDFLARE_API_TOKEN: token,
  })
  const here = { zone: api.zoneId, account: api.accountId }
  const beganMs = Date.now() - 60_000
  const records = Array.from({ length: count }, (_, n) =>
    requestRecord(beganMs + n, { ClientRequestPath: `/${n}` }, here),
  )
  await ingest(api.recordStore, logOf(records), { clock: systemClock })
  mock.method(console, 'log', (line: string) => void lines.push(line))
})

after(async () => {
  mock.restoreAll()
  await api.close()
})

beforeEach(() => {
  lines = []
})

const shop = ['search', '--zone', 'shop.example', '--fields', 'ClientRequestPath']
const paths = () => lines.map(line => JSON.parse(line).ClientRequestPath)

test('records are printed over all pages, as many as asked', async () => {
  await logsCommand([...shop, '--order', 'asc', '--limit', '1005'])
  assert.deepEqual(
    paths(),
    Array.from({ length: 1005 }, (_, n) => `/${n}`),
  )
  lines = []
  await logsCommand([...shop, '--expression', 'http.request.uri.path in {"/7" "/8"}', '--order', 'asc'])
  assert.deepEqual(paths(), ['/7', '/8'])
  lines = []
  await logsCommand([
    ...shop,
    '--filter',
    '{"where":{"key":"ClientRequestPath","operator":"eq","value":"/7"}}',
  ])
  assert.deepEqual(paths(), ['/7'])
})

test('a statement of `sluice sql` prints its rows, or writes a Parquet file', async () => {
  const sql =
    "select ClientRequestPath as path, 1 as one from http_requests where path in ('/8', '/9') order by path"
  await sqlCommand([sql])
  assert.deepEqual(lines, ['{"path":"/8","one":1}', '{"path":"/9","one":1}'])
  lines = []
  const file = join(api.directory, 'rows.parquet')
  await sqlCommand([sql, '--parquet', file])
  const mark = readFileSync(file).subarray(-4).toString()
  assert.deepEqual([mark, lines], ['PAR1', []])
  await assert.rejects(sqlCommand(['drop table x']), /has to be a SELECT.*\(at \/sql\)/)
  await assert.rejects(sqlCommand(['select', '1']), UsageError)
})

test('a wrong search says what is wrong', async () => {
  await assert.rejects(logsCommand(['search']), UsageError)
  await assert.rejects(logsCommand([...shop, '--limit', '0']), UsageError)
  await assert.rejects(logsCommand([...shop, '--job', '1']), UsageError)
  await assert.rejects(logsCommand(['search', '--zone', 'none.example']), /there is no zone none.example/)
  await assert.rejects(logsCommand([...shop, '--filter', '{']), /the filter is not valid.*\/filter/)
  assert.deepEqual(lines, [])
})
