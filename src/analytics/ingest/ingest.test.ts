import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openLocalRecordLog } from '../../bus/index.ts'
import { openAnswers } from '../answers.ts'
import { openDatabase } from '../database.ts'
import { analyticsLimits } from '../limits.ts'
import {
  accountA,
  always,
  eventRecord,
  ingest,
  keptForever,
  logOf,
  managedMetadata,
  matchedRules,
  rayOf,
  requestRecord,
  zoneA,
  zoneB,
} from '../testing/fill.ts'
import { BatchWriter } from './batch-writer.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-analytics-'))
after(() => rmSync(directory, { recursive: true }))

const noonMs = Date.UTC(2026, 0, 2, 12)
const hourMs = 3_600_000
const day = { sinceMs: noonMs - 24 * hourMs, untilMs: noonMs }

let files = 0
const newPath = () => join(directory, `${++files}.sqlite`)

function countOf(path: string, zone = zoneA) {
  const answers = openAnswers(path)
  const { requests, events } = answers.zoneOverview(zone, day)
  answers.close()
  return { requests, events }
}

test('every record is counted once, however often the ingest restarts', async () => {
  const path = newPath()
  const records = Array.from({ length: 30 }, (_, n) =>
    n % 3 === 0 ? eventRecord(noonMs - n * 1000 - 1) : requestRecord(noonMs - n * 1000 - 1),
  )
  const log: string[] = records.slice(0, 10)
  for (const upTo of [10, 10, 11, 30]) {
    log.push(...records.slice(log.length, upTo))
    const { partitions } = await ingest(path, logOf(log))
    assert.deepEqual(partitions, [{ partition: 'p', sequence: upTo, head: upTo, missing: 0 }])
    const events = records.slice(0, upTo).filter(record => record.includes('firewall_events')).length
    assert.deepEqual(countOf(path), { requests: upTo - events, events })
  }
})

test('a position without an epoch is transferred to the log of that name, unless that is shorter', async () => {
  const record = () => requestRecord(noonMs - 1)
  const named = (name: string, count: number) => ({
    ...logOf(Array.from({ length: count }, record)),
    partitions: async () => [name],
  })
  for (const [later, requests] of [
    [5, 5],
    [2, 5],
  ] as const) {
    const path = newPath()
    await ingest(path, named('nats', 3))
    const { partitions } = await ingest(path, named('nats.1a2b3c4d', later))
    assert.deepEqual(partitions, [{ partition: 'nats.1a2b3c4d', sequence: later, head: later, missing: 0 }])
    assert.deepEqual(countOf(path), { requests, events: 0 })
    // Another log of the name is read whole.
    await ingest(path, named('nats.5e6f7a8b', 4))
    assert.deepEqual(countOf(path), { requests: requests + 4, events: 0 })
  }
})

test('a batch that fails half-way leaves no trace, and its records are counted once later', async () => {
  const path = newPath()
  const database = openDatabase(path)
  const writer = new BatchWriter(database, keptForever)
  const batch = { partition: 'p', after: 0, last: 2, missing: 0 }
  const records = [requestRecord(noonMs - 1), eventRecord(noonMs - 1)]
  database.exec(
    `create trigger full before insert on blocks begin select raise(abort, 'the disk is full'); end`,
  )
  assert.throws(() => writer.write({ ...batch, records }, always), /the disk is full/)
  assert.deepEqual(writer.position('p'), { sequence: 0, missing: 0 })
  assert.deepEqual(countOf(path), { requests: 0, events: 0 })
  database.exec('drop trigger full')
  assert.equal(writer.write({ ...batch, records }, always), true)
  assert.equal(writer.write({ ...batch, records }, always), false, 'read before')
  assert.deepEqual(countOf(path), { requests: 1, events: 1 })
  database.close()
})

test('nothing is written once another version has rebuilt the database', () => {
  const database = openDatabase(newPath())
  const writer = new BatchWriter(database, keptForever)
  database.exec('pragma user_version = 1000000')
  const batch = { partition: 'p', after: 0, last: 1, missing: 0, records: [requestRecord(noonMs - 1)] }
  assert.throws(() => writer.write(batch, always), /another version of Sluice has the database/)
  assert.deepEqual(writer.position('p'), { sequence: 0, missing: 0 })
  database.close()
})

