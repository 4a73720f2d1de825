import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { eventually } from '../support/eventually.ts'
import { inForce } from '../support/in-force.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { type S3Server, s3Credentials, startS3 } from '../support/s3-server.ts'
import { api, discard, startSluice } from '../support/sluice.ts'

/** A job's next batches follow half a minute after its first. */
const patienceMs = 90_000

/** Fields of each type. */
const field_names = [
  'RayID',
  'ClientRequestURI',
  'EdgeResponseStatus',
  'EdgeResponseCompressionRatio',
  'CacheReserveUsed',
  'EdgeStartTimestamp',
  'RequestHeaders',
  'SecurityActions',
]

test('a job with output_type parquet stores the values of its NDJSON twin, as DuckDB reads them', async t => {
  const s3 = await startS3(['logs'])
  const sluice = await startSluice({ settings: { SLUICE_CRS: await miniCrs(), SLUICE_WORKERS: '2' } })
  t.after(async () => {
    await discard(sluice)
    await s3.close()
  })
  const [zone] = (await api(sluice, 'GET', '/zones')).result
  const destination = (folder: string) =>
    `s3://logs/${folder}?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}` +
    `&access-key-id=${s3Credentials.accessKeyId}&secret-access-key=${s3Credentials.secretAccessKey}`
  for (const output_type of ['ndjson', 'parquet']) {
    const made = await api(sluice, 'POST', `/zones/${zone.id}/logpush/jobs`, {
      enabled: true,
      destination_conf: destination(`${output_type}/{DATE}`),
      output_options: { output_type, field_names },
    })
    assert.equal(made.status, 200, JSON.stringify(made.errors))
  }
  await inForce(sluice)
  for (let n = 0; n < 40; n++) {
    const user = { 'user-agent': `tests/${n} é`.slice(0, 8 + (n % 3)) }
    await fetch(`${sluice.edgeUrl}/search?q=${n}&x=${encodeURIComponent('"\\\u{1f600}')}`, { headers: user })
  }
  const all = <T>(read: () => Promise<T[]>) =>
    eventually(async () => {
      const found = await read()
      assert.equal(found.length, 40)
      return found
    }, patienceMs)
  const lines = await all(() => s3.lines('logs', 'ndjson/'))
  const rows = await all(() => rowsAt(s3))
  assert.deepEqual(
    rows,
    lines.map(line => ({ ...line, RequestHeaders: JSON.stringify(line['RequestHeaders']) })).toSorted(byRay),
  )
})

type Row = Record<string, unknown>

/** Every row of every file, with the types of NDJSON. */
async function rowsAt(s3: S3Server): Promise<Row[]> {
  const keys = (await s3.keys('logs', 'parquet/')).filter(key => key.endsWith('.parquet'))
  const folder = await mkdtemp(join(tmpdir(), 'sluice-parquet-'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const rows: Row[] = []
    for (const [index, key] of keys.entries()) {
      const path = join(folder, `${index}.parquet`)
      await writeFile(path, await s3.read('logs', key))
      const found = await connection.runAndReadAll(
        `SELECT * REPLACE (epoch_ns(EdgeStartTimestamp) AS EdgeStartTimestamp) FROM '${path}'`,
      )
      rows.push(...(found.getRowObjectsJson() as Row[]))
    }
    return rows
      .map(row => {
        const { EdgeResponseStatus, EdgeStartTimestamp } = row
        // As `JSON.parse` reads them from a line.
        return {
          ...row,
          EdgeResponseStatus: Number(EdgeResponseStatus),
          EdgeStartTimestamp: Number(EdgeStartTimestamp),
        }
      })
      .toSorted(byRay)
  } finally {
    connection.closeSync()
    instance.closeSync()
    await rm(folder, { recursive: true })
  }
}

function byRay(one: Row, other: Row): number {
  return String(one['RayID']) < String(other['RayID']) ? -1 : 1
}
