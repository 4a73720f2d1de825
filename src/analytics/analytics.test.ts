import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { openAnalytics } from './analytics.ts'
import { openDatabase } from './database.ts'
import { analyticsLimits } from './limits.ts'
import { eventRecord, ingest, logOf, managedMetadata, rayOf, zoneA } from './testing/fill.ts'
import { AnalyticsAwayError } from './types.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-analytics-'))
after(() => rmSync(directory, { recursive: true }))

const noonMs = Date.UTC(2026, 0, 2, 12)
const range = { sinceMs: noonMs - 3_600_000, untilMs: noonMs }

test('queries are answered from a file that grows meanwhile', async () => {
  const path = join(directory, 'a.sqlite')
  const analytics = openAnalytics(path)
  const log: string[] = []
  for (const events of [0, 1, 2]) {
    while (log.length < events) log.push(eventRecord(noonMs - 1 - log.length, { Description: 'día' }))
    await ingest(path, logOf(log))
    const page = await analytics.events(zoneA, { range, filter: {}, limit: 10 })
    assert.equal(page.events.length, events)
  }
  const [event] = await analytics.eventsOfRay(zoneA, rayOf(noonMs - 1))
  assert.equal(event?.fields['Description'], 'día')
  await analytics.close()
})

test('the thread ends when there are no queries, and the next query is answered by another', async () => {
  const threads: Worker[] = []
  const note = (thread: Worker) => void threads.push(thread)
  process.on('worker', note)
  const analytics = openAnalytics(join(directory, 'idle.sqlite'), 0)
  for (let n = 0; n < 2; n++) {
    assert.equal((await analytics.zoneOverview(zoneA, range)).requests, 0)
    await once(threads[n]!, 'exit')
  }
  process.off('worker', note)
  await analytics.close()
})

test('only its owner may read the file', async () => {
  const path = join(directory, 'private.sqlite')
  await ingest(path, logOf([]))
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('too many queries at once are refused, and waiting ones are answered', async () => {
  const analytics = openAnalytics(join(directory, 'b.sqlite'))
  const ask = () => analytics.zoneOverview(zoneA, range)
  const waiting = Array.from({ length: analyticsLimits.waitingMax }, ask)
  await assert.rejects(ask(), AnalyticsAwayError)
  const answers = await Promise.all(waiting)
  assert.equal(answers.length, analyticsLimits.waitingMax)
  assert.equal((await ask()).requests, 0)
  await analytics.close()
  await assert.rejects(ask(), AnalyticsAwayError)
})

test('a file that cannot be opened fails each query, and is tried again with the next', async () => {
  const path = join(directory, 'broken.sqlite')
  writeFileSync(path, 'this is no database, whatsoever its name is '.repeat(100))
  const analytics = openAnalytics(path)
  const ask = () => analytics.zoneOverview(zoneA, range)
  for (let n = 0; n < 2; n++) await assert.rejects(ask(), AnalyticsAwayError)
  rmSync(path)
  assert.equal((await ask()).requests, 0)
  await analytics.close()
})

test('a file of an older version is rebuilt from the records that the log still has', async () => {
  const path = join(directory, 'older.sqlite')
  const log = [1, 2, 3].map(n => eventRecord(noonMs - n, { Metadata: managedMetadata('942100') }))
  await ingest(path, logOf(log))
  const database = openDatabase(path)
  database.exec(`update texts set text = substr(text, 2) where text like '_id-942100 %';
    create table of_old (id integer) strict; pragma user_version = 1`)
  database.close()
  // A query rebuilds nothing: the process that writes may still be of the older version.
  const early = openAnalytics(path)
  await assert.rejects(early.zoneOverview(zoneA, range), ({ cause }: Error) =>
    /schema 1 instead of \d+: reload Sluice/.test((cause as Error).message),
  )
  await early.close()
  await ingest(path, logOf(log.slice(1)))
  const analytics = openAnalytics(path)
  const { events } = await analytics.events(zoneA, {
    range,
    filter: { matchedRule: 'id-942100' },
    limit: 10,
  })
  assert.equal(events.length, 2)
  await analytics.close()
})

test('a file of a newer version is left alone', () => {
  const path = join(directory, 'newer.sqlite')
  const database = openDatabase(path)
  database.exec('pragma user_version = 99')
  database.close()
  assert.throws(() => openDatabase(path), /has version 99, this program knows \d+; move the file away/)
})