test('no text of a client hides the events of a managed rule', async () => {
  const path = newPath()
  const posing = Array.from({ length: 20 }, (_, n) =>
    eventRecord(noonMs - 2, {
      ClientRequestUserAgent: `id-942100 ${n}`,
      ClientRequestPath: `id-942100 !${n}`,
    }),
  )
  await ingest(path, logOf([...posing, eventRecord(noonMs - 1, { Metadata: managedMetadata('942100') })]))
  const answers = openAnswers(path)
  const filter = { matchedRule: 'id-942100' }
  assert.equal(answers.events(zoneA, { range: day, filter, limit: 10 }).events.length, 1)
  const { values } = answers.top(zoneA, { range: day, by: 'matched_rule', limit: 10 })
  assert.deepEqual(values, [{ value: 'id-942100', ref: '942100', events: 1, mitigated: 1 }])
  answers.close()
})

test('other records than requests and events are skipped', async () => {
  const path = newPath()
  const good = requestRecord(noonMs - 1)
  const rows = [
    'not json',
    '{}',
    '[]',
    JSON.stringify({ zone: zoneA, account: accountA, dataset: 'http_requests', fields: null }),
    JSON.stringify({ zone: zoneA, account: accountA, dataset: 'audit_logs', fields: {} }),
    requestRecord(noonMs - 1, { EdgeStartTimestamp: 'yesterday' }),
    eventRecord(noonMs - 1, { RayID: 'no ray' }),
    eventRecord(noonMs - 1, { Metadata: 7 }),
    eventRecord(noonMs - 1, { Metadata: { rules: [null, 7, { id: 3 }] } }),
    requestRecord(noonMs - 1, {
      MatchedRules: [null, { rules: 'x' }, { rules: [null] }],
      SecurityRuleIDs: 7,
    }),
    JSON.stringify(JSON.parse(eventRecord(noonMs - 1)), null, 1),
    requestRecord(noonMs - 1, { EdgeResponseBytes: Number.MAX_SAFE_INTEGER, ClientRequestBytes: -1 }),
    requestRecord(noonMs - 1, { EdgeResponseBytes: Number.MAX_SAFE_INTEGER, ClientRequestBytes: 'x' }),
    good,
  ]
  const { failures } = await ingest(path, logOf(rows))
  assert.equal(failures, 0)
  assert.deepEqual(countOf(path), { requests: 4, events: 3 })
  const answers = openAnswers(path)
  for (const { record } of answers.events(zoneA, { range: day, filter: {}, limit: 10 }).events)
    assert.equal(JSON.parse(record).fields.ClientRequestPath, '/search')
  answers.close()
})

test('no number of records that claim absurd sizes makes an overview fail', () => {
  const path = newPath()
  const database = openDatabase(path)
  const writer = new BatchWriter(database, keptForever)
  const record = requestRecord(noonMs - 1, { EdgeResponseBytes: Number.MAX_SAFE_INTEGER })
  const later = requestRecord(noonMs - 60_001, { EdgeResponseBytes: Number.MAX_SAFE_INTEGER })
  const records = Array<string>(5000).fill(record)
  for (let after = 0; after < 15_000; after += 5000)
    writer.write({ partition: 'p', after, last: after + 5000, missing: 0, records }, always)
  writer.write({ partition: 'p', after: 15_000, last: 15_001, missing: 0, records: [later] }, always)
  database.close()
  const answers = openAnswers(path)
  const { requests, bytes, requestBytes } = answers.zoneOverview(zoneA, day)
  assert.deepEqual([requests, bytes, requestBytes], [15_001, Number.MAX_SAFE_INTEGER, 1_500_100])
  assert.equal(answers.zoneOverview(zoneB, day).bytes, 0)
  answers.close()
})

test('records that were gone before they were read are counted as missing, but not those before the first', async () => {
  const path = newPath()
  const record = requestRecord(noonMs - 1)
  const read = (sequences: readonly number[]) => ({
    ...logOf([]),
    head: async () => sequences.at(-1)!,
    read: async (_: string, after: number) =>
      sequences.filter(sequence => sequence > after).map(sequence => ({ sequence, receivedMs: 0, record })),
  })
  assert.equal((await ingest(path, read([5, 6]))).partitions[0]!.missing, 0)
  assert.equal((await ingest(path, read([9, 10]))).partitions[0]!.missing, 2)
  assert.deepEqual(countOf(path), { requests: 4, events: 0 })
})

test('a recreated log is read from its start', async () => {
  const path = newPath()
  const spool = join(directory, 'spool')
  const record = requestRecord(noonMs - 1)
  for (const [count, requests] of [
    [3, 3],
    [5, 8],
  ] as const) {
    rmSync(spool, { recursive: true, force: true })
    const log = openLocalRecordLog(spool, fault => assert.fail(fault.message))
    const writer = await log.writer('w')
    for (let n = 0; n < count; n++) writer.append(record)
    await writer.flush()
    await ingest(path, await log.reader())
    assert.deepEqual(countOf(path), { requests, events: 0 })
    await log.close()
  }
})

