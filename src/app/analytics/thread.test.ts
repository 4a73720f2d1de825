import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { noClickHouse, startClickHouse } from '../../analytics/records/testing/clickhouse-server.ts'
import { accountA, eventRecord, requestRecord, zoneA } from '../../analytics/testing/fill.ts'
import { readSettings } from '../../model/settings/index.ts'
import { openRecordLog } from '../state/record-log.ts'
import { AnalyticsThread } from './thread.ts'

const hourMs = 3_600_000
const range = { sinceMs: Date.now() - hourMs, untilMs: Date.now() + hourMs }

/** A data directory with a record log, and threads that read it. */
async function installation(t: TestContext, more: Record<string, string> = {}) {
  // Relative, as it is by default.
  const data = relative('.', mkdtempSync(join(tmpdir(), 'sluice-analytics-')))
  const read = readSettings({ SLUICE_DATA: data, ...more })
  assert.ok(read.ok)
  const settings = read.value
  const log = await openRecordLog(settings, fault => assert.fail(fault.message))
  const path = join(data, 'analytics.duckdb')
  const threads: AnalyticsThread[] = []
  const begin = () => {
    const thread = new AnalyticsThread({ settings, path }, pino({ level: 'silent' }))
    threads.push(thread)
    return thread
  }
  // A thread that runs would keep the process.
  t.after(async () => {
    for (const thread of threads) await thread.stop()
    await log.close()
    rmSync(data, { recursive: true })
  })
  return { path, begin, writer: await log.writer('edge-1'), reader: await log.reader() }
}

async function untilRead(thread: AnalyticsThread, records: number): Promise<void> {
  while (!thread.progress().partitions.some(({ sequence }) => sequence === records)) await sleep(20)
}

test('queries cover every record of the log once, also from before a restart', async t => {
  const { begin, writer, reader } = await installation(t)
  for (const round of [1, 2]) {
    writer.append(requestRecord(Date.now() - round))
    writer.append(eventRecord(Date.now() - round))
    await writer.flush()
    const thread = begin()
    // Asked before the start, as of a process that replaces another.
    const early = thread.analytics().zoneOverview(zoneA, range)
    thread.start()
    assert.equal((await early).bytes % 1000, 0)
    await untilRead(thread, 2 * round)
    const { partitions, bytes, failures } = thread.progress()
    const [partition] = await reader.partitions()
    assert.deepEqual(partitions, [{ partition, sequence: 2 * round, head: 2 * round, missing: 0 }])
    assert.ok(bytes > 0)
    assert.equal(failures, 0)
    const { requests, events } = await thread.analytics().zoneOverview(zoneA, range)
    assert.deepEqual({ requests, events }, { requests: round, events: round })
    await thread.stop()
  }
})

test('statements are answered from the first query on, and a running one does not delay the stop', {
  timeout: 25_000,
}, async t => {
  const { path, begin, writer } = await installation(t)
  writer.append(requestRecord(Date.now()))
  await writer.flush()
  const exported = join(dirname(path), 'exported')
  // Of an ended process, and of one that runs: the parent of this.
  for (const name of ['sql-left', String(process.ppid)]) mkdirSync(join(exported, name), { recursive: true })
  const thread = begin()
  thread.start()
  const ask = (text: string) => {
    const query = { text, account: accountA, range, format: 'json', rowsMax: 1 } as const
    return thread.analytics().sql(query)
  }
  assert.ok((await ask('select count(*) from http_requests')).ok)
  assert.deepEqual(readdirSync(exported).sort(), [String(process.pid), String(process.ppid)].sort())
  const asked = ask('select count(*) from range(1_000_000_000_000) where hash(range) = 1')
  while (readdirSync(join(exported, String(process.pid))).length === 0) await sleep(5)
  await Promise.all([assert.rejects(asked, { name: 'AnalyticsAwayError' }), thread.stop()])
  assert.deepEqual(readdirSync(join(exported, String(process.pid))), [])
})

test('a damaged file is set aside, and the records of the log are read again', async t => {
  const { path, begin, writer } = await installation(t)
  writer.append(requestRecord(Date.now()))
  await writer.flush()
  writeFileSync(path, 'not what the engine wrote')
  const older = join(dirname(path), 'analytics.sqlite')
  writeFileSync(older, '')
  const thread = begin()
  thread.start()
  await untilRead(thread, 1)
  assert.equal((await thread.analytics().zoneOverview(zoneA, range)).requests, 1)
  await thread.stop()
  assert.equal(readFileSync(`${path}.damaged`, 'utf8'), 'not what the engine wrote')
  assert.ok(!existsSync(older))
})

describe('records in ClickHouse', { skip: noClickHouse }, () => {
  test('every process answers, and only the one that may read does; the password comes from a file', async t => {
    const server = await startClickHouse()
    t.after(() => server.close())
    const url = new URL(`${server.url}/sluice`)
    const folder = mkdtempSync(join(tmpdir(), 'sluice-password-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'password'), `${decodeURIComponent(url.password)}\n`)
    url.password = ''
    const { begin, writer } = await installation(t, {
      SLUICE_CLICKHOUSE_URL: url.href,
      SLUICE_CLICKHOUSE_PASSWORD_FILE: join(folder, 'password'),
    })
    const append = async () => {
      writer.append(requestRecord(Date.now()))
      await writer.flush()
    }
    const [one, two] = [begin(), begin()]
    for (const thread of [one, two]) thread.start()
    await append()
    one.read(true)
    await untilRead(one, 1)
    assert.equal((await two.analytics().zoneOverview(zoneA, range)).requests, 1)
    assert.deepEqual(two.progress().partitions, [])

    server.fail = () => 'before'
    const away = { name: 'AnalyticsAwayError' }
    await assert.rejects(two.analytics().zoneOverview(zoneA, range), away)
    server.fail = () => undefined

    one.read(false)
    two.read(true)
    await append()
    await untilRead(two, 2)
    assert.equal((await one.analytics().zoneOverview(zoneA, range)).requests, 2)
    for (const thread of [one, two]) await thread.stop()
  })
})
