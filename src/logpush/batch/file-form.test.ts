import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { LogRecord } from '../../model/dataset.ts'
import { datasets } from '../../model/datasets/table.ts'
import type { JsonObject } from '../../model/resource.ts'
import { logpushLimits } from '../limits.ts'
import { BatchText } from '../output/batch-text.ts'
import { parseOutputOptions } from '../output/format.ts'
import { fileForm } from './file-form.ts'

const never = new AbortController().signal

function madeOf(options: JsonObject, records: readonly LogRecord[]) {
  const format = parseOutputOptions({ output_type: 'parquet', ...options }, datasets.get('http_requests')!)
  assert.ok(format.ok, JSON.stringify(format))
  const batch = new BatchText(format.value)
  const text = records.map(record => batch.add(record)).join('') + batch.end()
  const form = fileForm(format.value)
  return { text, form, file: () => form.make(gzipSync(text), never) }
}

/** The answers of DuckDB about a file. */
async function asked(file: Buffer, ...queries: readonly string[]): Promise<unknown[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-parquet-'))
  const path = join(folder, 'f.parquet')
  await writeFile(path, file)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const answers: unknown[] = []
    for (const query of queries)
      answers.push((await connection.runAndReadAll(query.replace('FILE', `'${path}'`))).getRowsJson())
    return answers
  } finally {
    connection.closeSync()
    instance.closeSync()
    await rm(folder, { recursive: true })
  }
}

const field_names = [
  'RayID',
  'EdgeResponseStatus',
  'EdgeResponseCompressionRatio',
  'WorkerSubrequest',
  'Cookies',
  'MatchedRules',
  'SecurityActions',
  'BotDetectionIDs',
  'EdgeStartTimestamp',
]

test('columns have the types of their fields, and missing values are empty ones', async () => {
  const records = [
    {
      RayID: 'a"\\\n\u{1f600}',
      EdgeResponseStatus: 404,
      EdgeResponseCompressionRatio: 1.5,
      WorkerSubrequest: true,
      Cookies: { session: '"x"' },
      MatchedRules: [{ id: 1 }],
      SecurityActions: ['block', ''],
      BotDetectionIDs: [7, 9_007_199_254_740_991],
      EdgeStartTimestamp: '1777593600123456789',
    },
    {},
  ]
  const { file, form, text } = madeOf({ field_names }, records)
  const [types, rows, json] = await asked(
    await file(),
    'SELECT column_type FROM (DESCRIBE SELECT * FROM FILE)',
    'SELECT * REPLACE (epoch_ns(EdgeStartTimestamp) AS EdgeStartTimestamp) FROM FILE',
    "SELECT Cookies->>'session' FROM FILE",
  )
  assert.deepEqual((types as string[][]).flat(), [
    'VARCHAR',
    'BIGINT',
    'DOUBLE',
    'BOOLEAN',
    'JSON',
    'JSON',
    'VARCHAR[]',
    'BIGINT[]',
    'TIMESTAMP WITH TIME ZONE',
  ])
  const [first, second] = rows as unknown[][]
  assert.deepEqual(first!.slice(0, 8), [
    'a"\\\n\u{1f600}',
    '404',
    1.5,
    true,
    '{"session":"\\"x\\""}',
    '[{"id":1}]',
    ['block', ''],
    ['7', '9007199254740991'],
  ])
  assert.deepEqual(second, ['', '0', 0, false, '{}', '[]', [], [], '0'])
  assert.deepEqual(json, [['"x"'], [null]])
  assert.equal((await form.text(await file(), 1e6, never)).toString(), text)
})