test('an unreadable log is reported, and tried again', async () => {
  const errors: string[] = []
  const broken = { ...logOf([]), partitions: () => Promise.reject(new Error('the server is away')) }
  await ingest(newPath(), broken, { onError: message => void errors.push(message) })
  assert.deepEqual(errors, ['records cannot be read into analytics; retrying'])
})

test('a partition that cannot be read delays neither the others nor the keeper', async () => {
  const path = newPath()
  await ingest(path, logOf([eventRecord(noonMs - 1)]))
  const good = logOf([requestRecord(noonMs - 1), requestRecord(noonMs - 1)])
  const errors: unknown[] = []
  await ingest(
    path,
    {
      ...good,
      partitions: async () => ['broken', 'good'],
      read: async (partition, after, limits) => {
        if (partition === 'broken') throw new Error('a frame is damaged')
        return good.read(partition, after, limits)
      },
    },
    { kept: { ageMs: hourMs, bytes: 1 }, onError: (_, error) => void errors.push((error as Error).message) },
  )
  assert.deepEqual(errors, ['a frame is damaged'])
  const answers = openAnswers(path)
  assert.equal(answers.zoneOverview(zoneA, day).requests, 2)
  assert.equal(answers.events(zoneA, { range: day, filter: {}, limit: 10 }).events.length, 0)
  answers.close()
})

test('zones are counted separately', async () => {
  const path = newPath()
  await ingest(
    path,
    logOf([
      requestRecord(noonMs - 1),
      requestRecord(noonMs - 1, {}, { zone: zoneB }),
      eventRecord(noonMs - 1, {}, { zone: zoneB }),
    ]),
  )
  assert.deepEqual(countOf(path), { requests: 1, events: 0 })
  assert.deepEqual(countOf(path, zoneB), { requests: 1, events: 1 })
})

test('old data is deleted with its texts', async () => {
  const path = newPath()
  const kept = { ageMs: 24 * hourMs, bytes: 2 ** 30 }
  const old = noonMs - 47 * hourMs
  const records = [
    eventRecord(old, { ClientRequestPath: '/old' }),
    requestRecord(old, { MatchedRules: matchedRules('942100') }),
    eventRecord(noonMs - 1, { ClientRequestPath: '/new' }),
  ]
  await ingest(path, logOf(records.slice(0, 2)), { clock: { nowMs: () => old + 1 }, kept })
  await ingest(path, logOf(records), { clock: { nowMs: () => noonMs }, kept })
  const database = new DatabaseSync(path)
  const rows = (sql: string) => database.prepare(sql).all()
  assert.equal(rows('select 1 from events').length, 1)
  assert.equal(rows('select 1 from blocks').length, 1)
  for (const table of ['minutes', 'rule_hours', 'zone_hours'])
    assert.deepEqual(rows(`select 1 from ${table}`), [])
  const texts = rows('select text from texts').map(({ text }) => text)
  assert.ok(texts.includes('/new'))
  assert.ok(!texts.includes('/old'))
  database.close()
})

test('records that are too old, or dated in the future, are not written', async () => {
  const path = newPath()
  const kept = { ageMs: 24 * hourMs, bytes: 2 ** 30 }
  const oldest = noonMs - 24 * hourMs
  const newest = noonMs + 24 * hourMs - 1
  const times = [oldest - 1, oldest, newest, newest + 1]
  await ingest(path, logOf(times.map(ms => eventRecord(ms))), { clock: { nowMs: () => noonMs }, kept })
  const answers = openAnswers(path)
  const range = { sinceMs: 0, untilMs: newest + hourMs }
  assert.deepEqual(
    answers.events(zoneA, { range, filter: {}, limit: 9 }).events.map(({ position }) => position.timeMs),
    [newest, oldest],
  )
  answers.close()
})

test('when the space is used up, the oldest events are deleted, and counts remain', async () => {
  const path = newPath()
  const noise = (n: number) =>
    Array.from({ length: 40 }, (_, at) => ((n + 7) * (at + 3) * 7919) % 99991).join()
  const records = Array.from({ length: 6000 }, (_, n) =>
    eventRecord(noonMs - 6_000_000 + n * 1000, { ClientRequestQuery: noise(n) }),
  )
  const kept = { ageMs: 365 * 24 * hourMs, bytes: 1024 * 1024 }
  const { bytes } = await ingest(path, logOf(records), { kept })
  // The keeper runs between batches; then it is called until there is nothing more to do.
  const log = logOf(records)
  let used = bytes
  for (let round = 0; round < 20 && used > kept.bytes; round++)
    used = (await ingest(path, log, { kept })).bytes
  assert.ok(used <= kept.bytes, `${used}`)
  const answers = openAnswers(path)
  const { events } = answers.events(zoneA, { range: day, filter: {}, limit: 1000 })
  assert.equal(events[0]?.position.timeMs, noonMs - 1000, 'the newest are there')
  assert.equal(answers.zoneOverview(zoneA, day).events, 6000)
  answers.close()
})

