import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { eventRecord, requestRecord, zoneA } from '../../analytics/testing/fill.ts'
import { readSettings } from '../../model/settings/index.ts'
import { openRecordLog } from '../state/record-log.ts'
import { AnalyticsThread } from './thread.ts'

test('queries cover every record of the log once, also from before a restart', async t => {
  const data = mkdtempSync(join(tmpdir(), 'sluice-analytics-'))
  t.after(() => rmSync(data, { recursive: true }))
  const read = readSettings({ SLUICE_DATA: data })
  assert.ok(read.ok)
  const settings = read.value
  const log = await openRecordLog(settings, fault => assert.fail(fault.message))
  const [writer, reader] = [await log.writer('edge-1'), await log.reader()]
  const path = join(data, 'analytics.duckdb')
  const nowMs = Date.now()
  const range = { sinceMs: nowMs - 60_000, untilMs: nowMs + 60_000 }

  for (const round of [1, 2]) {
    writer.append(requestRecord(nowMs - round))
    writer.append(eventRecord(nowMs - round))
    await writer.flush()
    const thread = new AnalyticsThread({ settings, path }, pino({ level: 'silent' }))
    // Asked before the start, as of a process that replaces another.
    const early = thread.analytics().zoneOverview(zoneA, range)
    thread.start()
    assert.equal((await early).bytes % 1000, 0)
    const isRead = () => thread.progress().partitions.some(({ sequence }) => sequence === 2 * round)
    while (!isRead()) await sleep(20)
    const { partitions, bytes, failures } = thread.progress()
    const [partition] = await reader.partitions()
    assert.deepEqual(partitions, [{ partition, sequence: 2 * round, head: 2 * round, missing: 0 }])
    assert.ok(bytes > 0)
    assert.equal(failures, 0)
    const { requests, events } = await thread.analytics().zoneOverview(zoneA, range)
    assert.deepEqual({ requests, events }, { requests: round, events: round })
    await thread.stop()
  }
  await log.close()
})