test('timestamp_format chooses between numbers and times, and their precision', async () => {
  const EdgeStartTimestamp = '1777593600123456789'
  const rows: readonly (readonly [string | null, string, string])[] = [
    [null, 'NANOS', EdgeStartTimestamp],
    ['rfc3339ns', 'NANOS', EdgeStartTimestamp],
    ['rfc3339ms', 'MILLIS', '1777593600123'],
    ['rfc3339', 'MILLIS', '1777593600000'],
    ['unixnano', '', EdgeStartTimestamp],
    ['unix', '', '1777593600'],
  ]
  for (const [timestamp_format, logical, stored] of rows) {
    const options = { field_names: ['EdgeStartTimestamp'], timestamp_format }
    const { text, file } = madeOf(options, [{ EdgeStartTimestamp }])
    assert.equal(text, `["${stored}"]\n`)
    const [schema] = await asked(
      await file(),
      "SELECT type, coalesce(logical_type, '') FROM parquet_schema(FILE) WHERE name = 'EdgeStartTimestamp'",
    )
    const [type, found] = (schema as string[][])[0]!
    assert.equal(type, 'INT64')
    // The unit that is not null.
    const unit = /isAdjustedToUTC=1.*(MILLIS|NANOS)=\w+\(/.exec(found!)?.[1] ?? found
    assert.equal(unit, logical)
  }
})

test('values of other types than their field become its type', () => {
  const rows: readonly (readonly [string, unknown, string])[] = [
    ['RayID', 7, '"7"'],
    ['RayID', { a: 1 }, '"{\\"a\\":1}"'],
    ['RayID', 'x\ud800', '"x\ufffd"'],
    ['EdgeResponseStatus', '404', '404'],
    ['EdgeResponseStatus', 1.9, '1'],
    ['EdgeResponseStatus', 1e300, '0'],
    ['EdgeResponseStatus', -0.5, '0'],
    ['EdgeResponseStatus', 'x', '0'],
    ['EdgeResponseCompressionRatio', 'x', '0'],
    ['WorkerSubrequest', 'true', 'false'],
    ['Cookies', { a: 'x\ud800' }, '"{\\"a\\":\\"x\ufffd\\"}"'],
    ['SecurityActions', 'block', '[]'],
    ['SecurityActions', [1, null], '["1","null"]'],
    ['BotDetectionIDs', ['1', 'x', {}], '[1,0,0]'],
    ['EdgeStartTimestamp', 'x', '"0"'],
    ['EdgeStartTimestamp', '9223372036854775807', '"9223372036854775807"'],
    ['EdgeStartTimestamp', '9223372036854775808', '"0"'],
    ['EdgeStartTimestamp', '007', '"7"'],
  ]
  for (const [name, value, want] of rows)
    assert.equal(madeOf({ field_names: [name] }, [{ [name]: value }]).text, `[${want}]\n`, `${name} ${value}`)
})

test('no ${ is in a file that defuses it', async () => {
  const { file, form } = madeOf({ field_names: ['RayID', 'Cookies'], 'CVE-2021-44228': true }, [
    { RayID: '${jndi', Cookies: { '${': '$' } },
  ])
  assert.equal((await form.text(await file(), 1e6, never)).toString(), '["x{jndi","{\\"x{\\":\\"$\\"}"]\n')
})

test('the same rows give the same bytes, in several row groups, and back the same text', async () => {
  const ClientRequestURI = 'u'.repeat(1_000_000)
  const count = Math.ceil((2.5 * logpushLimits.rowGroupCharacters) / ClientRequestURI.length)
  const records = Array.from({ length: count }, (_, n) => ({ RayID: `r${n}`, ClientRequestURI }))
  const { file, form, text } = madeOf({ field_names: ['RayID', 'ClientRequestURI'] }, records)
  const [one, other] = await Promise.all([file(), file()])
  assert.ok(one.equals(other))
  const [groups] = await asked(one, 'SELECT count(DISTINCT row_group_id) FROM parquet_metadata(FILE)')
  assert.deepEqual(groups, [['3']])
  assert.equal((await form.text(one, text.length, never)).toString(), text)
  await assert.rejects(form.text(one, text.length - 1, never), /longer/)
})

test('anything else is no file, and the next file is made all the same', async () => {
  const { file, form, text } = madeOf({ field_names: ['RayID'] }, [{ RayID: 'a' }])
  const good = await file()
  const { file: otherFile } = madeOf({ field_names: ['ClientIP'] }, [{ ClientIP: 'a' }])
  const bad = [
    Buffer.alloc(0),
    Buffer.from('PAR1PAR1'),
    good.subarray(1),
    good.subarray(0, -1),
    await otherFile(),
  ]
  for (const object of bad) await assert.rejects(form.text(object, 1e6, never))
  const over = new AbortController()
  const aborted = form.make(gzipSync(text), over.signal)
  over.abort()
  await assert.rejects(aborted, /the Parquet file cannot be made/)
  assert.ok((await file()).equals(good))

  // A task that waits ends at its signal, before the one that runs.
  let isMade = false
  const running = file().finally(() => {
    isMade = true
  })
  const later = new AbortController()
  const waiting = form.text(good, 1e6, later.signal)
  later.abort(new Error('the job ends'))
  await assert.rejects(waiting, /the job ends/)
  assert.equal(isMade, false)
  assert.ok((await running).equals(good))
})

test('a small object whose values are larger than any batch makes them is not decompressed', async () => {
  const { form } = madeOf({ field_names: ['RayID'] }, [])
  const objectOf = (length: number) =>
    Buffer.from(
      parquetWriteBuffer({
        columnData: [{ name: 'RayID', data: ['u'.repeat(length)], type: 'STRING', nullable: false }],
        codec: 'ZSTD',
        compressors: { ZSTD: bytes => zstdCompressSync(bytes) },
        statistics: false,
      }),
    )
  const lengthMax = 8 * logpushLimits.rowGroupCharacters
  assert.ok((await form.text(objectOf(1_000_000), 1e9, never)).includes('u'.repeat(1_000_000)))
  const bomb = objectOf(lengthMax + 1)
  assert.ok(bomb.length < 100_000)
  await assert.rejects(form.text(bomb, 1e9, never), /larger than/)
})