test('values of past hours are folded except the largest', async () => {
  const path = newPath()
  const values = analyticsLimits.valuesPerHour + 5
  const at = noonMs - 3 * hourMs
  const records = Array.from({ length: values }, (_, n) =>
    eventRecord(at + n, { ClientRequestPath: `/${n}`, ...(n < 3 && { Action: 'log' }) }),
  )
  records.push(eventRecord(at, { ClientRequestPath: '/0' }))
  await ingest(path, logOf(records), { clock: { nowMs: () => noonMs } })
  const database = new DatabaseSync(path)
  const paths = 'from values_hours where dimension = 2'
  const [row] = database.prepare(`select count(*) as n, sum(events) as events ${paths}`).all()
  assert.deepEqual({ ...row }, { n: analyticsLimits.valuesPerHour + 1, events: values + 1 })
  const [rest] = database.prepare(`select events, mitigated ${paths} and value = 0`).all()
  assert.deepEqual({ ...rest }, { events: 5, mitigated: 5 })
  database.close()
})

test('without space for more texts, new client-chosen ones are counted together', async () => {
  const path = newPath()
  const kept = { ageMs: 365 * 24 * hourMs, bytes: 4 * 600 }
  const long = 'x'.repeat(300)
  const records = [1, 2, 3].map(n => eventRecord(noonMs - n, { ClientRequestPath: `/${n}${long}` }))
  const database = openDatabase(path)
  new BatchWriter(database, kept).write({ partition: 'p', after: 0, last: 3, missing: 0, records }, always)
  database.close()
  const answers = openAnswers(path)
  const { values, otherEvents } = answers.top(zoneA, { range: day, by: 'path', limit: 10 })
  assert.deepEqual(
    values.map(({ value }) => value),
    [`/1${long}`],
  )
  assert.equal(otherEvents, 2)
  assert.equal(answers.events(zoneA, { range: day, filter: {}, limit: 10 }).events.length, 3)
  answers.close()
})

test('only fields of the edge are counted, in any order', async () => {
  const path = newPath()
  const named = { Cookies: { RayID: 'x', SecurityAction: 'block' } }
  const blocked = requestRecord(noonMs - 1, { SecurityAction: 'block', EdgeResponseStatus: 403 })
  const reversed = JSON.parse(blocked)
  reversed.fields = Object.fromEntries(Object.entries(reversed.fields).reverse())
  const passed = requestRecord(noonMs - 1).replace(/}}$/, `,${JSON.stringify(named).slice(1)}}`)
  await ingest(path, logOf([passed, blocked, JSON.stringify(reversed)]))
  const answers = openAnswers(path)
  const { requests, mitigated } = answers.zoneOverview(zoneA, day)
  answers.close()
  assert.deepEqual([requests, mitigated], [3, 2])
})

test('matched rules are counted for each record, also when records have the same', async () => {
  const path = newPath()
  const refs = ['941100', '942100']
  const { rules, ...metadata } = managedMetadata(...refs) as { rules: readonly object[] }
  const posing = rules.map(rule => ({ ...rule, target: 'ARGS:a}],"RuleID":"x' }))
  const records = [1, 2, 3].flatMap(n => [
    requestRecord(noonMs - n, { SecurityRuleIDs: ['last'], MatchedRules: matchedRules(...refs) }),
    asWritten(eventRecord(noonMs - n, { RayID: rayOf(n), Metadata: { ...metadata, rules: posing } })),
    // An earlier version wrote other fields behind the metadata.
    eventRecord(noonMs - n, { Metadata: { ...metadata, rules } }),
  ])
  await ingest(path, logOf(records))
  const answers = openAnswers(path)
  const { values } = answers.top(zoneA, { range: day, by: 'matched_rule', limit: 10 })
  const events = values.map(({ value, events }) => `${value} ${events}`)
  const hits = answers.ruleHits(zoneA, day).map(({ rule, hits }) => `${rule} ${hits}`)
  answers.close()
  assert.deepEqual(events.sort(), ['id-941100 6', 'id-942100 6'])
  assert.deepEqual(hits.sort(), ['id-941100 3', 'id-942100 3', 'last 3'])
})

/** With the order of fields that the edge writes. */
function asWritten(event: string): string {
  const { fields, ...head } = JSON.parse(event)
  const { Metadata, RuleID, ...others } = fields
  return JSON.stringify({ ...head, fields: { ...others, Metadata, RuleID } })
}
